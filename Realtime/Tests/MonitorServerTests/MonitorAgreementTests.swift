import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel
import TestSupport
import Testing
import Wire

@testable import MonitorServer

/// Many instances with random histories: the state machine, with its table, heap and late entries, sends exactly the
/// pushes of one station per instance if all stations are checked every second.
///
/// This compares table, heap and late entries with an exhaustive scan; ``MonitorSimulationTests`` compares the state
/// machine with the simulator.
@Suite("The state machine agrees with its stations")
struct MonitorAgreementTests {
    /// A host without table and deadlines: one station per instance, all checked every second.
    private struct LookingAtAll {
        struct Sent: Hashable {
            let row: Int
            let push: RemoteMonitorStation.Push

            /// Requests that repeat one have the following numbers; other requests are eight apart.
            var isRepeat: Bool { push.requestIndex % 8 > 0 }
        }

        let ids: [InstanceID]
        let rules: MonitorRules
        let random: RandomSource
        var budget: RetryBudget?
        var stations: [RemoteMonitorStation]
        var sent: [Sent] = []

        init(_ ids: [InstanceID], _ rules: MonitorRules, seed: UInt64) {
            self.ids = ids
            self.rules = rules
            random = RandomSource(seed: seed, replication: 0)
            stations = ids.map { _ in RemoteMonitorStation() }
        }

        mutating func send(_ row: Int, _ push: RemoteMonitorStation.Push?) {
            if let push { sent.append(Sent(row: row, push: push)) }
        }

        mutating func publish(_ row: Int, at now: Instant) {
            let publication = stations[row].tokenPublished(publishedAt: now, shown: nil, at: now, rules)
            if case .watched(sendsContent: true) = publication { send(row, stations[row].update()) }
        }

        mutating func announce(_ row: Int, _ announcement: Announcement, at now: Instant) {
            let reception = stations[row].contentAnnounced(announcement, at: now, rules)
            if case .new(isSent: true) = reception { send(row, stations[row].update()) }
        }

        mutating func answered(_ sent: Sent, _ outcome: PushOutcome, at now: Instant) {
            switch outcome {
            case .accepted: _ = stations[sent.row].accepted(sent.push, at: now, rules)
            case .refused(let reason, let deadSince):
                _ = stations[sent.row].refused(sent.push, reason, deadSince: deadSince, at: now, rules)
            case .notProcessed where !sent.isRepeat:
                var again = stations[sent.row].addressed(sent.push)
                again?.repeated()
                send(sent.row, again)
            case .notProcessed: break
            case .unanswered: break
            }
        }

        mutating func lookAtAll(at now: Instant) {
            for row in stations.indices {
                while stations[row].monitor.nextCheck(at: now, rules) <= now {
                    var action: MonitorStation.Action
                    repeat {
                        let draw = random.pauseDraw(entity: ids[row].entity, count: stations[row].monitor.wakeCount)
                        action = stations[row].act(at: now, rules, budget: &budget, draw: draw)
                        switch action {
                        case .retry(let priority): send(row, stations[row].retry(priority, at: now))
                        case .sendEnd: send(row, stations[row].end(at: now))
                        case .becameSevere: _ = stations[row].decisionRecorded()
                        case .nothing, .becameRecoverable, .withholdRetry: break
                        }
                    } while action.continues
                }
            }
        }
    }

    @Test("whole seconds, random worlds; the state machine scans", arguments: 0..<40 as Range<UInt64>)
    func scanning(seed: UInt64) throws {
        try compare(seed: seed, scans: true)
    }

    @Test("whole seconds, random worlds; the state machine acts at deadlines", arguments: 100..<140 as Range<UInt64>)
    func deadlines(seed: UInt64) throws {
        try compare(seed: seed, scans: false)
    }

