import FreshnessCore
import LiveActivityModel
import Quantities
import Testing
import Wire

@testable import MonitorServer

@Suite("The monitor's state machine")
struct MonitorStateMachineTests {
    private let start = Instant(microseconds: 1_700_000_000_000_000)

    private func seconds(_ count: Int64) -> Instant { start + .seconds(count) }

    private func token(_ number: UInt32, revision: Int64, at instant: Instant) -> PublishedToken {
        PublishedToken(address: .token(DeviceToken(ride: 1, number: number)), revision: revision, publishedAt: instant)
    }

    private func machine(scanInterval: TimeSpan? = nil) throws -> MonitorStateMachine {
        var monitor = Scenario.Monitor()
        monitor.scanInterval = scanInterval
        return try Fixture.machine(monitor, at: start)
    }

    /// A state machine with a token and content of the start, which is stale after a minute.
    private func watching(scanInterval: TimeSpan? = nil) throws -> MonitorStateMachine {
        var machine = try machine(scanInterval: scanInterval)
        try publish(&machine, 1, revision: 1, now: 0)
        try announce(&machine, generated: 0, stale: 60, now: 0)
        return machine
    }

    /// Advances time second by second and answers every push at once; returns the events, each with its second.
    private func run(
        _ machine: inout MonitorStateMachine,
        through last: Int64,
        from first: Int64 = 0,
        answer: (OutgoingPush) -> PushOutcome = { _ in .unanswered }
    ) throws -> [String] {
        var lines: [String] = []
        for second in first...last {
            machine.advance(to: seconds(second))
            var actions = machine.takeActions()
            while !actions.changes.isEmpty || !actions.pushes.isEmpty {
                for change in actions.changes {
                    switch change {
                    case .end(let id, _, _, _):
                        lines.append("\(second) end recorded")
                        machine.endRecorded(id, at: seconds(second))
                    case .retire(_, _, let state, _): lines.append("\(second) token \(state)")
                    case .confirm: lines.append("\(second) confirmed")
                    case .publish, .withdraw, .announce, .forget: lines.append("\(second) unexpected")
                    }
                }
                for push in actions.pushes {
                    lines.append("\(second) \(push.kind)")
                    machine.answered(PushAnswer(number: push.number, outcome: answer(push)), at: seconds(second))
                }
                actions = machine.takeActions()
            }
        }
        return lines
    }

    private func announce(_ machine: inout MonitorStateMachine, generated: Int64, stale: Int64, now: Int64) throws {
        let content = Fixture.content(generated: seconds(generated), stale: seconds(stale))
        machine.contentAnnounced(content, for: try Fixture.id("r"), at: seconds(now))
    }

    @Test(
        "an event log has tokens, pushes with their answers, and ends, in the order of time; without one nothing is kept"
    )
    func eventLog() throws {
        for isLogged in [true, false] {
            var machine = try machine()
            machine.isLogged = isLogged
            var rows: [ServerEvent] = []
            func answer(_ outcome: PushOutcome, now: Int64) {
                let actions = machine.takeActions()
                rows += actions.rows
                for push in actions.pushes {
                    machine.answered(PushAnswer(number: push.number, outcome: outcome), at: seconds(now))
                }
                rows += machine.takeActions().rows
            }
            try publish(&machine, 1, revision: 1, now: 0)
            try announce(&machine, generated: 0, stale: 60, now: 1)
            answer(.accepted, now: 2)
            try announce(&machine, generated: 3, stale: 63, now: 3)
            answer(.refused(.unregistered, deadSince: nil), now: 4)
            try publish(&machine, 2, revision: 2, now: 5)
            answer(.unanswered, now: 6)
            machine.rideOver(try Fixture.id("r"), dismissalDate: nil, at: seconds(7))
            machine.advance(to: seconds(7))
            answer(.accepted, now: 8)
            guard isLogged else {
                #expect(rows.isEmpty)
                continue
            }
            #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.at <= $1.at })
            let entity = try Fixture.id("r").entity
            #expect(rows.allSatisfy { $0.ride == entity })
            let kinds: [ServerEvent.Kind] = [
                .tokenPosted, .push, .answer, .push, .answer, .tokenInvalidated, .tokenPosted, .push, .answer,
            ]
            #expect(Array(rows.map(\.kind).prefix(9)) == kinds)
            #expect(rows.contains { $0.kind == .rideEnded && $0.at == seconds(7) })
            #expect(rows.last?.kind == .tokenInvalidated)
            let pushes = rows.filter { $0.kind == .push }
            #expect(pushes[0].pushKind == .update && pushes[0].priority == 10 && pushes[0].payloadBytes > 50)
            #expect(pushes[0].generatedAt == seconds(0) && pushes[0].staleDate == seconds(60))
            let end = try #require(pushes.last { $0.pushKind == .end })
            #expect(end.generatedAt == .never && end.staleDate == .never)
            let answers = rows.filter { $0.kind == .answer }
            #expect(answers.prefix(3).map(\.status) == [200, 410, 0])
            #expect(answers[1].reason == UInt8(APNsReason.allCases.firstIndex(of: .unregistered) ?? 0))
            #expect(answers[0].push == pushes[0].push && answers[1].push == pushes[1].push)
            #expect(Set(pushes.map(\.push)).count == pushes.count)
        }
    }

