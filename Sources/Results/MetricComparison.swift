import Evaluation
public import LiveActivityModel

/// The comparison of a response in two runs.
public struct MetricComparison: Hashable, Sendable {
    /// The text of the response.
    public internal(set) var response: String
    /// The unit of its values: `count`, `us`, `1` for a pure number.
    public let unit: String
    /// `true` if its values are shares of a whole.
    public let isShare: Bool
    /// The direction in which the metric should move.
    public let direction: MetricDirection
    /// The mean over the replications of the first run that take part; nil if none has a value.
    ///
    /// If one of the runs has no value at all, no pairs are left, and the other's mean is over all its replications.
    public let first: Double?
    /// The mean of the second run, in the same way.
    public let second: Double?
    /// The bounds of the confidence interval of second minus first; nil if the replications do not support one.
    public internal(set) var interval: ClosedRange<Double>?
    /// The largest difference that chance explains, including rare events that did not occur; nil with one replication.
    public internal(set) var reach: Double?
    /// The numbers of values that take part.
    public let counts: Counts
    /// The largest difference that counts as none, in the unit.
    public internal(set) var noise = 0.0
    /// `true` if all values are the same in both runs.
    public internal(set) var isSame = false
    /// `true` if some replications, but not all, are left out because the response is undefined in them.
    public internal(set) var isPartial = false
    /// The parts of the metric's basis that differ between the runs, so that they are not comparable.
    ///
    /// A part is a setting that defines the metric, or the count of a mean's population. The count is listed if it has
    /// moved and the mean seems to be better.
    public internal(set) var differingBases: [String] = []
    /// The reason why the response is not measured; nil if both results measure it.
    public internal(set) var unmet: Unmet?
    /// The levels of the design point, such as `content.ttl=2m`; nil except in sweeps.
    public var point: String?
    /// `true` if the first run has a value and the second has none, for a response that every working run has.
    ///
    /// Recoveries are not such a response: a run without a stale episode has none, and that is no fault.
    public internal(set) var isLost = false
    /// The difference that is allowed between a simulation and a live run; nil if any is, and in other comparisons.
    public internal(set) var tolerance: Tolerance?

    /// The reason why at least one of the two does not measure the response.
    public struct Unmet: Hashable, Sendable {
        /// The reason, preceded by the run that it concerns: `A: the monitor is off`.
        public let reason: String
        /// `true` if neither measures it, so that no setting of the second is the cause.
        public let isInBoth: Bool
    }

    /// The numbers of values that take part.
    public enum Counts: Hashable, Sendable {
        /// The number of pairs of replications on the same seeds.
        case pairs(Int)
        /// The numbers of values of the first run and of the second.
        case independent(Int, Int)
        /// One value of each of two loads, which have no replications.
        case liveRuns
    }

    /// The result of a comparison.
    public enum Verdict: String, Hashable, Sendable {
        /// Beyond the noise, in the right direction.
        case better
        /// Beyond the noise in the wrong direction, or lost, whatever the direction: see ``isLost``.
        case worse
        /// Beyond the noise and up, for a metric without a direction.
        case higher
        /// Beyond the noise and down, for a metric without a direction.
        case lower
        /// The same number in every replication.
        case same
        /// Certainly within the noise.
        case withinNoise = "within_noise"
        /// Possibly within the noise and possibly beyond it.
        case unsure
        /// One of the runs has no value.
        case undefined
        /// Not comparable: see ``MetricComparison/differingBases``.
        case otherBasis = "other_ruler"
        /// Not shown by at least one of the runs: see ``MetricComparison/unmet``.
        case notMeasured = "not_measured"
    }

    /// Second minus first.
    public var difference: Double? {
        first.flatMap { first in second.map { $0 - first } }
    }

    /// Second minus first, as a share of the first; nil if the first is 0 or undefined.
    public var relativeDifference: Double? {
        guard let first, first != 0 else { return nil }
        return difference.map { $0 / first.magnitude }
    }

    /// The smallest difference that chance does not explain, in the unit; nil without an estimate of chance.
    ///
    /// If there is an interval, this is its half-width. A true difference smaller than this is found in fewer than half
    /// of all comparisons. A verdict needs a difference beyond noise and reach together.
    public var detectable: Double? { reach.flatMap { $0.isFinite ? $0 : nil } }

    /// `true` if there are replications but no interval, because few events, or heavy ones, may decide.
    public var isWithoutInterval: Bool {
        interval == nil && (reach ?? 0) > 0 && difference != nil && verdict != .otherBasis
    }

