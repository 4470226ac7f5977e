import APNsProtocol
import FreshnessCore
import LiveActivityModel
import Quantities
import RandomStreams
import TestSupport
import Testing

@testable import MonitorServer

/// Many instances with random histories: the brain, with its table, heap and late entries, sends exactly what one core an
/// instance asks for when all of them are looked at every second.
///
/// This holds table, heap and late entries against a look at everything. The rules about tokens, content and ends are written
/// here once more as they are in the brain; ``BrainSimulationTests`` holds those against the simulator's.
@Suite("The brain agrees with the core")
struct BrainAgreementTests {
    /// A monitor as plain as can be: one core an instance, all looked at, every second.
    private struct Plain {
        struct Instance {
            let id: InstanceID
            var token: Int64?
            var revision: Int64 = 0
            var core: InstanceFreshness?
            var life = 0
            var confirmed: ContentStamp?
            var announced: ContentStamp?
            var isEnding = false
            var wakes: UInt32 = 0
        }

        struct Sent: Hashable {
            let row: Int
            let kind: Push.Kind
            let priority: PushPriority
            let content: ContentStamp
            let revision: Int64
            let life: Int
        }

        let policy: FreshnessPolicy
        let random: RandomSource
        var budget: RetryBudget?
        var instances: [Instance]
        var sent: [Sent] = []

        mutating func send(_ row: Int, _ kind: Push.Kind, _ priority: PushPriority, at now: Instant) {
            guard let token = instances[row].token else { return }
            if kind == .update { budget?.earn(at: now) }
            guard let content = instances[row].announced else { return }
            sent.append(
                Sent(
                    row: row,
                    kind: kind,
                    priority: priority,
                    content: content,
                    revision: token,
                    life: instances[row].life
                )
            )
        }

        mutating func publish(_ row: Int, revision: Int64, at now: Instant) {
            instances[row].token = revision
            instances[row].revision = revision
            if instances[row].core?.isTokenInvalidated ?? true {
                begin(row, at: now)
            } else {
                _ = instances[row].core?.tokenPublished(at: now)
            }
            if instances[row].isEnding {
                _ = instances[row].core?.rideOver(at: now)
            } else if let announced = instances[row].announced,
                announced.generatedAt > instances[row].confirmed?.generatedAt ?? .start
            {
                send(row, .update, .immediate, at: now)
            }
        }

        private mutating func begin(_ row: Int, at now: Instant) {
            let unknown = ContentStamp(generatedAt: .start, staleDate: instances[row].announced == nil ? .never : now)
            instances[row].core = InstanceFreshness(
                content: instances[row].confirmed ?? unknown,
                at: now,
                policy: policy
            )
            instances[row].life += 1
        }

        mutating func announce(_ row: Int, _ stamp: ContentStamp, at now: Instant) {
            guard !instances[row].isEnding else { return }
            let isFirst = instances[row].announced == nil
            instances[row].announced = stamp
            if isFirst, instances[row].confirmed == nil, instances[row].core?.isOver == false { begin(row, at: now) }
            send(row, .update, .immediate, at: now)
        }

        mutating func rideOver(_ row: Int, at now: Instant) {
            guard !instances[row].isEnding else { return }
            instances[row].isEnding = true
            _ = instances[row].core?.rideOver(at: now)
        }

        mutating func withdraw(_ row: Int, revision: Int64) {
            instances[row].token = nil
            instances[row].revision = revision
            _ = instances[row].core?.endReported()
        }

        mutating func answered(_ push: Sent, _ outcome: PushOutcome, at now: Instant) {
            let row = push.row
            let isCurrent = push.revision == instances[row].revision
            switch outcome {
            case .accepted where push.life == instances[row].life:
                if push.kind == .end {
                    guard isCurrent, instances[row].core?.endConfirmed() == .invalidateToken else { return }
                    instances[row].token = nil
                } else {
                    switch instances[row].core?.contentConfirmed(push.content, at: now, policy: policy) {
                    case .stillFresh, .recovered, .alreadyStale: instances[row].confirmed = push.content
                    case nil, .older, .late, .closed: break
                    }
                }
            case .refused(let reason, _) where isCurrent && push.life == instances[row].life:
                let refusal =
                    push.kind == .end
                    ? instances[row].core?.endRefused(reason: reason, policy: policy)
                    : instances[row].core?.pushRefused(reason: reason, at: now, policy: policy)
                if refusal == .discardToken { instances[row].token = nil }
            default:
                break
            }
        }

        mutating func lookAtAll(at now: Instant) {
            for row in instances.indices {
                while let core = instances[row].core, core.nextDue(policy: policy) <= now {
                    let draw = random.pauseDraw(entity: instances[row].id.entity, count: instances[row].wakes)
                    instances[row].wakes += 1
                    switch instances[row].core?.wake(at: now, policy: policy, budget: &budget, draw: draw) {
                    case .retry(_, let priority): send(row, .retry, priority, at: now)
                    case .sendEnd: send(row, .end, .immediate, at: now)
                    case .becameSevere: instances[row].isEnding = true
                    case nil, .nothing, .becameRecoverable, .withholdRetry: break
                    }
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
        let policy = try monitor.policy()
        let ids = try (0..<30).map { try Fixture.id("ride-\($0)") }
        var plain = Plain(
            policy: policy,
            random: RandomSource(seed: 9, replication: 0),
            budget: nil,
            instances: ids.map { Plain.Instance(id: $0) }
        )
        var brain = try MonitorBrain(monitor, seed: 9, at: start)
        // Rows in the same order for both, whichever is heard of first.
        for id in ids { _ = brain.rowMaking(id, at: start) }
        var revision: Int64 = 0
        var open: [(push: Push, twin: Plain.Sent, due: Int64)] = []
        var total = 0
        for second in 0..<300 as Range<Int64> {
            let now = start + .seconds(second)
            var brainSent: [Push] = []
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
                    plain.publish(row, revision: revision, at: now)
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
                    plain.rideOver(row, at: now)
                    brain.rideOver(ids[row], dismissalDate: nil, at: now)
                }
                if draws.next(below: 200) == 0 {
                    revision += 1
                    plain.withdraw(row, revision: revision)
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
            let oursText = ours.map { "\($0.row) \($0.kind) \($0.priority) \($0.content) \($0.token.revision)" }
            let theirsText = theirs.map { "\($0.row) \($0.kind) \($0.priority) \($0.content) \($0.revision)" }
            let isSame = oursText == theirsText
            try #require(
                isSame,
                """
                seed \(seed), second \(second), \(policy): only the brain \(oursText.filter { !theirsText.contains($0) }), \
                only the core \(theirsText.filter { !oursText.contains($0) })
                """
            )
            total += ours.count
            for (push, twin) in zip(ours, theirs) {
                open.append((push, twin, second + draws.number(1...4)))
            }
            for (row, instance) in plain.instances.enumerated() {
                let view = brain.view(of: ids[row], at: now)
                try #require(
                    view?.freshness == instance.core?.classification(at: now),
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
