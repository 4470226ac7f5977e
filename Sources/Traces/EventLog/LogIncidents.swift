import Foundation
public import LiveActivityModel
import Statistics

/// The incidents in a log: stretches in which answers, tokens or content differ from the rest.
public struct LogIncidents: Sendable {
    /// An incident as a fault of a scenario, with its uncertainty.
    public struct Incident: Sendable {
        public internal(set) var kind: Scenario.Fault.Kind
        /// Its beginning and end on the log's axis [µs].
        public let from: Int64
        public let until: Int64
        /// The 95 % intervals of both [µs].
        public let beginning: ClosedRange<Int64>
        public let ending: ClosedRange<Int64>
        /// The share that is affected, or the slowdown; nil if the kind has none.
        public let size: Double?
        public let sizeInterval: ClosedRange<Double>?
        /// The number of requests, or of other events, by which it was found.
        public let count: Int
        /// The gain in log-likelihood.
        public let gain: Double
        /// `true` for a pause of the monitor during which ends of rides were sent as usual.
        public internal(set) var endsGoOn = false

        func with(_ kind: Scenario.Fault.Kind) -> Self {
            var incident = self
            incident.kind = kind
            return incident
        }
    }

    /// The incidents in the order of time.
    public private(set) var incidents: [Incident] = []
    /// The stretches for which a scenario has no kind of fault.
    public private(set) var unmodelled: [Unmodelled] = []
    let digest: LogDigest
    var bins: [LogDigest.Bin]

    /// Finds the incidents of a log.
    public init(_ digest: LogDigest) {
        self.digest = digest
        bins = digest.bins
        guard bins.count > 2 else { return }
        let losses = connectionLosses()
        let slow = slowness()
        let silent = shares(.apnsSilent, of: \.unanswered).filter { !explains(slow, $0) }
        let unavailable = shares(.apnsUnavailable, of: \.unavailable)
        var absent = tokens() + contents() + monitorPauses()
        let pauses = absent.filter { $0.kind == .senderPaused }
        // A sender that pauses takes the answers of its last requests later.
        let trulySlow = slow.filter { slow in
            !pauses.contains { slow.from >= $0.from - Self.edge && slow.until <= $0.until + Self.edge }
        }
        absent += pausesOfAttempts(apartFrom: trulySlow + silent + unavailable + absent)
        incidents = losses + trulySlow + silent + unavailable + absent
        unmodelled = lateTokens() + refusals()
        incidents.sort { ($0.from, $0.kind.rawValue) < ($1.from, $1.kind.rawValue) }
    }

    /// Returns `true` if an instant is within an incident of a kind, or a little after it.
    public func cover(_ instant: Int64, _ kinds: Set<Scenario.Fault.Kind>, margin: Int64 = 15_000_000) -> Bool {
        incidents.contains { kinds.contains($0.kind) && $0.from - margin <= instant && instant < $0.until + margin }
    }

    /// The time before an incident in which requests began that it affects [µs].
    private static let edge: Int64 = 15_000_000

    /// The gain below which a stretch counts as chance: each of n²/2 stretches is a chance to be misled.
    var least: Double { 12 + 2 * log(Double(max(10, bins.count))) }

    func time(_ bin: Int) -> Int64 { digest.origin + Int64(bin) * digest.binLength }

    func incident(
        _ kind: Scenario.Fault.Kind,
        _ stretch: ScanStatistic.Stretch,
        size: Double?,
        interval: ClosedRange<Double>?,
        count: Int
    ) -> Incident {
        // The bin in which the stretch begins or ends belongs to it only in part, and may count as either side.
        func bounds(_ range: ClosedRange<Int>) -> ClosedRange<Int64> {
            time(max(0, range.lowerBound - 1))...time(range.upperBound + 1)
        }
        return Incident(
            kind: kind,
            from: time(stretch.bins.lowerBound),
            until: time(stretch.bins.upperBound),
            beginning: bounds(stretch.begins),
            ending: bounds(stretch.ends),
            size: size,
            sizeInterval: interval,
            count: count,
            gain: stretch.gain
        )
    }

    // MARK: - Shares of requests

    /// A stretch in which the share of trials with an outcome is high.
    struct Excess {
        let stretch: ScanStatistic.Stretch
        /// The numbers of trials in it with the outcome, and of all.
        let yes: Int
        let all: Int
        /// The usual share of trials with the outcome.
        let usual: Double
    }

    /// The number of requests that began in each bin.
    var trials: [Int] { bins.map { $0.accepted + $0.unanswered + $0.unavailable + $0.rejected } }

    /// Returns the stretches in which the share of trials with an outcome is high.
    ///
    /// - Parameters:
    ///   - yes: The number of trials with the outcome in each bin.
    ///   - all: The number of trials in each bin.
    ///   - usual: The usual share of trials with the outcome; nil to find it.
    func excesses(of yes: [Int], among all: [Int], usual: Double? = nil) -> [Excess] {
        guard let usual = usual ?? usualShare(of: yes, among: all) else { return [] }
        let rate = max(1e-4, usual)
        let amounts = [0.03, 0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85, 0.95, 0.999].filter { $0 > 3 * rate + 0.01 }
        let stretches = ScanStatistic.stretches(count: bins.count, amounts: amounts.count, least: least) {
            bin,
            amount in
            ScanStatistic.gain(successes: yes[bin], of: all[bin], share: amounts[amount], insteadOf: rate)
        }
        return stretches.compactMap { stretch in
            let part = (yes: yes[stretch.bins].reduce(0, +), all: all[stretch.bins].reduce(0, +))
            guard part.yes >= 5, part.all > 0 else { return nil }
            return Excess(stretch: stretch, yes: part.yes, all: part.all, usual: rate)
        }
    }

