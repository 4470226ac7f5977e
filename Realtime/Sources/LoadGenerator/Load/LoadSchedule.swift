package import FreshnessCore
package import Quantities

/// The times at which a load sends requests, and the part of it that is measured.
package struct LoadSchedule: Hashable, Sendable {
    /// The process by which requests are sent.
    package enum Arrivals: Hashable, Sendable {
        /// An open loop, in which each request is sent at its due time, whether earlier ones are answered or not.
        case open(RatePlan, ArrivalProcess = .even)
        /// An open loop with the pushes of a log, at the log's own times divided by the speed.
        case replay(PushReplay)
        /// A closed loop, in which each answer is followed by the next request, so that a fixed number is in flight.
        case closed(concurrency: Int, duration: TimeSpan)
    }

    /// The process by which requests are sent.
    package var arrivals: Arrivals
    /// The warm-up, which is not measured.
    package var warmUp = TimeSpan.zero
    /// The retry policy for requests that are rejected or have an unknown fate; nil: no retries.
    package var retries: RetryPolicy?
    /// The budget of the retries of all lanes together; nil: no limit.
    package var retryBudget: RetryBudget?
    /// The seed of the jitter of retries and of the gaps of a Poisson process.
    package var seed: UInt64 = 1
    /// The faults that the endpoint plays, in wall-clock time; empty if none are known.
    package var faults: [ReadyFile.Fault] = []
    /// The share that this generator sends; always the whole of a closed load.
    package var share = LoadShare.whole

    /// A schedule with defaults.
    package init(_ arrivals: Arrivals) { self.arrivals = arrivals }

    /// The plan of an open load.
    package var plan: RatePlan? {
        switch arrivals {
        case .open(let plan, _): plan
        case .replay(let replay): replay.plan
        case .closed: nil
        }
    }

    /// The pushes of a log that are sent; nil without a replay.
    package var replay: PushReplay? { if case .replay(let replay) = arrivals { replay } else { nil } }

    /// The time for which new requests are sent.
    package var duration: TimeSpan {
        switch arrivals {
        case .open(let plan, _): plan.duration
        case .replay(let replay): replay.plan.duration
        case .closed(_, let duration): duration
        }
    }
}
