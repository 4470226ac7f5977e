import FreshnessCore
import LiveActivityModel
import Quantities
import Testing
import Wire

@testable import MonitorServer

@Suite("The monitor's brain")
struct MonitorBrainTests {
    private let start = Instant(microseconds: 1_700_000_000_000_000)

    private func seconds(_ count: Int64) -> Instant { start + .seconds(count) }

    private func token(_ number: UInt32, revision: Int64, at instant: Instant) -> PublishedToken {
        PublishedToken(token: DeviceToken(ride: 1, number: number), revision: revision, publishedAt: instant)
    }

    private func brain(scanInterval: TimeSpan? = nil) throws -> MonitorBrain {
        var monitor = Scenario.Monitor()
        monitor.scanInterval = scanInterval
        return try Fixture.brain(monitor, at: start)
    }

    /// What happened when, in seconds since the start.
    private struct Line: Equatable, CustomStringConvertible {
        let second: Int64
        let text: String

        init(_ second: Int64, _ text: String) {
            self.second = second
            self.text = text
        }

        var description: String { "\(second) \(text)" }
    }

    /// Lets time pass second by second and answers every push at once.
    private func run(
        _ brain: inout MonitorBrain,
        through last: Int64,
        from first: Int64 = 0,
        answer: (OutgoingPush) -> PushOutcome = { _ in .unanswered }
    ) throws -> [Line] {
        var lines: [Line] = []
        for second in first...last {
            brain.advance(to: seconds(second))
            var actions = brain.takeActions()
            while !actions.changes.isEmpty || !actions.pushes.isEmpty {
                for change in actions.changes {
                    switch change {
                    case .end(let id, _, _, _):
                        lines.append(Line(second, "end recorded"))
                        brain.endRecorded(id, at: seconds(second))
                    case .retire(_, _, let state, _): lines.append(Line(second, "token \(state.name)"))
                    case .confirm: lines.append(Line(second, "confirmed"))
                    case .publish, .withdraw, .announce, .forget: lines.append(Line(second, "unexpected"))
                    }
                }
                for push in actions.pushes {
                    lines.append(Line(second, "\(push.kind)"))
                    brain.answered(PushAnswer(number: push.number, outcome: answer(push)), at: seconds(second))
                }
                actions = brain.takeActions()
            }
        }
        return lines
    }

    private func announce(_ brain: inout MonitorBrain, generated: Int64, stale: Int64, now: Int64) throws {
        let content = Fixture.content(generated: seconds(generated), stale: seconds(stale))
        brain.contentAnnounced(content, for: try Fixture.id("r"), at: seconds(now))
    }

    @Test("each push has luck of its own at a stand-in, those of one instance too")
    func luck() throws {
        var brain = try brain()
        try publish(&brain, 1, revision: 1, now: 0)
        try announce(&brain, generated: 0, stale: 60, now: 0)
        var ids: [RequestID] = []
        _ = try run(&brain, through: 600) { push in
            ids.append(push.requestID)
            return .unanswered
        }
        #expect(ids.count >= 4)
        #expect(Set(ids.map(\.ride)).count == 1)
        // Kind, number and attempt: an update and its repetition, then retries, then the end; whatever came before.
        let indices = ids.map { [$0.drawIndex >> 30, $0.drawIndex >> 5 & (1 << 25 - 1), $0.drawIndex & 31] }
        let retries = indices.filter { $0[0] == 1 && $0[2] == 0 }
        #expect(indices.first == [0, 0, 0])
        #expect(retries.map { $0[1] } == Array(0..<UInt32(retries.count)))
        #expect(retries.count > 1)
        #expect(indices.last?[0] == 2)
        #expect(Set(indices).count == ids.count)
        // Another content is another number.
        var other = try self.brain()
        try publish(&other, 1, revision: 1, now: 0)
        try announce(&other, generated: 0, stale: 60, now: 0)
        try announce(&other, generated: 1, stale: 61, now: 1)
        #expect(other.takeActions().pushes.map { $0.requestID.drawIndex } == [0, 1 << 5])
        // The same content for another token has another attempt.
        try publish(&other, 2, revision: 2, now: 2)
        #expect(other.takeActions().pushes.map { $0.requestID.drawIndex } == [1 << 5 | 8])
    }