    /// Returns the share of trials with an outcome in groups of bins in which it is at most 20 %; nil if there are none.
    ///
    /// A group has a hundred trials. In a bin with few of them, a single one would be more than 20 %.
    private func usualShare(of yes: [Int], among all: [Int]) -> Double? {
        var (sums, group) = ((yes: 0, all: 0), (yes: 0, all: 0))
        for bin in bins.indices {
            group = (group.yes + yes[bin], group.all + all[bin])
            guard group.all >= 100 || bin == bins.count - 1 else { continue }
            if Double(group.yes) <= 0.2 * Double(group.all) {
                sums = (sums.yes + group.yes, sums.all + group.all)
            }
            group = (0, 0)
        }
        return sums.all > 0 ? Double(sums.yes) / Double(sums.all) : nil
    }

    /// Stretches in which the share of requests with an outcome is high, as faults.
    private func shares(_ kind: Scenario.Fault.Kind, of outcome: KeyPath<LogDigest.Bin, Int>) -> [Incident] {
        excesses(of: bins.map { $0[keyPath: outcome] }, among: trials)
            .map { excess in
                let share = Double(excess.yes) / Double(excess.all)
                let affected = min(1, max(0, (share - excess.usual) / (1 - excess.usual)))
                let range = WilsonInterval(share: share, of: Double(excess.all)).range
                return incident(
                    kind,
                    excess.stretch,
                    size: affected >= 0.985 ? 1 : affected,
                    interval: range,
                    count: excess.all
                )
            }
    }

    // MARK: - Latency

    /// The logarithms of usual latencies: the mean without the tenth at each end, and the spread by the median deviation.
    private var usualLatency: (center: Double, spread: Double)? {
        let logs = digest.latencies.elements.map { log(Double(max(digest.resolution, $0.value))) }.sorted()
        guard logs.count >= 20 else { return nil }
        let median = logs[logs.count / 2]
        let deviations = logs.map { abs($0 - median) }.sorted()
        let middle = logs[(logs.count / 10)..<max(logs.count / 10 + 1, logs.count * 9 / 10)]
        // A bin's sum of logarithms is compared with a mean, not with a median.
        return (middle.reduce(0, +) / Double(middle.count), max(0.05, 1.4826 * deviations[deviations.count / 2]))
    }

    private func slowness() -> [Incident] {
        guard let usual = usualLatency else { return [] }
        let center = usual.center
        let factors = [1.5, 2, 3, 5, 8, 12, 20, 50, 200].map { log($0) }
        let variance = max(usual.spread * usual.spread, 0.04) * 1.5
        let stretches = ScanStatistic.stretches(count: bins.count, amounts: factors.count, least: least) {
            bin,
            amount in
            let (count, sum) = (Double(bins[bin].timed), bins[bin].logLatency)
            let delta = factors[amount]
            return ((sum - count * center) * delta - count * delta * delta / 2) / variance
        }
        return stretches.compactMap { stretch in
            let count = bins[stretch.bins].reduce(0) { $0 + $1.timed }
            let sum = bins[stretch.bins].reduce(0) { $0 + $1.logLatency }
            guard count >= 3 else { return nil }
            let shift = sum / Double(count) - center
            guard shift > log(1.3) else { return nil }
            let reach = 1.96 * usual.spread / Double(count).squareRoot()
            let factor =
                medianFactor(stretch, among: stretches) ?? (exp(shift), exp(shift - reach)...exp(shift + reach))
            return incident(.apnsSlow, stretch, size: factor.size, interval: factor.interval, count: count)
        }
    }

    /// The ratio of the median latencies within a stretch and outside of all, which timeouts hardly change; nil with few of them.
    private func medianFactor(
        _ stretch: ScanStatistic.Stretch,
        among all: [ScanStatistic.Stretch]
    ) -> (size: Double, interval: ClosedRange<Double>)? {
        guard digest.resolution < 1_000_000 else { return nil }
        func latencies(_ isCounted: (Int) -> Bool) -> Sample? {
            let values = digest.latencies.elements.filter { isCounted(digest.index($0.at)) }.map(\.value).sorted()
            return values.count < 100 ? nil : Sample(values)
        }
        guard let slow = latencies(stretch.bins.contains),
            let usual = latencies({ bin in !all.contains { $0.bins.contains(bin) } })
        else { return nil }
        let (high, low) = (slow.interval(ofQuantile: 0.5), usual.interval(ofQuantile: 0.5))
        return (
            Double(slow.quantile(0.5)) / Double(max(1, usual.quantile(0.5))),
            high.lowerBound / max(1, low.upperBound)...high.upperBound / max(1, low.lowerBound)
        )
    }

    /// Returns `true` if slowness alone makes as many requests time out.
    private func explains(_ slow: [Incident], _ silence: Incident) -> Bool {
        slow.contains { slow in
            let overlap = min(slow.until, silence.until) - max(slow.from, silence.from)
            guard Double(overlap) > 0.5 * Double(silence.until - silence.from), let factor = slow.size,
                let limit = digest.giveUps.elements.map(\.value).max(), let share = silence.size
            else { return false }
            let late = digest.latencies.elements.count { Double($0.value) * factor > Double(limit) }
            let expected = Double(late) / Double(max(1, digest.latencies.elements.count))
            return share < 1.5 * expected + 0.05
        }
    }
}
