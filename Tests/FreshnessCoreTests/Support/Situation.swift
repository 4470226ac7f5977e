import FreshnessCore
import Quantities

/// An instant in seconds, for tables.
func at(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

extension ContentStamp {
    /// Content that is generated and becomes stale at these seconds.
    static func seconds(generated: Int64, stale: Int64) -> ContentStamp {
        ContentStamp(generatedAt: at(generated), staleDate: at(stale))
    }
}

extension FreshnessPolicy {
    /// Fresh limit 30 s, recovery window 60 s, attempts after 0, 10, 30 s, ends after 0, 5, 15 s.
    ///
    /// With content of ``Situation`` the lapse is at 90 s and the window ends at 150 s.
    static func ofTables(obeysFifteenMinutes: Bool = false) throws -> FreshnessPolicy {
        try FreshnessPolicy(
            freshLimit: .seconds(30),
            recoveryWindow: .seconds(60),
            retry: RetryPolicy(
                schedule: [.zero, .seconds(10), .seconds(30)],
                priorities: [.considerate, .immediate],
                obeysFifteenMinutes: obeysFifteenMinutes
            ),
            endSchedule: [.zero, .seconds(5), .seconds(15)]
        )
    }
}

extension InstanceFreshness {
    /// Wakes without a budget.
    mutating func wake(at now: Instant, policy: FreshnessPolicy, draw: UInt64 = 0) -> Action {
        var budget: RetryBudget?
        return wake(at: now, policy: policy, budget: &budget, draw: draw)
    }
}

/// The distinct states of an instance; each is reached by calls alone.
enum Situation: CaseIterable {
    /// Content of second 0, stale date at 60 s; it is 10 s.
    case fresh
    /// The lapse at 90 s has passed unnoticed; it is 95 s.
    case lapsed
    /// Noticed at 90 s; the first attempt is due.
    case recoverable
    /// The first attempt was made at 90 s.
    case retried
    /// All three attempts were made; it is 120 s.
    case exhausted
    /// Decided to end at 150 s; nothing sent yet.
    case severe
    /// All three ends were sent; it is 165 s.
    case severeEndsSent
    /// The ride was over at 10 s.
    case rideOver
    /// An end has worked at 150 s.
    case tokenInvalidated
    /// The token died at 10 s, while fresh.
    case tokenDead
    /// The token died at 150 s, while ending as severe.
    case tokenDeadWhileSevere
    /// The token died at 10 s, while ending because the ride was over.
    case tokenDeadWhileRideOver

    static let closed: [Situation] = [.tokenInvalidated, .tokenDead, .tokenDeadWhileSevere, .tokenDeadWhileRideOver]
    static let ending: [Situation] = [.severe, .severeEndsSent, .rideOver]
    static let inEpisode: [Situation] = [.recoverable, .retried, .exhausted]

    /// The current instant of the situation.
    var now: Instant {
        switch self {
        case .fresh, .rideOver, .tokenDead, .tokenDeadWhileRideOver: at(10)
        case .lapsed: at(95)
        case .recoverable, .retried: at(90)
        case .exhausted: at(120)
        case .severe, .tokenInvalidated, .tokenDeadWhileSevere: at(150)
        case .severeEndsSent: at(165)
        }
    }

    func instance(policy: FreshnessPolicy) -> InstanceFreshness {
        var instance = InstanceFreshness(content: .seconds(generated: 0, stale: 60), at: .start, policy: policy)
        func wake(_ seconds: Int64, times: Int) {
            for _ in 0..<times {
                _ = instance.wake(at: at(seconds), policy: policy)
            }
        }
        switch self {
        case .fresh, .lapsed:
            break
        case .recoverable:
            wake(90, times: 1)
        case .retried:
            wake(90, times: 2)
        case .exhausted:
            wake(120, times: 4)
        case .severe, .tokenInvalidated, .tokenDeadWhileSevere, .severeEndsSent:
            wake(150, times: 5)
            if self == .tokenInvalidated { _ = instance.endConfirmed() }
            if self == .tokenDeadWhileSevere { _ = instance.tokenDied() }
            if self == .severeEndsSent { wake(165, times: 3) }
        case .rideOver, .tokenDeadWhileRideOver:
            _ = instance.rideOver(at: at(10))
            if self == .tokenDeadWhileRideOver { _ = instance.tokenDied() }
        case .tokenDead:
            _ = instance.tokenDied()
        }
        return instance
    }
}

/// The visible state of an instance at an instant.
struct View: Hashable {
    var classification: FreshnessClass?
    var freshUntil: Instant?
    var staleSince: Instant?
    var nextDue: Instant
    var isOver = false
    var isClosed = false
    var isTokenInvalidated = false

    static func fresh(until instant: Instant) -> View {
        View(classification: .fresh, freshUntil: instant, nextDue: instant)
    }

    static func recoverable(since: Instant, nextDue: Instant) -> View {
        View(classification: .recoverable, staleSince: since, nextDue: nextDue)
    }

    static func ending(_ classification: FreshnessClass?, nextDue: Instant) -> View {
        View(classification: classification, nextDue: nextDue, isOver: true)
    }

    static func closed(isTokenInvalidated: Bool) -> View {
        View(nextDue: .never, isOver: true, isClosed: true, isTokenInvalidated: isTokenInvalidated)
    }
}

extension InstanceFreshness {
    func view(at now: Instant, policy: FreshnessPolicy) -> View {
        View(
            classification: classification(at: now),
            freshUntil: freshUntil,
            staleSince: staleSince,
            nextDue: nextDue(policy: policy),
            isOver: isOver,
            isClosed: isClosed,
            isTokenInvalidated: isTokenInvalidated
        )
    }
}