    @Test("each push has its own random outcome at a stand-in, also pushes of one instance")
    func luck() throws {
        var machine = try watching()
        var ids: [RequestID] = []
        _ = try run(&machine, through: 600) { push in
            ids.append(push.requestID)
            return .unanswered
        }
        #expect(ids.count >= 4)
        #expect(Set(ids.map(\.ride)).count == 1)
        // Kind, number and attempt: an update and its repetition, then retries, then the end, whatever came before.
        let indices = ids.map { [$0.drawIndex >> 30, $0.drawIndex >> 5 & (1 << 25 - 1), $0.drawIndex & 31] }
        let retries = indices.filter { $0[0] == 1 && $0[2] == 0 }
        #expect(indices.first == [0, 0, 0])
        #expect(retries.map { $0[1] } == Array(0..<UInt32(retries.count)))
        #expect(retries.count > 1)
        #expect(indices.last?[0] == 2)
        #expect(Set(indices).count == ids.count)
        // Different content has a different number.
        var other = try self.machine()
        try publish(&other, 1, revision: 1, now: 0)
        try announce(&other, generated: 0, stale: 60, now: 0)
        try announce(&other, generated: 1, stale: 61, now: 1)
        #expect(other.takeActions().pushes.map { $0.requestID.drawIndex } == [0, 1 << 5])
        // The same content for another token has another attempt.
        try publish(&other, 2, revision: 2, now: 2)
        #expect(other.takeActions().pushes.map { $0.requestID.drawIndex } == [1 << 5 | 8])
    }

    private func publish(_ machine: inout MonitorStateMachine, _ number: UInt32, revision: Int64, now: Int64) throws {
        machine.tokenPublished(
            token(number, revision: revision, at: seconds(now)),
            for: try Fixture.id("r"),
            shown: nil,
            at: seconds(now)
        )
    }

