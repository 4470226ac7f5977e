import FreshnessCore
import LiveActivityModel
import Quantities

/// The state of the service's rides: it receives events with their times and returns the pushes to send.
///
/// A `MonitorStation` per ride makes all decisions. This type adds the state that a server has anyway: tokens, the
/// newest content, and the push of each acknowledgement. It contains no clock and no socket, so a test plays an hour in
/// a millisecond.
struct RideMonitor {
    /// A push that the service sends.
    struct Push: Codable, Equatable, Sendable {
        enum Kind: String, Codable { case update, retry, end }

        var number: Int
        var ride: String
        var token: String
        var kind: Kind
        var priority: Int
        var content: String
    }

    private struct Ride {
        var station = MonitorStation()
        var token = ""
        var tokenCount: UInt32 = 0
        var content = ""
        var stamp: ContentStamp
        var progress = MonitorStation.ContentProgress.confirmed
    }

    /// The parts of a push that are kept until it is acknowledged.
    private struct Sent {
        var ride: String
        var isEnd: Bool
        var token: UInt32
        var watch: UInt8
        var stamp: ContentStamp
    }

    private let rules: MonitorRules
    private var budget: RetryBudget?
    private var rides: [String: Ride] = [:]
    private var sent: [Int: Sent] = [:]
    private var pushCount = 0

    /// Creates a monitor that retries by a policy, within a budget that all rides share.
    init(policy: FreshnessPolicy, budget: RetryBudget?) {
        rules = MonitorRules(policy: policy, scans: nil)
        self.budget = budget
    }

    /// Returns the freshness class of a ride; `nil` if it is unknown, has no token, or is over.
    func classification(of ride: String, at now: Instant) -> FreshnessClass? {
        rides[ride]?.station.freshness?.classification(at: now)
    }

    /// Records that the app has posted its push token.
    ///
    /// Its screen shows content that is fresh until `staleDate`.
    mutating func registered(_ name: String, token: String, staleDate: Instant, at now: Instant) -> [Push] {
        var ride = rides[name] ?? Ride(stamp: ContentStamp(generatedAt: now, staleDate: staleDate))
        if token != ride.token {
            ride.token = token
            ride.tokenCount += 1
        }
        let publication = ride.station.tokenPublished(
            ride.tokenCount,
            showing: ride.stamp,
            newest: ride.progress,
            at: now,
            rules
        )
        rides[name] = ride
        guard case .watched(sendsContent: true) = publication else { return [] }
        return [push(.update, to: name, priority: .immediate)]
    }

    /// Records new content for a ride; returns `false` if the ride is unknown or over.
    mutating func changed(
        _ name: String,
        content: String,
        staleDate: Instant,
        at now: Instant
    ) -> (isTaken: Bool, pushes: [Push]) {
        guard let station = rides[name]?.station, !station.isEndDecided else { return (false, []) }
        rides[name]?.content = content
        rides[name]?.stamp = ContentStamp(generatedAt: now, staleDate: staleDate)
        rides[name]?.progress = .unsent
        // Without a valid token the content waits for the next one.
        guard station.takesContent else { return (true, []) }
        MonitorStation.updateSent(earning: &budget, at: now)
        return (true, [push(.update, to: name, priority: .immediate)])
    }

    /// Records that the ride is over, so that ends are due at once; returns `false` for an unknown ride.
    ///
    /// The ride is deleted once APNs has accepted an end. A real service also deletes rides whose token has become
    /// invalid, after the eight hours for which a phone keeps an activity.
    mutating func finished(_ name: String, at now: Instant) -> Bool {
        rides[name]?.station.rideOver(at: now) != nil
    }

    /// Records that APNs has accepted a push, or refused it for a reason; returns `false` if the push is not pending.
    mutating func acknowledged(_ number: Int, refusal: APNsReason?, at now: Instant) -> Bool {
        guard let push = sent.removeValue(forKey: number), var ride = rides[push.ride] else { return false }
        if let refusal {
            _ = ride.station.refused(isEnd: push.isEnd, reason: refusal, on: push.token, at: now, rules)
        } else if push.isEnd {
            if ride.station.endAccepted(on: push.token) {
                rides[push.ride] = nil
                return true
            }
        } else {
            _ = ride.station.contentAccepted(push.stamp, of: push.watch, at: now, rules)
            if push.stamp == ride.stamp { ride.progress = .confirmed }
        }
        rides[push.ride] = ride
        return true
    }

    /// The next time to call ``act(at:draws:)``.
    ///
    /// Linear in the number of rides; with many rides, keep a heap of their times.
    func nextCheck(at now: Instant) -> Instant {
        rides.values.map { $0.station.nextCheck(at: now, rules) }.min() ?? .never
    }

    /// Does all due work after the alarm has fired.
    mutating func act(at now: Instant, draws: inout some RandomNumberGenerator) -> [Push] {
        var pushes: [Push] = []
        for name in rides.keys.sorted() {
            var isMoreDue = true
            while isMoreDue, let action = rides[name]?.station.act(at: now, rules, budget: &budget, draw: draws.next())
            {
                switch action {
                case .retry(let priority): pushes.append(push(.retry, to: name, priority: priority))
                case .sendEnd: pushes.append(push(.end, to: name, priority: .immediate))
                case .nothing, .withholdRetry, .becameRecoverable, .becameSevere: break
                }
                isMoreDue = action.continues
            }
        }
        return pushes
    }

    /// Returns a push with the newest content, and keeps it until it is acknowledged.
    private mutating func push(_ kind: Push.Kind, to name: String, priority: PushPriority) -> Push {
        guard var ride = rides[name] else { preconditionFailure("a push to the unknown ride \(name)") }
        if kind != .end {
            ride.progress = .unconfirmed
            rides[name] = ride
        }
        pushCount += 1
        sent[pushCount] = Sent(
            ride: name,
            isEnd: kind == .end,
            token: ride.station.token,
            watch: ride.station.watch,
            stamp: ride.stamp
        )
        return Push(
            number: pushCount,
            ride: name,
            token: ride.token,
            kind: kind,
            priority: priority.rawValue,
            content: ride.content
        )
    }
}
