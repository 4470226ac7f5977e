import CommandTestSupport
import Foundation
import FreshnessCore
import GRDB
import Quantities
import Testing
import Wire

@testable import MonitorServer

@Suite("The token registry")
struct RegistryTests {
    private let now = Instant(microseconds: 1_700_000_000_000_000)
    private let token = DeviceToken(ride: 1, number: 1)

    @Test("what was written is there after a restart, with its revision")
    func roundTrip() async throws {
        let scratch = try Scratch()
        let path = scratch.path("tokens.sqlite")
        let id = try Fixture.id("ride-1")
        let stamp = ContentStamp(generatedAt: now, staleDate: now + .minutes(5))
        let content = AnnouncedContent(
            stamp: stamp,
            state: Array(#"{"eta":"12:30"}"#.utf8),
            priority: .considerate,
            renewal: .minutes(1)
        )
        let first = try Registry(path: path)
        let revision = try await first.write(.publish(id, token, shown: nil, at: now))
        _ = try await first.write(.announce(id, content, at: now))
        _ = try await first.write(.confirm(id, stamp, at: now))
        _ = try await first.write(.end(id, .severe, dismissalDate: nil, at: now))
        _ = try await first.write(.end(id, .rideOver, dismissalDate: 1_700_000_999, at: now))
        _ = try await first.write(.end(id, .severe, dismissalDate: nil, at: now))
        await first.close()

        let second = try Registry(path: path)
        let stored = try #require(try second.load().first)
        #expect(stored.id == id)
        #expect(stored.token == PublishedToken(token: token, revision: revision, publishedAt: now))
        #expect(stored.tokenState == .active)
        #expect(stored.confirmed == stamp)
        #expect(stored.announced == content)
        #expect(stored.end == .rideOver)
        #expect(stored.dismissalDate == 1_700_000_999)
        #expect(try await second.write(.withdraw(id, at: now)) > revision)
        await second.close()
    }

    @Test("a file of the first version is read, and takes dismissal dates")
    func firstVersion() async throws {
        let scratch = try Scratch()
        let path = scratch.path("tokens.sqlite")
        let file = try DatabaseQueue(path: path)
        try await file.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                    INSERT INTO grdb_migrations VALUES ('1: instances');
                    CREATE TABLE instance (id TEXT PRIMARY KEY NOT NULL, revision INTEGER NOT NULL,
                        token_state INTEGER NOT NULL, token BLOB, published_us INTEGER, shown_generated_us INTEGER,
                        shown_stale_us INTEGER, announced_generated_us INTEGER, announced_stale_us INTEGER,
                        content_state BLOB, priority INTEGER, renewal_us INTEGER, end_decision INTEGER,
                        changed_us INTEGER NOT NULL) WITHOUT ROWID;
                    INSERT INTO instance (id, revision, token_state, end_decision, changed_us) VALUES ('a', 7, 2, 1, 5);
                    """
            )
        }
        try file.close()
        let registry = try Registry(path: path)
        let stored = try #require(try registry.load().first)
        #expect(stored.revision == 7)
        #expect(stored.end == .rideOver)
        #expect(stored.dismissalDate == nil)
        _ = try await registry.write(.end(stored.id, .rideOver, dismissalDate: 1_700_000_999, at: now))
        #expect(try registry.load().map(\.dismissalDate) == [1_700_000_999])
        await registry.close()
    }

    @Test("a withdrawn token is gone; one that took its place before a refusal stays")
    func withdrawals() async throws {
        let scratch = try Scratch()
        let registry = try Registry(path: scratch.path("tokens.sqlite"))
        let (withdrawn, replaced) = (try Fixture.id("a"), try Fixture.id("b"))
        _ = try await registry.write(.publish(withdrawn, token, shown: nil, at: now))
        let old = try await registry.write(.publish(replaced, token, shown: nil, at: now))
        _ = try await registry.write(.publish(replaced, DeviceToken(ride: 1, number: 2), shown: nil, at: now))
        _ = try await registry.write(.withdraw(withdrawn, at: now))
        _ = try await registry.write(.retire(replaced, revision: old, .discarded, at: now))
        let stored = try registry.load()
        #expect(stored.map(\.tokenState) == [.invalidated, .active])
        #expect(stored.map { $0.token?.token } == [nil, DeviceToken(ride: 1, number: 2)])
        await registry.close()
    }

    @Test("older content does not take the place of newer")
    func olderContent() async throws {
        let scratch = try Scratch()
        let registry = try Registry(path: scratch.path("tokens.sqlite"))
        let id = try Fixture.id("a")
        let newer = Fixture.content(generated: now + .seconds(1), stale: now + .minutes(1))
        _ = try await registry.write(.announce(id, newer, at: now))
        _ = try await registry.write(.announce(id, Fixture.content(generated: now, stale: .never), at: now))
        #expect(try registry.load().map(\.announced) == [newer])
        await registry.close()
    }

    @Test("what is to be forgotten goes, unless it has changed meanwhile")
    func forgotten() async throws {
        let scratch = try Scratch()
        let registry = try Registry(path: scratch.path("tokens.sqlite"))
        for name in ["old", "changed"] {
            _ = try await registry.write(.publish(try Fixture.id(name), token, shown: nil, at: now))
        }
        _ = try await registry.write(.withdraw(try Fixture.id("changed"), at: now + .seconds(2)))
        for name in ["old", "changed"] {
            _ = try await registry.write(.forget(try Fixture.id(name), unchangedSince: now + .seconds(1)))
        }
        #expect(try registry.load().map(\.id.text) == ["changed"])
        await registry.close()
    }

    @Test("changes that come together share commits, and keep their order")
    func groupCommit() async throws {
        let scratch = try Scratch()
        let registry = try Registry(path: scratch.path("tokens.sqlite"))
        let id = try Fixture.id("a")
        let revisions = try await withThrowingTaskGroup(of: Int64.self) { group in
            for number in 0..<2000 as Range<UInt32> {
                group.addTask {
                    try await registry.write(
                        .publish(id, DeviceToken(ride: 7, number: number), shown: nil, at: now)
                    )
                }
            }
            return try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
        }
        #expect(revisions.count == 2000)
        let writes = registry.writes
        #expect(writes.changes == 2000)
        #expect(writes.commits < 2000)
        #expect(try registry.load().first?.revision == revisions.max())
        await registry.close()
    }

    @Test("a second monitor is refused the file, and what is not a registry is refused")
    func refusals() async throws {
        let scratch = try Scratch()
        let path = scratch.path("tokens.sqlite")
        let registry = try Registry(path: path)
        #expect(throws: RegistryError.inUse(path: path)) { try Registry(path: path) }
        await registry.close()
        await #expect(throws: RegistryError.closed) {
            try await registry.write(.withdraw(try Fixture.id("a"), at: now))
        }
        let text = scratch.path("text")
        try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: text))
        #expect(throws: RegistryError.self) { try Registry(path: text) }
    }
}
