import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel
import TestSupport
import Testing
import Wire

@testable import MonitorServer

/// Many instances with random histories: the brain, with its table, heap and late entries, sends exactly what one station an
/// instance asks for when all of them are looked at every second.
///
/// This holds table, heap and late entries against a look at everything; ``BrainSimulationTests`` holds the brain against the
/// simulator.
@Suite("The brain agrees with its stations")
struct BrainAgreementTests {
    /// A host as plain as can be: one station an instance, all looked at, every second.
    private struct Plain {
        struct Instance {
            let id: InstanceID
            var station = MonitorStation()
            var confirmed: ContentStamp?
            var announced: ContentStamp?
        }

        struct Sent: Hashable {
            let row: Int
            let kind: OutgoingPush.Kind
            let priority: PushPriority
            let content: ContentStamp
            let token: UInt32
            let watch: UInt8
        }

        let rules: MonitorRules
        let random: RandomSource
        var budget: RetryBudget?
        var instances: [Instance]
        var sent: [Sent] = []

        mutating func send(_ row: Int, _ kind: OutgoingPush.Kind, _ priority: PushPriority, at now: Instant) {
            let station = instances[row].station
            guard station.token != 0, let content = instances[row].announced else { return }
            sent.append(
                Sent(
                    row: row,
                    kind: kind,
                    priority: priority,
                    content: content,
                    token: station.token,
                    watch: station.watch
                )
            )
        }

        private func believed(_ row: Int, at now: Instant) -> ContentStamp {
            let unknown = ContentStamp(generatedAt: .start, staleDate: instances[row].announced == nil ? .never : now)
            return instances[row].confirmed ?? unknown
        }

        mutating func publish(_ row: Int, number: UInt32, at now: Instant) {
            let publication = instances[row].station
                .tokenPublished(number, showing: believed(row, at: now), at: now, rules)
            guard publication == .watched, let announced = instances[row].announced,
                announced.generatedAt > instances[row].confirmed?.generatedAt ?? .start
            else { return }
            send(row, .update, .immediate, at: now)
        }

        mutating func announce(_ row: Int, _ stamp: ContentStamp, at now: Instant) {
            guard !instances[row].station.isEndDecided else { return }
            let isFirst = instances[row].announced == nil
            instances[row].announced = stamp
            if isFirst, instances[row].confirmed == nil, instances[row].station.takesContent {
                instances[row].station.watchAnew(showing: believed(row, at: now), at: now, rules)
            }
            send(row, .update, .immediate, at: now)
        }

        mutating func answered(_ push: Sent, _ outcome: PushOutcome, at now: Instant) {
            let row = push.row
            switch outcome {
            case .accepted where push.kind == .end:
                _ = instances[row].station.endAccepted(on: push.token)
            case .accepted:
                switch instances[row].station.contentAccepted(push.content, of: push.watch, at: now, rules) {
                case .stillFresh, .recovered, .alreadyStale: instances[row].confirmed = push.content
                case nil, .older, .late, .closed: break
                }
            case .refused(let reason, _):
                _ = instances[row].station
                    .refused(isEnd: push.kind == .end, reason: reason, on: push.token, at: now, rules)
            default:
                break
            }
        }

        mutating func lookAtAll(at now: Instant) {
            for row in instances.indices {
                while instances[row].station.nextLook(at: now, rules) <= now {
                    var action: MonitorStation.Action
                    repeat {
                        let count = instances[row].station.wakeCount
                        let draw = random.pauseDraw(entity: instances[row].id.entity, count: count)
                        action = instances[row].station.act(at: now, rules, budget: &budget, draw: draw)
                        switch action {
                        case .retry(let priority): send(row, .retry, priority, at: now)
                        case .sendEnd: send(row, .end, .immediate, at: now)
                        case .nothing, .becameRecoverable, .withholdRetry, .becameSevere: break
                        }
                    } while action.continues
                }
            }
        }
    }

    @Test("whole seconds, random worlds; the brain scans", arguments: 0..<40 as Range<UInt64>)
    func scanning(seed: UInt64) throws {
        try compare(seed: seed, scans: true)
    }

