import Foundation

/// The distribution of times until an event by Kaplan and Meier's product limit: some times are known only to be longer.
///
/// A cancelled ride does not show how long its stage would have taken. To leave it out would favour short stages; to count it as
/// an event would be wrong. E. L. Kaplan and P. Meier, Journal of the American Statistical Association 53, 1958; the variance is
/// M. Greenwood's.
public struct ProductLimit: Sendable {
    /// A time with its outcome.
    public struct Observation: Hashable, Sendable {
        /// The time until the event, or until the observation ended.
        public let time: Int64
        /// `true` if the event came.
        public let isEvent: Bool

        /// Creates an observation.
        public init(time: Int64, isEvent: Bool) { (self.time, self.isEvent) = (time, isEvent) }
    }

    /// The instants of events with the share of all that has had it by then, ascending.
    public let steps: [(time: Int64, share: Double)]
    /// The number of observations.
    public let count: Int
    /// The number of events.
    public let eventCount: Int
    /// The share that has the event within the longest observed time.
    public let share: Double
    /// The 95% confidence interval of that share.
    public let shareInterval: ClosedRange<Double>

    /// Estimates the distribution of observations in any order.
    ///
    /// - Parameter leastAtRisk: The smallest number of observations in progress at which events count; later ones are left out. One event
    ///   among the last few would otherwise count for many.
    public init(_ observations: [Observation], leastAtRisk: Int = 1) {
        count = observations.count
        eventCount = observations.count { $0.isEvent }
        // Of one instant, events come before the ends of observations.
        let ordered = observations.sorted { ($0.time, $0.isEvent ? 0 : 1) < ($1.time, $1.isEvent ? 0 : 1) }
        var steps: [(time: Int64, share: Double)] = []
        var survival = 1.0
        var sum = 0.0
        var index = 0
        while index < ordered.count {
            let time = ordered[index].time
            let atRisk = Double(ordered.count - index)
            if ordered.count - index < leastAtRisk { break }
            var events = 0.0
            while index < ordered.count, ordered[index].time == time {
                if ordered[index].isEvent { events += 1 }
                index += 1
            }
            guard events > 0 else { continue }
            survival *= 1 - events / atRisk
            if events < atRisk { sum += events / (atRisk * (atRisk - events)) }
            steps.append((time, 1 - survival))
        }
        self.steps = steps
        share = 1 - survival
        // Wilson's interval for as many independent trials as have Greenwood's variance.
        let variance = survival * survival * sum
        let size = variance > 0 ? share * survival / variance : Double(max(1, count))
        shareInterval = WilsonInterval(share: min(1, max(0, share)), of: max(1, size)).range
    }

    /// Returns times with the estimated distribution, one for each event observed, up to a number.
    ///
    /// Quantiles at even distances, so that a fit to them is a fit to the distribution.
    ///
    /// - Parameter isCertain: `true` if everything has the event at last. What comes after the longest observed times then has
    ///   their rate of events. Otherwise the times are those of the share that has it.
    public func sample(atMost limit: Int, isCertain: Bool = false) -> [Int64] {
        let size = min(limit, eventCount)
        guard size > 0, share > 0, let last = steps.last else { return [] }
        // The mean time from the upper quartile of the observed events on, by the share that survives it.
        let early = steps.first { $0.share >= 0.75 * share } ?? last
        let passed = Foundation.log((1 - early.share) / max(1e-12, 1 - share))
        let mean = passed > 0 ? Double(last.time - early.time) / passed : 0
        var times: [Int64] = []
        times.reserveCapacity(size)
        var step = 0
        for rank in 0..<size {
            let wanted = (Double(rank) + 0.5) / Double(size) * (isCertain ? 1 : share)
            if wanted > share {
                let beyond = mean * Foundation.log((1 - share) / (1 - wanted))
                times.append(last.time + Int64(min(beyond, 1e15).rounded()))
                continue
            }
            while step + 1 < steps.count, steps[step].share < wanted { step += 1 }
            times.append(steps[step].time)
        }
        return times
    }
}
