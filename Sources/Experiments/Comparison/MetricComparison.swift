public import LiveActivityModel

/// A response in two runs.
public struct MetricComparison: Hashable, Sendable {
    /// The response as it is written.
    public let response: String
    /// The unit of its values: `count`, `us`, `1` for a pure number.
    public let unit: String
    /// Whether its values are parts of a whole.
    public let isShare: Bool
    /// Which way it should go.
    public let direction: MetricDirection
    /// The mean over the replications of the first run that take part; nil where none has a value.
    ///
    /// Where no pair is left because one of the runs has no value at all, the other's mean is over all its replications.
    public let first: Double?
    /// The same of the second run.
    public let second: Double?
    /// The bounds of the confidence interval of second minus first; nil where the replications do not carry one.
    public let interval: ClosedRange<Double>?
    /// How far chance may have moved the difference, rare events included that were not seen; nil where there is one replication.
    public let reach: Double?
    /// How many values of each run take part, or pairs of them.
    public let counts: Counts
    /// How far a difference may go either way without being told from none, in the unit.
    public let noise: Double
    /// Whether every pair, or every value of all, is the same in both runs.
    public let isSame: Bool
    /// Whether some replications are left out because the response is undefined in them, and not all.
    public let isPartial: Bool
    /// The parts of the metric's basis in which the runs differ, so that they are not comparable.
    ///
    /// A part is a setting that says what is measured, or the count of a mean's population, if that has moved and the mean
    /// would pass for better.
    public internal(set) var differingBases: [String]
    /// The reason why the response is not measured; nil if both results measure it.
    public internal(set) var unmet: Unmet?
    /// The levels of the design point that it is of, as `content.ttl=2m`; nil outside of sweeps.
    public var point: String?
    /// Whether the first run has a value and the second none, of a response that has one whenever something works.
    ///
    /// Recoveries are not of that kind: a run without a stale episode has none, and is none the worse for it.
    public internal(set) var isLost: Bool

    /// Why the response is not measured in one of the two, or in both.
    public struct Unmet: Hashable, Sendable {
        /// The reason, with the run that it is about: `A: the monitor is off`.
        public let reason: String
        /// `true` if neither measures it, so no setting of the second is to blame.
        public let isInBoth: Bool
    }

    /// How many values take part.
    public enum Counts: Hashable, Sendable {
        /// Pairs of replications on the same seeds.
        case pairs(Int)
        /// Values of the first run and of the second.
        case independent(Int, Int)
        /// One value of each of two tests in real time, which have no replications.
        case liveRuns
    }

    /// What a comparison comes to.
    public enum Verdict: String, Hashable, Sendable {
        /// Beyond the noise, the way it should go.
        case better
        /// Beyond the noise, the other way; or without a value now, whatever its direction: see ``isLost``.
        case worse
        /// Beyond the noise and up, where there is no way it should go.
        case higher
        /// Beyond the noise and down, where there is no way it should go.
        case lower
        /// The same number in every replication.
        case same
        /// Within the noise for sure.
        case withinNoise = "within_noise"
        /// The interval reaches both within and beyond the noise.
        case unsure
        /// One of the runs has no value.
        case undefined
        /// The runs are not comparable in it: see ``MetricComparison/differingBases``.
        case otherBasis = "other_ruler"
        /// One of the runs, or both, cannot show the response: see ``MetricComparison/unmet``.
        case notMeasured = "not_measured"
    }

    /// Second minus first.
    public var difference: Double? {
        first.flatMap { first in second.map { $0 - first } }
    }

    /// Second minus first, as a part of the first; nil where that is nothing.
    public var relativeDifference: Double? {
        guard let first, first != 0 else { return nil }
        return difference.map { $0 / first.magnitude }
    }

    /// The smallest difference that chance does not explain, in the unit; nil without an estimate of chance.
    ///
    /// The half-width of the interval, where there is one: fewer than half of all comparisons find a true difference that is smaller.
    /// A verdict needs more than noise and reach together.
    public var detectable: Double? { reach.flatMap { $0.isFinite ? $0 : nil } }

    /// `true` if there are replications without an interval, because few or heavy events may decide.
    public var isWithoutInterval: Bool {
        interval == nil && (reach ?? 0) > 0 && difference != nil && verdict != .otherBasis
    }

    /// Whether it should be better or worse, and nothing tells which.
    ///
    /// As where the interval reaches across the border of the noise, the bases differ, or there is one replication only.
    public var isOpen: Bool {
        guard direction != .neutral else { return false }
        switch verdict {
        case .unsure, .otherBasis: return true
        case .notMeasured: return unmet?.isInBoth == false
        case .same, .undefined: return false
        case .better, .worse, .higher, .lower, .withinNoise: return reach == nil && !isLost
        }
    }

    /// `true` if nothing at all can be said of it: the bases differ, or neither run has a value.
    public var isUnjudged: Bool {
        switch verdict {
        case .otherBasis, .notMeasured: true
        case .undefined: !differingBases.isEmpty || first == nil && second == nil
        default: false
        }
    }

    /// The verdict on the difference: by the reach of chance, or by the difference alone where pairs have one replication.
    ///
    /// One replication each of two random worlds shows nothing.
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

    /// The same, of a mean over a population that another comparison counts.
    ///
    /// Fewer recoveries may be the quick ones, and activities that were given up take few pushes: where the count has moved beyond
    /// chance and noise, and not for the better, a better mean tells nothing, nor one that has moved where neither way is
    /// better. A worse one is bad in any case.
    ///
    /// - Parameter whole: The count of which the other is a part, if it is one. A mean that has moved by more than those who are
    ///   gone can explain, were each of them worth ten of the others, is better all the same.
    func of(population: MetricComparison, among whole: MetricComparison?) -> MetricComparison {
        let moves: [Verdict] = [.worse, .higher, .lower, .otherBasis]
        // One replication of each has no interval: what has moved by chance has moved all the same.
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
        and other: @autoclosure () -> Scenario
    ) -> MetricComparison {
        func lack(_ value: Double?, _ scenario: () -> Scenario) -> Requirement.Unmet? {
            value ?? 0 == 0 && response.hasRequirements ? response.unmet(by: scenario(), value: value) : nil
        }
        let lacks = (lack(first, one), lack(second, other))
        var comparison = self
        comparison.unmet =
            switch lacks {
            case (nil, nil): nil
            case (let lack?, nil): Unmet(reason: "A: \(lack.reason)", isInBoth: false)
            case (nil, let lack?): Unmet(reason: "B: \(lack.reason)", isInBoth: false)
            case (let lack?, let otherLack?):
                Unmet(
                    reason: lack == otherLack ? lack.reason : "A: \(lack.reason); B: \(otherLack.reason)",
                    isInBoth: true
                )
            }
        if comparison.unmet != nil { comparison.isLost = false }
        return comparison
    }

    /// The same, of a mean over a population that neither result counts: a better mean tells nothing.
    func ofUnknown(_ count: Response) -> MetricComparison {
        guard verdict == .better else { return self }
        var comparison = self
        comparison.differingBases.append(count.text)
        return comparison
    }

    /// Whether one value of each run is all that a difference rests on, so that nothing tells how far chance goes.
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