    @Test("whole seconds, random worlds; the brain acts at deadlines", arguments: 100..<140 as Range<UInt64>)
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
        // Jitter makes deadlines between seconds, which only a scan rounds.
        monitor.retry.jitter = scans && draws.yes(50) ? .full : .none
        monitor.retry.priorities = [.considerate, .immediate]
        monitor.endSchedule = [.zero, .seconds(3), .seconds(9)]
        monitor.scanInterval = scans ? .seconds(1) : nil
        let ids = try (0..<30).map { try Fixture.id("ride-\($0)") }
        var plain = Plain(
            rules: try MonitorRules(monitor),
            random: RandomSource(seed: 9, replication: 0),
            budget: nil,
            instances: ids.map { Plain.Instance(id: $0) }
        )
        var brain = try MonitorBrain(monitor, seed: 9, at: start)
        // Rows in the same order for both, whichever is heard of first.
        for id in ids { _ = brain.rowMaking(id, at: start) }
        var revision: Int64 = 0
        var tokens = [UInt32](repeating: 0, count: ids.count)
        var open: [(push: OutgoingPush, twin: Plain.Sent, due: Int64)] = []
        var total = 0
        for second in 0..<300 as Range<Int64> {
            let now = start + .seconds(second)
            var brainSent: [OutgoingPush] = []
            func take(_ brain: inout MonitorBrain) {
                var actions = brain.takeActions()
                while !actions.pushes.isEmpty || !actions.changes.isEmpty {
                    brainSent += actions.pushes
                    for case .end(let id, _, _) in actions.changes { brain.endRecorded(id, at: now) }
                    actions = brain.takeActions()
                }
            }
            for (push, twin, _) in open.filter({ $0.due == second }) {
                let outcome = outcome(&draws)
                brain.answered(PushAnswer(number: push.number, outcome: outcome), at: now)
                plain.answered(twin, outcome, at: now)
            }
            open.removeAll { $0.due == second }
            for row in ids.indices {
                if draws.yes(3) {
                    revision += 1
                    tokens[row] += 1
                    plain.publish(row, number: tokens[row], at: now)
                    let token = DeviceToken(ride: UInt64(row), number: UInt32(revision))
                    brain.tokenPublished(
                        PublishedToken(token: token, revision: revision, publishedAt: now),
                        for: ids[row],
                        shown: nil,
                        at: now
                    )
                }
                if draws.yes(5) {
                    let stamp = ContentStamp(generatedAt: now, staleDate: now + .seconds(draws.number(-5...30)))
                    plain.announce(row, stamp, at: now)
                    let content = AnnouncedContent(stamp: stamp, state: Array("{}".utf8), priority: .immediate)
                    brain.contentAnnounced(content, for: ids[row], at: now)
                }
                if draws.next(below: 400) == 0 {
                    _ = plain.instances[row].station.rideOver(at: now)
                    brain.rideOver(ids[row], dismissalDate: nil, at: now)
                }
                if draws.next(below: 200) == 0 {
                    revision += 1
                    _ = plain.instances[row].station.withdrawn()
                    _ = brain.tokenWithdrawn(from: ids[row], at: now)
                    _ = brain.tokenWithdrawn(from: ids[row], revision: revision, at: now)
                }
            }
            brain.advance(to: now)
            take(&brain)
            plain.lookAtAll(at: now)
            // Pushes without content: the plain one has none to send, the brain's ends go all the same.
            let ours = brainSent.filter { $0.content.staleDate != .never }
                .sorted { ($0.row, $0.kind.rawValue, $0.number) < ($1.row, $1.kind.rawValue, $1.number) }
            let theirs = plain.sent.enumerated()
                .sorted {
                    ($0.element.row, $0.element.kind.rawValue, $0.offset)
                        < ($1.element.row, $1.element.kind.rawValue, $1.offset)
                }
                .map(\.element)
            plain.sent = []
            let oursText = ours.map { "\($0.row) \($0.kind) \($0.priority) \($0.content) \($0.tokenNumber)" }
            let theirsText = theirs.map { "\($0.row) \($0.kind) \($0.priority) \($0.content) \($0.token)" }
            let isSame = oursText == theirsText
            try #require(
                isSame,
                """
                seed \(seed), second \(second), \(monitor): only the brain \(oursText.filter { !theirsText.contains($0) }), \
                only the stations \(theirsText.filter { !oursText.contains($0) })
                """
            )
            total += ours.count
            for (push, twin) in zip(ours, theirs) {
                open.append((push, twin, second + draws.number(1...4)))
            }
            for (row, instance) in plain.instances.enumerated() {
                let view = brain.view(of: ids[row], at: now)
                try #require(
                    view?.freshness == instance.station.freshness?.classification(at: now),
                    "seed \(seed), second \(second), row \(row)"
                )
            }
        }
        #expect(total > 300)
    }

    private func outcome(_ draws: inout TestStream) -> PushOutcome {
        switch draws.number(1...10) {
        case 1...5: .accepted
        case 6...7: .unanswered
        default: .refused(draws.one(of: APNsReason.allCases), deadSince: nil)
        }
    }
}