    private func compare(seed: UInt64, scans: Bool) throws {
        var draws = TestStream(seed: seed)
        let start = Instant(microseconds: 1_700_000_000_000_000)
        var monitor = Scenario.Monitor()
        monitor.freshLimit = .seconds(draws.number(0...5))
        monitor.recoveryWindow = .seconds(draws.number(1...40))
        monitor.retry.maxAttempts = draws.yes(80) ? Int(draws.number(0...4)) : nil
        monitor.retry.backoff.base = .seconds(draws.number(1...6))
        monitor.retry.backoff.cap = .seconds(30)
        // Jitter puts deadlines between seconds, which only a scan rounds.
        monitor.retry.jitter = scans && draws.yes(50) ? .full : .none
        monitor.retry.priorities = [.considerate, .immediate]
        monitor.endSchedule = [.zero, .seconds(3), .seconds(9)]
        monitor.scanInterval = scans ? .seconds(1) : nil
        let ids = try (0..<30).map { try Fixture.id("ride-\($0)") }
        var plain = LookingAtAll(ids, try MonitorRules(monitor, survivesRestarts: true), seed: 9)
        var machine = try Fixture.machine(monitor, seed: 9, at: start)
        // Rows in the same order for both, whichever comes first.
        for id in ids { _ = machine.rowMaking(id, at: start) }
        var revision: Int64 = 0
        var open: [(push: OutgoingPush, twin: LookingAtAll.Sent, due: Int64)] = []
        var total = 0
        for second in 0..<300 as Range<Int64> {
            let now = start + .seconds(second)
            var machineSent: [OutgoingPush] = []
            func take(_ machine: inout MonitorStateMachine) {
                var actions = machine.takeActions()
                while !actions.pushes.isEmpty || !actions.changes.isEmpty {
                    machineSent += actions.pushes
                    for case .end(let id, _, _, _) in actions.changes { machine.endRecorded(id, at: now) }
                    actions = machine.takeActions()
                }
            }
            for (push, twin, _) in open.filter({ $0.due == second }) {
                let outcome = outcome(&draws, at: now)
                machine.answered(PushAnswer(number: push.number, outcome: outcome), at: now)
                plain.answered(twin, outcome, at: now)
            }
            open.removeAll { $0.due == second }
            for row in ids.indices {
                if draws.yes(3) {
                    revision += 1
                    plain.publish(row, at: now)
                    let token = DeviceToken(ride: UInt64(row), number: UInt32(revision))
                    machine.tokenPublished(
                        PublishedToken(address: .token(token), revision: revision, publishedAt: now),
                        for: ids[row],
                        shown: nil,
                        at: now
                    )
                }
                if draws.yes(5) {
                    let stamp = ContentStamp(generatedAt: now, staleDate: now + .seconds(draws.number(-5...30)))
                    let content = AnnouncedContent(
                        stamp: stamp,
                        state: Array("{}".utf8),
                        priority: .immediate,
                        renewal: draws.yes(30) ? .seconds(20) : nil
                    )
                    plain.announce(row, content.announcement, at: now)
                    machine.contentAnnounced(content, for: ids[row], at: now)
                }
                if draws.next(below: 400) == 0 {
                    _ = plain.stations[row].rideOver(at: now)
                    machine.rideOver(ids[row], dismissalDate: nil, at: now)
                }
                if draws.next(below: 200) == 0 {
                    revision += 1
                    plain.stations[row].withdrawn()
                    _ = machine.tokenWithdrawn(from: ids[row], at: now)
                    _ = machine.tokenWithdrawn(from: ids[row], revision: revision, at: now)
                }
            }
            machine.advance(to: now)
            take(&machine)
            plain.lookAtAll(at: now)
            machineSent.sort { ($0.row, $0.kind.rawValue, $0.number) < ($1.row, $1.kind.rawValue, $1.number) }
            let ours = machineSent.map { LookingAtAll.Sent(row: $0.row, push: $0.decision) }
            let theirs = plain.sent.enumerated()
                .sorted {
                    ($0.element.row, $0.element.push.kind.rawValue, $0.offset)
                        < ($1.element.row, $1.element.push.kind.rawValue, $1.offset)
                }
                .map(\.element)
            plain.sent = []
            let isSame = ours == theirs
            try #require(
                isSame,
                """
                seed \(seed), second \(second), \(monitor): only the machine \(ours.filter { !theirs.contains($0) }), \
                only the stations \(theirs.filter { !ours.contains($0) })
                """
            )
            total += ours.count
            for (push, twin) in zip(machineSent, theirs) {
                open.append((push, twin, second + draws.number(1...4)))
            }
            for (row, station) in plain.stations.enumerated() {
                let view = machine.view(of: ids[row], at: now)
                try #require(
                    view?.freshness == station.monitor.freshness?.classification(at: now),
                    "seed \(seed), second \(second), row \(row)"
                )
            }
        }
        #expect(total > 300)
    }

    private func outcome(_ draws: inout TestStream, at now: Instant) -> PushOutcome {
        switch draws.number(1...20) {
        case 1...10: return .accepted
        case 11...12: return .unanswered
        case 13...14: return .notProcessed
        default:
            let deadSince = draws.yes(50) ? now + .seconds(-draws.number(0...20)) : nil
            return .refused(draws.one(of: APNsReason.allCases), deadSince: deadSince)
        }
    }
}
