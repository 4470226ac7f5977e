import CommandTestSupport
import Foundation
import FreshnessCore
import Quantities
import TestSupport
import Testing
import Wire

@testable import MonitorServer

@Suite("The token registry")
struct RegistryTests {
    private let now = Instant(microseconds: 1_700_000_000_000_000)
    private let token = DeviceToken(ride: 1, number: 1)
    private let scratch = Scratch()
    private var path: String { scratch.path("tokens.sqlite") }

    /// Publishes the token of an instance.
    private func publish(_ name: String, to registry: Registry) async throws {
        _ = try await registry.write(.publish(try Fixture.id(name), .token(token), shown: nil, at: now))
    }

    @Test("a written change is present after a restart, with its revision")
    func roundTrip() async throws {
        let id = try Fixture.id("ride-1")
        let stamp = ContentStamp(generatedAt: now, staleDate: now + .minutes(5))
        let content = AnnouncedContent(
            stamp: stamp,
            state: Array(#"{"eta":"12:30"}"#.utf8),
            priority: .considerate,
            renewal: .minutes(1),
            alert: PushAlert(title: "Here", body: "Your driver waits"),
            relevanceScore: 75
        )
        let first = try Registry(path: path)
        let revision = try await first.write(.publish(id, .token(token), shown: nil, at: now))
        _ = try await first.write(.announce(id, content, at: now))
        _ = try await first.write(.confirm(id, stamp, at: now))
        _ = try await first.write(.end(id, .severe, dismissalDate: nil, at: now))
        _ = try await first.write(.end(id, .rideOver, dismissalDate: 1_700_000_999, at: now))
        _ = try await first.write(.end(id, .severe, dismissalDate: nil, at: now))
        await first.close()

        let second = try Registry(path: path)
        let stored = try #require(try second.load().first)
        #expect(stored.id == id)
        #expect(stored.token == PublishedToken(address: .token(token), revision: revision, publishedAt: now))
        #expect(stored.tokenState == .active)
        #expect(stored.confirmed == stamp)
        #expect(stored.announced == content)
        #expect(stored.end == .rideOver)
        #expect(stored.dismissalDate == 1_700_000_999)
        #expect(try await second.write(.withdraw(id, at: now)) > revision)
        await second.close()
    }

    @Test("a channel survives a restart; a token replaces it, and a channel a token")
    func channel() async throws {
        let (id, channel) = (try Fixture.id("match-1"), PushAddress.channel(try #require(ChannelID("AbC+/w=="))))
        let first = try Registry(path: path)
        _ = try await first.write(.publish(id, .token(token), shown: nil, at: now))
        let revision = try await first.write(.publish(id, channel, shown: nil, at: now))
        await first.close()
        let second = try Registry(path: path)
        let stored = try #require(try second.load().first)
        #expect(stored.token == PublishedToken(address: channel, revision: revision, publishedAt: now))
        _ = try await second.write(.publish(id, .token(token), shown: nil, at: now))
        #expect(try second.load().first?.token?.address == .token(token))
        _ = try await second.write(.publish(id, channel, shown: nil, at: now))
        _ = try await second.write(.withdraw(id, at: now))
        #expect(try second.load().first?.token == nil)
        await second.close()
    }

    @Test(
        "an invalid channel is damage",
        arguments: [
            ("channel = 'AbC', token = NULL", "is a text"), ("channel = x'00', token = NULL", "is 1 bytes"),
            ("channel = 'AbC+/w=='", "nothing, because there is a token"),
        ]
    )
    func damagedChannel(change: String, words: String) async throws {
        let registry = try Registry(path: path)
        try await publish("a", to: registry)
        await registry.close()
        try written(path, "UPDATE instance SET \(change)")
        let other = try Registry(path: path)
        let error = #expect(throws: RegistryError.self) { try other.load() }
        #expect(error?.description.contains("channel of instance a") == true)
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        await other.close()
    }

    @Test("a file of the first version is read, and accepts dismissal dates, alerts and relevance scores")
    func firstVersion() async throws {
        try SQLiteDatabase(path: path)
            .execute(
                """
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
        let registry = try Registry(path: path)
        let stored = try #require(try registry.load().first)
        #expect(stored.revision == 7)
        #expect(stored.end == .rideOver)
        #expect(stored.dismissalDate == nil)
        _ = try await registry.write(.end(stored.id, .rideOver, dismissalDate: 1_700_000_999, at: now))
        #expect(try registry.load().map(\.dismissalDate) == [1_700_000_999])
        let content = AnnouncedContent(
            stamp: ContentStamp(generatedAt: now, staleDate: .never),
            state: Array("{}".utf8),
            priority: .immediate,
            alert: PushAlert(title: "Here", body: "Your driver waits"),
            relevanceScore: 0.5
        )
        _ = try await registry.write(.announce(stored.id, content, at: now))
        #expect(try registry.load().map(\.announced) == [content])
        await registry.close()
    }

    // MARK: - Files that cannot be used

    /// Creates a registry of 200 instances and closes it.
    private func filled(_ path: String) async throws {
        let registry = try Registry(path: path)
        let content = Fixture.content(generated: now, stale: now + .minutes(5))
        for number in 0..<200 as Range<UInt32> {
            let id = try Fixture.id("ride-\(number)")
            registry.submit(.publish(id, .token(DeviceToken(ride: 1, number: number)), shown: content.stamp, at: now)) {
                _ in
            }
            registry.submit(.announce(id, content, at: now)) { _ in }
        }
        await registry.close()
        // All of it in one file.
        try SQLiteDatabase(path: path).execute("PRAGMA journal_mode = DELETE")
    }

    @Test("a file of a later version is refused and unchanged")
    func laterVersion() async throws {
        try await filled(path)
        try written(path, "INSERT INTO grdb_migrations VALUES ('9: something new')")
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(throws: RegistryError.laterVersion(path: path, unknown: ["9: something new"])) {
            try Registry(path: path)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test("a renamed column is detected before a row is read")
    func renamedColumn() async throws {
        try await filled(path)
        try written(path, "ALTER TABLE instance RENAME COLUMN end_decision TO ending")
        let finding = "its table has no end_decision and has ending"
        #expect(throws: RegistryError.damaged(path: path, finding: finding)) { try Registry(path: path) }
    }

    @Test(
        "an invalid value is detected and located",
        arguments: [
            ("token_state = 'active'", "token_state of instance ride-7 is a text; allowed: 0 to 3"),
            ("token_state = 4", "token_state of instance ride-7 is 4; allowed: 0 to 3"),
            (
                "token_state = 2",
                "token of instance ride-7 is 80 bytes; allowed: nothing, because its state is invalidated"
            ),
            ("token = NULL", "token of instance ride-7 is missing; allowed: a value, because published_us has one"),
            ("token = zeroblob(4000)", "token of instance ride-7 is 4000 bytes; allowed: 1 to 512 bytes"),
            (
                "revision = 9223372036854775807",
                "revision of instance ride-7 is 9223372036854775807; allowed: 0 to 4611686018427387904"
            ),
            ("published_us = -1", "published_us of instance ride-7 is -1; allowed: 0 to 8000000000000000"),
            (
                "published_us = 9223372036854775807",
                "published_us of instance ride-7 is 9223372036854775807; allowed: 0 to 8000000000000000"
            ),
            (
                "announced_generated_us = 9223372036854775807",
                "announced_generated_us of instance ride-7 is 9223372036854775807; allowed: 0 to 8000000000000000"
            ),
            (
                "changed_us = 9223372036854775807",
                "changed_us of instance ride-7 is 9223372036854775807; allowed: 0 to 8000000000000000"
            ),
            ("content_state = x'7b22'", "content_state of instance ride-7 is 2 bytes; allowed: a JSON object"),
            ("content_state = x'5b315d'", "content_state of instance ride-7 is 3 bytes; allowed: a JSON object"),
            (
                "alert = x'7b7d'",
                "alert of instance ride-7 is 2 bytes; allowed: a JSON object with the title and the body of an alert"
            ),
            ("relevance_score = 'high'", "relevance_score of instance ride-7 is a text; allowed: a finite number"),
            ("relevance_score = 9e999", "relevance_score of instance ride-7 is a fraction; allowed: a finite number"),
            ("priority = 7", "priority of instance ride-7 is 7; allowed: a value"),
            ("end_decision = 3", "end_decision of instance ride-7 is 3; allowed: 1 to 2"),
            (
                "announced_stale_us = NULL",
                "announced_stale_us of instance ride-7 is missing; allowed: a value, because announced_generated_us has one"
            ),
            ("changed_us = 1.5", "changed_us of instance ride-7 is a fraction; allowed: 0 to 8000000000000000"),
            ("id = 'ride 7'", "an id is a text; allowed: a text, \(InstanceID.rule)"),
        ]
    )
    func wrongValue(change: String, finding: String) async throws {
        try await filled(path)
        try written(path, "UPDATE instance SET \(change) WHERE id = 'ride-7'")
        let registry = try Registry(path: path)
        #expect(throws: RegistryError.damaged(path: path, finding: finding)) { try registry.load() }
        await registry.close()
    }

    /// A flipped bit in a token or a content leaves a valid token or content, because neither has a checksum.
    @Test("flipped bits are detected, or leave every instance in place", arguments: 0..<20)
    func flippedBits(block: Int) async throws {
        let seeds = Loop.isHostile ? 100 : 3
        let tally = HostileTally("flipped bits of a registry", checks: seeds)
        let whole = scratch.path("whole.sqlite")
        try await filled(whole)
        let good = try Data(contentsOf: URL(fileURLWithPath: whole))
        for seed in block * seeds..<(block + 1) * seeds {
            var bytes = good
            var draws = TestStream(seed: UInt64(seed))
            for _ in 0..<draws.number(1...8) {
                bytes[draws.next(below: bytes.count)] ^= 1 << UInt8(draws.next(below: 8))
            }
            let path = scratch.path("\(seed).sqlite")
            try bytes.write(to: URL(fileURLWithPath: path))
            do throws(RegistryError) {
                let registry = try Registry(path: path)
                let names = try registry.load().count
                #expect(tally.counts(names == 200), "seed \(seed): \(names)")
                await registry.close()
            } catch {
                let isRefusal =
                    switch error {
                    case .damaged, .unreadable, .foreign, .laterSchema, .laterVersion: true
                    case .inUse, .otherShard, .notWritten, .closed: false
                    }
                #expect(tally.counts(isRefusal), "seed \(seed): \(error)")
            }
        }
    }

    @Test("a deleted file accepts no more changes")
    func deleted() async throws {
        let registry = try Registry(path: path)
        let id = try Fixture.id("a")
        _ = try await registry.write(.publish(id, .token(token), shown: nil, at: now))
        try FileManager.default.removeItem(atPath: path)
        await #expect(
            throws: RegistryError.notWritten(
                reason: "its file was moved or deleted; restore it, or restart with a new file"
            )
        ) {
            try await registry.write(.withdraw(id, at: now))
        }
        await registry.close()
    }

    @Test("only the owner can access files with tokens, also files that were open to others", arguments: [false, true])
    func access(wasOpen: Bool) async throws {
        if wasOpen {
            try await filled(path)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        }
        let registry = try Registry(path: path)
        try await publish("a", to: registry)
        for suffix in ["", "-wal"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + suffix)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        await registry.close()
    }

    @Test("a withdrawn token is removed; one that replaced it before a refusal stays")
    func withdrawals() async throws {
        let registry = try Registry(path: path)
        let (withdrawn, replaced) = (try Fixture.id("a"), try Fixture.id("b"))
        _ = try await registry.write(.publish(withdrawn, .token(token), shown: nil, at: now))
        let old = try await registry.write(.publish(replaced, .token(token), shown: nil, at: now))
        _ = try await registry.write(.publish(replaced, .token(DeviceToken(ride: 1, number: 2)), shown: nil, at: now))
        _ = try await registry.write(.withdraw(withdrawn, at: now))
        _ = try await registry.write(.retire(replaced, revision: old, .discarded, at: now))
        let stored = try registry.load()
        #expect(stored.map(\.tokenState) == [.invalidated, .active])
        #expect(stored.map { $0.token?.token } == [nil, DeviceToken(ride: 1, number: 2)])
        await registry.close()
    }

    @Test("older content does not replace newer content")
    func olderContent() async throws {
        let registry = try Registry(path: path)
        let id = try Fixture.id("a")
        let newer = Fixture.content(generated: now + .seconds(1), stale: now + .minutes(1))
        _ = try await registry.write(.announce(id, newer, at: now))
        _ = try await registry.write(.announce(id, Fixture.content(generated: now, stale: .never), at: now))
        #expect(try registry.load().map(\.announced) == [newer])
        await registry.close()
    }

    @Test("a finished instance is deleted, unless it has changed meanwhile")
    func forgotten() async throws {
        let registry = try Registry(path: path)
        for name in ["old", "changed"] {
            _ = try await registry.write(.publish(try Fixture.id(name), .token(token), shown: nil, at: now))
        }
        _ = try await registry.write(.withdraw(try Fixture.id("changed"), at: now + .seconds(2)))
        for name in ["old", "changed"] {
            _ = try await registry.write(.forget(try Fixture.id(name), unchangedSince: now + .seconds(1)))
        }
        #expect(try registry.load().map(\.id.text) == ["changed"])
        await registry.close()
    }

    @Test("simultaneous changes share commits and keep their order")
    func groupCommit() async throws {
        let registry = try Registry(path: path)
        let id = try Fixture.id("a")
        let revisions = try await withThrowingTaskGroup(of: Int64.self) { group in
            for number in 0..<2000 as Range<UInt32> {
                group.addTask {
                    try await registry.write(
                        .publish(id, .token(DeviceToken(ride: 7, number: number)), shown: nil, at: now)
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

    @Test("a second monitor cannot open the file, and a file that is not a registry is refused")
    func refusals() async throws {
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

    // MARK: - Files of other programs

    /// Writes an SQLite file as another program would.
    private func written(_ path: String, _ sql: String) throws {
        try SQLiteDatabase(path: path).execute(sql)
    }

    /// Returns application id and user version.
    private func header(_ path: String) throws -> [Int32] {
        let file = try RegistryFile(SQLiteDatabase(path: path))
        return [file.applicationID, file.schema]
    }

    /// Returns all files of a directory, with their contents and permissions.
    private func contents() throws -> [String: [UInt8]] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.path)
            .reduce(into: [:]) { files, name in
                let path = scratch.path(name)
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                files["\(name) \(mode ?? -1)"] = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
            }
    }

    private func expectForeign(_ path: String, _ finding: String) {
        #expect(throws: RegistryError.foreign(path: path, finding: finding)) { try Registry(path: path) }
    }

    @Test(
        "a new file, an empty one and one without tables are accepted and get the mark",
        arguments: [nil, "", "VACUUM"]
    )
    func marked(sql: String?) async throws {
        if let sql {
            try Data().write(to: URL(fileURLWithPath: path))
            if !sql.isEmpty { try written(path, sql) }
        }
        await (try Registry(path: path)).close()
        #expect(try header(path) == [RegistryFile.mark, 5])
        await (try Registry(path: path)).close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["tokens.sqlite"])
    }

    @Test(
        "a file of another program is refused, and it and the files beside it are unchanged",
        arguments: [
            ("CREATE TABLE users (id INTEGER)", "it has the table \"users\""),
            ("PRAGMA journal_mode = WAL; CREATE TABLE users (id INTEGER)", "it has the table \"users\""),
            (
                "CREATE TABLE b (x); CREATE TABLE a (x); CREATE VIEW c AS SELECT x FROM b",
                "it has the table \"a\" and 2 more"
            ),
            ("CREATE TABLE instance (id TEXT)", "it has the table \"instance\""),
            ("PRAGMA application_id = 1234; CREATE TABLE users (id INTEGER)", "its application id is 0x4d2"),
            ("PRAGMA application_id = -2", "its application id is 0xfffffffe"),
            ("CREATE TABLE a (x); DROP TABLE a; PRAGMA user_version = 7", "its user version is 7"),
            (
                "CREATE TABLE grdb_migrations (identifier TEXT); INSERT INTO grdb_migrations VALUES ('v1')",
                "it has the table \"grdb_migrations\""
            ),
        ]
    )
    func foreign(sql: String, finding: String) throws {
        let path = scratch.path("app data #1?.sqlite")
        try written(path, sql)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let before = try contents()
        expectForeign(path, finding)
        #expect(try contents() == before)
    }

    @Test("an inspection creates no index for another program's file and log")
    func foreignWithLog() throws {
        let program = try SQLiteDatabase(path: scratch.path("app.sqlite"))
        try program.execute("CREATE TABLE users (id INTEGER); PRAGMA journal_mode = WAL; INSERT INTO users VALUES (1)")
        let path = scratch.path("left.sqlite")
        try withExtendedLifetime(program) { try Fixture.copyRegistry(scratch.path("app.sqlite"), to: path) }
        let before = try contents()
        expectForeign(path, "it has the table \"users\"")
        #expect(try contents() == before)
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
    }

    @Test("a program with its file open, and all its data in the log, loses nothing")
    func foreignAtWork() throws {
        let path = scratch.path("app.sqlite")
        let program = try SQLiteDatabase(path: path)
        try program.execute("PRAGMA journal_mode = WAL; CREATE TABLE users (id INTEGER)")
        let names = ["app.sqlite", "app.sqlite-wal"]
        let before = try names.map { try Data(contentsOf: URL(fileURLWithPath: scratch.path($0))) }
        expectForeign(path, "it has the table \"users\"")
        #expect(try names.map { try Data(contentsOf: URL(fileURLWithPath: scratch.path($0))) } == before)
        try program.execute("INSERT INTO users VALUES (1)")
    }

    @Test("a registry without the mark is read and gets it, also after a kill", arguments: [false, true])
    func unmarked(wasKilled: Bool) async throws {
        try await filled(path)
        try written(path, "PRAGMA application_id = 0; PRAGMA user_version = 0")
        var opened = path
        if wasKilled {
            let old = try SQLiteDatabase(path: path)
            try old.execute("PRAGMA journal_mode = WAL; UPDATE instance SET revision = revision")
            opened = scratch.path("left.sqlite")
            try withExtendedLifetime(old) { try Fixture.copyRegistry(path, to: opened) }
        }
        let before = try await loaded(path)
        #expect(before > 0)
        #expect(try await loaded(opened) == before)
        #expect(try header(opened) == [RegistryFile.mark, 5])
        #expect(!FileManager.default.fileExists(atPath: opened + "-shm"))
    }

    /// Returns the number of instances in a registry.
    private func loaded(_ path: String) async throws -> Int {
        let registry = try Registry(path: path)
        let count = try registry.load().count
        await registry.close()
        return count
    }

    @Test("a registry with tables of another program is refused, unless it has the mark")
    func mixed() async throws {
        try await filled(path)
        try written(path, "CREATE TABLE replica_state (position INTEGER)")
        #expect(try await loaded(path) > 0)
        try written(path, "PRAGMA application_id = 0")
        expectForeign(path, "it has the table \"replica_state\"")
    }

    @Test("a file of a later schema is refused and unchanged; the message says what to do")
    func laterSchema() async throws {
        try await filled(path)
        try written(path, "PRAGMA user_version = 6")
        let before = try contents()
        let error = try #require(throws: RegistryError.self) { try Registry(path: path) }
        #expect(error == .laterSchema(path: path, schema: 6))
        #expect(
            error.description
                == "\(path): was written by a later version of freshet monitor: its schema is 6; allowed: "
                + "up to 5; use that version, or another file"
        )
        #expect(try contents() == before)
    }
}