    @Test(
        "an unreachable instance: retries on schedule, severe, ends on schedule",
        arguments: [nil, 1] as [Int64?]
    )
    func decline(scan: Int64?) throws {
        var machine = try watching(scanInterval: scan.map { .seconds($0) })
        var isFirst = true
        let lines = try run(&machine, through: 1200) { _ in
            defer { isFirst = false }
            return isFirst ? .accepted : .unanswered
        }
        #expect(
            lines == [
                "0 update", "0 confirmed", "180 retry", "200 retry", "240 retry",
                "480 end recorded", "480 end", "510 end", "600 end",
            ]
        )
        let view = try #require(machine.view(of: Fixture.id("r"), at: seconds(1200)))
        #expect(view.freshness == .severe)
        #expect(view.phase == .ending)
    }

    @Test(
        "an instance with a channel: one push to the channel for each content, retry and end; APNs may have deleted it"
    )
    func channel() throws {
        func watching() throws -> MonitorStateMachine {
            var machine = try machine()
            let channel = try #require(ChannelID("AbC+/w=="))
            let published = PublishedToken(address: .channel(channel), revision: 1, publishedAt: start)
            machine.tokenPublished(published, for: try Fixture.id("r"), shown: nil, at: start)
            try announce(&machine, generated: 0, stale: 60, now: 0)
            return machine
        }
        var (unreachable, addresses) = (try watching(), [PushAddress]())
        let lines = try run(&unreachable, through: 1200) { push in
            addresses.append(push.token.address)
            return addresses.count == 1 ? .accepted : .unanswered
        }
        #expect(
            lines == [
                "0 update", "0 confirmed", "180 retry", "200 retry", "240 retry",
                "480 end recorded", "480 end", "510 end", "600 end",
            ]
        )
        #expect(Set(addresses) == [.channel(try #require(ChannelID("AbC+/w==")))])
        var deleted = try watching()
        let rest = try run(&deleted, through: 600) { _ in .refused(.channelNotRegistered, deadSince: nil) }
        #expect(rest == ["0 update", "0 token discarded"])
    }

    @Test("a successful end removes the token permanently")
    func ending() throws {
        var machine = try watching()
        let lines = try run(&machine, through: 1200) { $0.kind == .retry ? .unanswered : .accepted }
        #expect(lines.suffix(3) == ["480 end recorded", "480 end", "480 token invalidated"])
        // The decision is final: an instance that later publishes a token is ended.
        try publish(&machine, 2, revision: 2, now: 1300)
        let afterAll = try run(&machine, through: 1300, from: 1300) { _ in .accepted }
        #expect(afterAll == ["1300 end", "1300 token invalidated"])
        #expect(
            machine.reception(of: Fixture.content(generated: .never, stale: .never), for: try Fixture.id("r")) == .ended
        )
    }

    @Test("a successful retry makes the instance fresh again, and renewable content lasts longer")
    func recovery() throws {
        var machine = try machine(scanInterval: .seconds(1))
        try publish(&machine, 1, revision: 1, now: 0)
        var content = Fixture.content(generated: seconds(0), stale: seconds(60))
        content.announcement.renewal = .seconds(100)
        machine.contentAnnounced(content, for: try Fixture.id("r"), at: start)
        let lines = try run(&machine, through: 500) { _ in .accepted }
        #expect(
            lines == [
                "0 update", "0 confirmed", "180 retry", "180 confirmed",
                "400 retry", "400 confirmed",
            ]
        )
        #expect(machine.counts.recovered == 2)
    }

    @Test("an invalid token is discarded, unless it was published again after APNs found it invalid")
    func deadTokens() throws {
        let id = try Fixture.id("r")
        var machine = try machine()
        try publish(&machine, 1, revision: 1, now: 0)
        try announce(&machine, generated: 0, stale: 60, now: 10)
        var lines = try run(&machine, through: 10, from: 10) { _ in
            .refused(.unregistered, deadSince: self.seconds(-1))
        }
        #expect(lines == ["10 update"])
        #expect(machine.view(of: id, at: start)?.token == .active)
        try announce(&machine, generated: 1, stale: 61, now: 11)
        lines = try run(&machine, through: 11, from: 11) { _ in
            .refused(.unregistered, deadSince: self.seconds(5))
        }
        #expect(lines == ["11 update", "11 token discarded"])
        #expect(machine.view(of: id, at: start)?.token == .discarded)
        lines = try run(&machine, through: 900, from: 12)
        #expect(lines == [])
        // The same activity under a new token, which has not received the newest content.
        try publish(&machine, 2, revision: 2, now: 901)
        lines = try run(&machine, through: 901, from: 901)
        #expect(lines.first == "901 update")
    }

    @Test("answers about a replaced token change nothing")
    func lateAnswers() throws {
        var machine = try watching()
        let pushes = machine.takeActions().pushes
        let push = try #require(pushes.first)
        try publish(&machine, 2, revision: 2, now: 1)
        _ = machine.takeActions()
        let refusal = PushOutcome.refused(.badDeviceToken, deadSince: nil)
        let answer = PushAnswer(number: push.number, outcome: refusal)
        let isNews = [machine.answered(answer, at: seconds(2)), machine.answered(answer, at: seconds(2))]
        #expect(isNews == [true, false])
        let changes = machine.takeActions().changes
        #expect(changes.isEmpty)
        #expect(machine.view(of: try Fixture.id("r"), at: start)?.token == .active)
    }

    @Test("after a withdrawal nothing is sent until a later token, whatever happens")
    func withdrawal() throws {
        let id = try Fixture.id("r")
        var machine = try watching()
        let underWay = machine.takeActions().pushes.map(\.number)
        let waited = machine.tokenWithdrawn(from: id, at: seconds(1))
        #expect(waited == underWay)
        // A publication that became durable before the withdrawal, and is reported late.
        try publish(&machine, 2, revision: 2, now: 1)
        let more = machine.tokenWithdrawn(from: id, revision: 3, at: seconds(1))
        #expect(more.starts(with: underWay))
        _ = machine.takeActions()
        try publish(&machine, 3, revision: 2, now: 1)
        for number in underWay {
            machine.answered(PushAnswer(number: number, outcome: .notProcessed), at: seconds(1))
        }
        try announce(&machine, generated: 5, stale: 65, now: 5)
        let quiet = try run(&machine, through: 1200, from: 2)
        #expect(quiet == [])
        try publish(&machine, 4, revision: 4, now: 1201)
        let lines = try run(&machine, through: 1201, from: 1201)
        #expect(lines.first == "1201 update")
    }

    @Test("a push that APNs had not processed is sent once more, and only once")
    func notProcessed() throws {
        var machine = try watching()
        let lines = try run(&machine, through: 10) { _ in .notProcessed }
        #expect(lines == ["0 update", "0 update"])
        #expect(machine.counts.repeated == 1)
        #expect(machine.counts.unanswered == 1)
    }

    @Test("a lapse waits for a scan, the end of a ride does not")
    func scansAndEnds() throws {
        var machine = try watching(scanInterval: .seconds(50))
        var lines = try run(&machine, through: 219) { $0.kind == .update ? .accepted : .unanswered }
        #expect(lines == ["0 update", "0 confirmed", "200 retry", "200 retry"])
        machine.rideOver(try Fixture.id("r"), dismissalDate: 1_700_000_999, at: seconds(220))
        lines = try run(&machine, through: 260, from: 220)
        #expect(lines == ["220 end", "250 end"])
    }

    @Test("after a restart beliefs are kept, announced content is sent, and an end continues")
    func restart() throws {
        var machine = try machine()
        let stamp = ContentStamp(generatedAt: seconds(-100), staleDate: seconds(60))
        for (name, end) in [("live", nil), ("ending", EndDecision.severe)] as [(String, EndDecision?)] {
            machine.restore(
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
        machine.restore(
            StoredInstance(id: try Fixture.id("gone"), revision: 6, tokenState: .invalidated, confirmed: stamp),
            at: start
        )
        machine.advance(to: start)
        let pushes = machine.takeActions().pushes
        #expect(pushes.map(\.kind) == [.update, .end])
        #expect(
            machine.page(of: nil, from: 0, limit: 9, at: start).instances.map(\.phase) == [.live, .ending, .closed]
        )
    }

    @Test("after a restart with a clock that went back, timestamps still increase, so phones accept pushes")
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
        var machine = try Fixture.machine(at: Instant(microseconds: start.microseconds - day.microseconds))
        machine.restore(stored, at: Instant(microseconds: start.microseconds - day.microseconds))
        machine.advance(to: Instant(microseconds: start.microseconds - day.microseconds))
        let ends = machine.takeActions().pushes
        #expect(ends.map(\.kind) == [.end])
        #expect(ends.allSatisfy { $0.decision.timestamp > start.microseconds / 1_000_000 })
    }

    @Test("content that joins a waiting push counts for its own watch")
    func joinedWatch() throws {
        let id = try Fixture.id("r")
        var machine = try machine()
        machine.connected(false, at: start)
        try publish(&machine, 1, revision: 1, now: 0)
        try announce(&machine, generated: 0, stale: 60, now: 0)
        _ = machine.tokenWithdrawn(from: id, at: seconds(1))
        _ = machine.tokenWithdrawn(from: id, revision: 2, at: seconds(1))
        try publish(&machine, 2, revision: 3, now: 2)
        try announce(&machine, generated: 3, stale: 63, now: 3)
        machine.connected(true, at: seconds(4))
        let pushes = machine.takeActions().pushes
        #expect(pushes.map(\.kind) == [.update])
        machine.answered(PushAnswer(number: pushes[0].number, outcome: .accepted), at: seconds(5))
        #expect(machine.view(of: id, at: seconds(5))?.shown?.generatedAt == seconds(3))
    }

    @Test("a waiting end carries a dismissal date that arrives meanwhile")
    func joinedEnd() throws {
        let id = try Fixture.id("r")
        var machine = try machine()
        try publish(&machine, 1, revision: 1, now: 0)
        machine.connected(false, at: start)
        machine.rideOver(id, dismissalDate: nil, at: seconds(1))
        machine.rideOver(id, dismissalDate: 1_700_000_999, at: seconds(2))
        try publish(&machine, 2, revision: 2, now: 3)
        machine.advance(to: seconds(4))
        machine.connected(true, at: seconds(5))
        let ends = machine.takeActions().pushes.filter { $0.kind == .end }
        #expect(ends.count == 1)
        #expect(ends.allSatisfy { String(decoding: $0.payload, as: UTF8.self).contains("1700000999") })
    }

    @Test("an end created while one waits takes no number: the next end has the next one, as in the simulator")
    func coalescedEnd() throws {
        let id = try Fixture.id("r")
        var machine = try machine()
        try publish(&machine, 1, revision: 1, now: 0)
        machine.connected(false, at: start)
        machine.rideOver(id, dismissalDate: nil, at: seconds(1))
        var pushes: [OutgoingPush] = []
        for second in 2...900 as ClosedRange<Int64> {
            if second == 60 { machine.connected(true, at: seconds(second)) }
            machine.advance(to: seconds(second))
            let taken = machine.takeActions().pushes
            for push in taken {
                machine.answered(PushAnswer(number: push.number, outcome: .unanswered), at: seconds(second))
            }
            pushes += taken
        }
        #expect(machine.counts.notSent[.coalesced, default: 0] > 0)
        var numbers = PushNumbers()
        #expect(pushes.count > 1)
        #expect(pushes.map(\.decision.requestIndex) == pushes.map { _ in numbers.takeRequestIndex(for: .end) })
    }
}
