import FreshnessCore
import LiveActivityModel
import Quantities

/// A Freshness Monitor with an APNs behind it in virtual time, as plain as can be: a core for each instance, every way of the
/// same length, and silence while the scenario says so.
struct PlainMonitor {
    /// From a request to the phone.
    static let transit = TimeSpan.seconds(1)
    /// From a request to its answer.
    static let roundTrip = TimeSpan(microseconds: 200_000)

    private struct Instance {
        var core: InstanceFreshness?
        var token: UInt32 = 0
        var shown: ContentStamp?
        var announced: ContentStamp?
        var isRideOver = false
    }

    private enum Happening {
        case arrives(PhonePush)
        case answered(ServerNews.Instance, StoryLine.PushKind, ContentStamp, token: UInt32)
        case wakes(ServerNews.Instance)
    }

    private let policy: FreshnessPolicy
    private let timeToLive: TimeSpan
    private let silence: Range<Instant>
    private var budget: RetryBudget?
    private var instances: [ServerNews.Instance: Instance] = [:]
    /// What is to come, in the order of time; equals in the order in which they were made.
    private var coming: [(at: Instant, happening: Happening)] = []
    /// Pushes by kind.
    private(set) var sent: [StoryLine.PushKind: Int] = [:]

    /// - Precondition: The scenario has one fault, a silence of APNs.
    init(policy: FreshnessPolicy, scenario: Scenario) {
        self.policy = policy
        timeToLive = scenario.content.ttl
        let from = Instant.start + scenario.faults[0].at
        silence = from..<from + scenario.faults[0].duration
    }

    /// Lets a cell and the monitor live on until an instant.
    mutating func drive(_ cell: inout CellSimulation, through horizon: Instant) {
        while true {
            let due = coming.first?.at ?? .never
            let border = due == .never ? Instant.never : Instant(microseconds: due.microseconds - 1)
            if cell.step(through: border) {
                for case .server(let news) in cell.takeOutbox() {
                    hear(news)
                }
            } else if due > horizon {
                return
            } else {
                let next = coming.removeFirst()
                perform(next.happening, at: next.at, &cell)
            }
        }
    }

    private mutating func expect(_ happening: Happening, at due: Instant) {
        let place = coming.firstIndex { $0.at > due } ?? coming.endIndex
        coming.insert((due, happening), at: place)
    }

    private mutating func hear(_ news: ServerNews) {
        let (name, now) = (news.instance, news.at)
        switch news.message {
        case .token(let number, let shown):
            instances[name, default: Instance()].token = number
            if let shown { instances[name]?.core = InstanceFreshness(content: shown, at: now, policy: policy) }
        case .content(let stamp, let priority, _):
            guard let instance = instances[name], instance.token != 0, instance.core?.isOver == false else { return }
            send(.update, stamp, priority, to: name, at: now)
        case .withdrawal:
            _ = instances[name]?.core?.endReported()
            instances[name]?.token = 0
        case .rideOver:
            instances[name]?.isRideOver = true
            _ = instances[name]?.core?.rideOver(at: now)
        }
        appoint(name, at: now)
    }

    private mutating func perform(_ happening: Happening, at now: Instant, _ cell: inout CellSimulation) {
        switch happening {
        case .arrives(let push):
            cell.hear(.pushed(push), at: now)
        case .answered(let name, .end, _, let token):
            if instances[name]?.token == token, instances[name]?.core?.endConfirmed() == .invalidateToken {
                instances[name]?.token = 0
            }
        case .answered(let name, _, let stamp, _):
            _ = instances[name]?.core?.contentConfirmed(stamp, at: now, policy: policy)
            appoint(name, at: now)
        case .wakes(let name):
            wake(name, at: now)
        }
    }

    private mutating func wake(_ name: ServerNews.Instance, at now: Instant) {
        while let action = instances[name]?.core?.wake(at: now, policy: policy, budget: &budget, draw: 0) {
            switch action {
            case .nothing, .withholdRetry:
                appoint(name, at: now)
                return
            case .becameRecoverable, .becameSevere:
                continue
            case .retry(_, let priority):
                send(.retry, ContentStamp(generatedAt: now, staleDate: now + timeToLive), priority, to: name, at: now)
            case .sendEnd:
                send(.end, ContentStamp(generatedAt: now, staleDate: .never), .immediate, to: name, at: now)
            }
        }
    }

    private mutating func appoint(_ name: ServerNews.Instance, at now: Instant) {
        guard let due = instances[name]?.core?.nextDue(policy: policy), due != .never else { return }
        expect(.wakes(name), at: max(due, now))
    }

    private mutating func send(
        _ kind: StoryLine.PushKind,
        _ stamp: ContentStamp,
        _ priority: PushPriority,
        to name: ServerNews.Instance,
        at now: Instant
    ) {
        guard let token = instances[name]?.token, token != 0 else { return }
        sent[kind, default: 0] += 1
        guard !silence.contains(now) else { return }
        let push = PhonePush(
            ride: name.ride,
            tokenNumber: token,
            isEnd: kind == .end,
            priority: priority,
            content: stamp,
            timestamp: now.microseconds
        )
        expect(.arrives(push), at: now + Self.transit)
        expect(.answered(name, kind, stamp, token: token), at: now + Self.roundTrip)
    }
}