    private func publish(_ brain: inout MonitorBrain, _ number: UInt32, revision: Int64, now: Int64) throws {
        brain.tokenPublished(
            token(number, revision: revision, at: seconds(now)),
            for: try Fixture.id("r"),
            shown: nil,
            at: seconds(now)
        )
    }

    @Test(
        "an instance that nothing reaches: retries on schedule, severe, ends on schedule",
        arguments: [nil, 1] as [Int64?]
    )
    func decline(scan: Int64?) throws {
        var brain = try brain(scanInterval: scan.map { .seconds($0) })
        try publish(&brain, 1, revision: 1, now: 0)
        try announce(&brain, generated: 0, stale: 60, now: 0)
        var isFirst = true
        let lines = try run(&brain, through: 1200) { _ in
            defer { isFirst = false }
            return isFirst ? .accepted : .unanswered
        }
        #expect(
            lines == [
                Line(0, "update"), Line(0, "confirmed"), Line(180, "retry"), Line(200, "retry"), Line(240, "retry"),
                Line(480, "end recorded"), Line(480, "end"), Line(510, "end"), Line(600, "end"),
            ]
        )
        let view = try #require(brain.view(of: Fixture.id("r"), at: seconds(1200)))
        #expect(view.freshness == .severe)
        #expect(view.phase == "ending")
    }

    @Test("an end that works takes the token away, for good")
    func ending() throws {
        var brain = try brain()
        try publish(&brain, 1, revision: 1, now: 0)
        try announce(&brain, generated: 0, stale: 60, now: 0)
        let lines = try run(&brain, through: 1200) { $0.kind == .retry ? .unanswered : .accepted }
        #expect(lines.suffix(3) == [Line(480, "end recorded"), Line(480, "end"), Line(480, "token invalidated")])
        // The decision stands: an instance that comes after all with a token is ended.
        try publish(&brain, 2, revision: 2, now: 1300)
        let afterAll = try run(&brain, through: 1300, from: 1300) { _ in .accepted }
        #expect(afterAll == [Line(1300, "end"), Line(1300, "token invalidated")])
        #expect(
            brain.reception(of: Fixture.content(generated: .never, stale: .never), for: try Fixture.id("r")) == .ended
        )
    }

    @Test("a retry that works brings the instance back, content that may be renewed for longer")
    func recovery() throws {
        var brain = try brain(scanInterval: .seconds(1))
        try publish(&brain, 1, revision: 1, now: 0)
        var content = Fixture.content(generated: seconds(0), stale: seconds(60))
        content.announcement.renewal = .seconds(100)
        brain.contentAnnounced(content, for: try Fixture.id("r"), at: start)
        let lines = try run(&brain, through: 500) { _ in .accepted }
        #expect(
            lines == [
                Line(0, "update"), Line(0, "confirmed"), Line(180, "retry"), Line(180, "confirmed"),
                Line(400, "retry"), Line(400, "confirmed"),
            ]
        )
        #expect(brain.counts.recovered == 2)
    }

    @Test("a dead token is discarded, unless it was published again since it was found dead")
    func deadTokens() throws {
        let id = try Fixture.id("r")
        var brain = try brain()
        try publish(&brain, 1, revision: 1, now: 0)
        try announce(&brain, generated: 0, stale: 60, now: 10)
        var lines = try run(&brain, through: 10, from: 10) { _ in
            .refused(.unregistered, deadSince: self.seconds(-1))
        }
        #expect(lines == [Line(10, "update")])
        #expect(brain.view(of: id, at: start)?.token == .active)
        try announce(&brain, generated: 1, stale: 61, now: 11)
        lines = try run(&brain, through: 11, from: 11) { _ in
            .refused(.unregistered, deadSince: self.seconds(5))
        }
        #expect(lines == [Line(11, "update"), Line(11, "token discarded")])
        #expect(brain.view(of: id, at: start)?.token == .discarded)
        lines = try run(&brain, through: 900, from: 12)
        #expect(lines == [])
        // The same activity under a new token, for which the newest content is news.
        try publish(&brain, 2, revision: 2, now: 901)
        lines = try run(&brain, through: 901, from: 901)
        #expect(lines.first == Line(901, "update"))
    }

    @Test("answers about a token that was replaced change nothing")
    func lateAnswers() throws {
        var brain = try brain()
        try publish(&brain, 1, revision: 1, now: 0)
        try announce(&brain, generated: 0, stale: 60, now: 0)
        let pushes = brain.takeActions().pushes
        let push = try #require(pushes.first)
        try publish(&brain, 2, revision: 2, now: 1)
        _ = brain.takeActions()
        let refusal = PushOutcome.refused(.badDeviceToken, deadSince: nil)
        let answer = PushAnswer(number: push.number, outcome: refusal)
        let isNews = [brain.answered(answer, at: seconds(2)), brain.answered(answer, at: seconds(2))]
        #expect(isNews == [true, false])
        let changes = brain.takeActions().changes
        #expect(changes.isEmpty)
        #expect(brain.view(of: try Fixture.id("r"), at: start)?.token == .active)
    }

    @Test("after a withdrawal nothing is sent, whatever comes, until a later token")
    func withdrawal() throws {
        let id = try Fixture.id("r")
        var brain = try brain()
        try publish(&brain, 1, revision: 1, now: 0)
        try announce(&brain, generated: 0, stale: 60, now: 0)
        let underWay = brain.takeActions().pushes.map(\.number)
        let waited = brain.tokenWithdrawn(from: id, at: seconds(1))
        #expect(waited == underWay)
        // A publication that became durable before the withdrawal, and is told of late.
        try publish(&brain, 2, revision: 2, now: 1)
        let more = brain.tokenWithdrawn(from: id, revision: 3, at: seconds(1))
        #expect(more.starts(with: underWay))
        _ = brain.takeActions()
        try publish(&brain, 3, revision: 2, now: 1)
        for number in underWay {
            brain.answered(PushAnswer(number: number, outcome: .notProcessed), at: seconds(1))
        }
        try announce(&brain, generated: 5, stale: 65, now: 5)
        let quiet = try run(&brain, through: 1200, from: 2)
        #expect(quiet == [])
        try publish(&brain, 4, revision: 4, now: 1201)
        let lines = try run(&brain, through: 1201, from: 1201)
        #expect(lines.first == Line(1201, "update"))
    }

    @Test("a push with which APNs had not begun is sent once more, and only once")
    func notProcessed() throws {
        var brain = try brain()
        try publish(&brain, 1, revision: 1, now: 0)
        try announce(&brain, generated: 0, stale: 60, now: 0)
        let lines = try run(&brain, through: 10) { _ in .notProcessed }
        #expect(lines == [Line(0, "update"), Line(0, "update")])
        #expect(brain.counts.repeated == 1)
        #expect(brain.counts.unanswered == 1)
    }

    @Test("the end of a ride waits for no scan; a lapse does")
    func scansAndEnds() throws {
        var brain = try brain(scanInterval: .seconds(50))
        try publish(&brain, 1, revision: 1, now: 0)
        try announce(&brain, generated: 0, stale: 60, now: 0)
        var lines = try run(&brain, through: 219) { $0.kind == .update ? .accepted : .unanswered }
        #expect(lines == [Line(0, "update"), Line(0, "confirmed"), Line(200, "retry"), Line(200, "retry")])
        brain.rideOver(try Fixture.id("r"), dismissalDate: 1_700_000_999, at: seconds(220))
        lines = try run(&brain, through: 260, from: 220)
        #expect(lines == [Line(220, "end"), Line(250, "end")])
    }

    @Test("a restart: what was believed is believed, what was announced is sent, an end goes on")
    func restart() throws {
        var brain = try brain()
        let stamp = ContentStamp(generatedAt: seconds(-100), staleDate: seconds(60))
        for (name, end) in [("live", nil), ("ending", EndDecision.severe)] as [(String, EndDecision?)] {
            brain.restore(
                StoredInstance(
                    id: try Fixture.id(name),
                    revision: 5,
                    tokenState: .active,
                    token: token(1, revision: 5, at: start),
                    confirmed: stamp,
                    announced: Fixture.content(generated: seconds(-10), stale: seconds(90)),
                    end: end
                ),
                at: start
            )
        }
        brain.restore(
            StoredInstance(id: try Fixture.id("gone"), revision: 6, tokenState: .invalidated, confirmed: stamp),
            at: start
        )
        brain.advance(to: start)
        let pushes = brain.takeActions().pushes
        #expect(pushes.map(\.kind) == [.update, .end])
        #expect(
            brain.page(of: nil, from: 0, limit: 9, at: start).instances.map(\.phase) == ["live", "ending", "closed"]
        )
    }

    @Test("after a restart with a clock that went back, phones still take what is pushed: timestamps rise")
    func clockBack() throws {
        let day = TimeSpan.hours(24)
        var stored = StoredInstance(
            id: try Fixture.id("r"),
            revision: 5,
            tokenState: .active,
            token: token(1, revision: 5, at: start),
            announced: Fixture.content(generated: seconds(-10), stale: seconds(90)),
            end: .rideOver
        )
        stored.changedAt = start
        var brain = try Fixture.brain(at: Instant(microseconds: start.microseconds - day.microseconds))
        brain.restore(stored, at: Instant(microseconds: start.microseconds - day.microseconds))
        brain.advance(to: Instant(microseconds: start.microseconds - day.microseconds))
        let ends = brain.takeActions().pushes
        #expect(ends.map(\.kind) == [.end])
        #expect(ends.allSatisfy { $0.decision.timestamp > start.microseconds / 1_000_000 })
    }

    @Test("content that joins a push which waits counts for the watch that it belongs to")
    func joinedWatch() throws {
        let id = try Fixture.id("r")
        var brain = try brain()
        brain.connected(false, at: start)
        try publish(&brain, 1, revision: 1, now: 0)
        try announce(&brain, generated: 0, stale: 60, now: 0)
        _ = brain.tokenWithdrawn(from: id, at: seconds(1))
        _ = brain.tokenWithdrawn(from: id, revision: 2, at: seconds(1))
        try publish(&brain, 2, revision: 3, now: 2)
        try announce(&brain, generated: 3, stale: 63, now: 3)
        brain.connected(true, at: seconds(4))
        let pushes = brain.takeActions().pushes
        #expect(pushes.map(\.kind) == [.update])
        brain.answered(PushAnswer(number: pushes[0].number, outcome: .accepted), at: seconds(5))
        #expect(brain.view(of: id, at: seconds(5))?.shown?.generatedAt == seconds(3))
    }

    @Test("an end that waits carries the dismissal date that came meanwhile")
    func joinedEnd() throws {
        let id = try Fixture.id("r")
        var brain = try brain()
        try publish(&brain, 1, revision: 1, now: 0)
        brain.connected(false, at: start)
        brain.rideOver(id, dismissalDate: nil, at: seconds(1))
        brain.rideOver(id, dismissalDate: 1_700_000_999, at: seconds(2))
        try publish(&brain, 2, revision: 2, now: 3)
        brain.advance(to: seconds(4))
        brain.connected(true, at: seconds(5))
        let ends = brain.takeActions().pushes.filter { $0.kind == .end }
        #expect(ends.count == 1)
        #expect(ends.allSatisfy { String(decoding: $0.payload, as: UTF8.self).contains("1700000999") })
    }
}