    /// `true` if the metric has a direction, but neither better nor worse is certain.
    ///
    /// The interval may cross the limit of the noise, the bases may differ, or there is only one replication.
    public var isOpen: Bool {
        guard direction != .neutral else { return false }
        switch verdict {
        case .unsure, .otherBasis: return true
        case .notMeasured: return unmet?.isInBoth == false
        case .same, .undefined: return false
        case .better, .worse, .higher, .lower, .withinNoise: return reach == nil && !isLost
        }
    }

    /// `true` if nothing is known of the difference: the bases differ, or neither run has a value.
    public var isUnjudged: Bool {
        switch verdict {
        case .otherBasis, .notMeasured: true
        case .undefined: !differingBases.isEmpty || first == nil && second == nil
        default: false
        }
    }

    /// The verdict on the difference.
    ///
    /// It considers the reach of chance, except for pairs with one replication, in which the difference alone decides.
    /// Single replications of two independent worlds show nothing.
    public var verdict: Verdict {
        if unmet != nil { return .notMeasured }
        guard let difference else { return isLost ? .worse : .undefined }
        guard differingBases.isEmpty else { return .otherBasis }
        if isSame { return .same }
        if isOfSingleWorlds { return .unsure }
        let reach = reach ?? 0
        if difference - reach >= -noise, difference + reach <= noise { return .withinNoise }
        if difference - reach > noise { return beyond(isUp: true) }
        if difference + reach < -noise { return beyond(isUp: false) }
        return .unsure
    }

    /// Returns the comparison of a mean, in light of a comparison of its population's count.
    ///
    /// The recoveries that remain may be the quick ones, and activities that were given up take few pushes. So if the
    /// count has moved beyond chance and noise, and not for the better, a better mean proves nothing. The same goes for
    /// a change of a mean without a direction. A worse mean is bad in any case.
    ///
    /// - Parameter whole: The count that includes the other one, if any. A mean is still better if it has moved by more
    ///   than the missing members could explain, even if each of them weighed as much as ten others.
    func of(population: MetricComparison, among whole: MetricComparison?) -> MetricComparison {
        let moves: [Verdict] = [.worse, .higher, .lower, .otherBasis]
        // With one replication each there is no interval. A chance move of the count is a move all the same.
        guard [.better, .higher, .lower].contains(verdict), moves.contains(population.verdict) else { return self }
        if let moved = population.difference, let all = whole?.first, let difference, let first,
            abs(difference) * all > 10 * abs(moved * first)
        {
            return self
        }
        var comparison = self
        comparison.differingBases.append(population.response)
        return comparison
    }

    /// Returns the comparison with the requirements that the two scenarios do not meet.
    ///
    /// - Complexity: A scenario is evaluated only where its result has no value above 0.
    func asMeasured(
        _ response: ResolvedResponse,
        in one: @autoclosure () -> Scenario,
        and other: @autoclosure () -> Scenario,
        named names: ResultComparison.Names = .letters
    ) -> MetricComparison {
        func lack(_ value: Double?, _ scenario: () -> Scenario) -> Requirement.Unmet? {
            value ?? 0 == 0 && response.hasRequirements ? response.unmet(by: scenario(), value: value) : nil
        }
        let lacks = (lack(first, one), lack(second, other))
        var comparison = self
        comparison.unmet =
            switch lacks {
            case (nil, nil): nil
            case (let lack?, nil): Unmet(reason: "\(names.titles.first): \(lack.reason)", isInBoth: false)
            case (nil, let lack?): Unmet(reason: "\(names.titles.second): \(lack.reason)", isInBoth: false)
            case (let lack?, let otherLack?):
                Unmet(
                    reason: lack == otherLack
                        ? lack.reason
                        : "\(names.titles.first): \(lack.reason); \(names.titles.second): \(otherLack.reason)",
                    isInBoth: true
                )
            }
        if comparison.unmet != nil { comparison.isLost = false }
        return comparison
    }

    /// Returns the comparison of a mean over a population that neither result counts: a better mean proves nothing.
    func ofUnknown(_ count: Response) -> MetricComparison {
        guard verdict == .better else { return self }
        var comparison = self
        comparison.differingBases.append(count.text)
        return comparison
    }

    /// `true` if the difference rests on one value of each run, so that the effect of chance is unknown.
    public var isOfOneReplication: Bool {
        switch counts {
        case .pairs(let count): count == 1
        case .independent(let first, let second): min(first, second) == 1
        case .liveRuns: true
        }
    }

    /// `true` if the runs are independent and one has a single value, so that there is no verdict.
    var isOfSingleWorlds: Bool { if case .independent = counts { reach == nil && difference != nil } else { false } }

    private func beyond(isUp: Bool) -> Verdict {
        switch direction {
        case .higher: isUp ? .better : .worse
        case .lower: isUp ? .worse : .better
        case .neutral: isUp ? .higher : .lower
        }
    }
}
