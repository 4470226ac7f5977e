import Evaluation
import LiveActivityModel
import Statistics

extension MetricComparison {
    /// The basis that differs if one of the two was ended early.
    static let basisOfEarlyEnd = "length"
    /// The basis that differs if two parts of a fleet are compared by a number that grows with their rides.
    static let basisOfRides = "the number of rides"
    /// The basis that differs if one of the two was merged from only some of its load's shares.
    static let basisOfSomeShares = "set of shares"

    /// Compares the values of two runs.
    ///
    /// - Parameters:
    ///   - changes: The settings that differ between the scenarios.
    ///   - isPart: `true` if one of the runs was ended early. A scenario has its own hours and faults, so no metric of
    ///     a part is comparable, shares and ages included.
    ///   - level: The confidence level of the interval.
    init(
        _ response: ResolvedResponse,
        _ first: RunValues,
        _ second: RunValues,
        _ options: ResultComparison.Options,
        changes: [ScenarioChange] = [],
        isPart: Bool = false,
        level: Double = 0.95
    ) {
        self.response = response.text
        differingBases =
            (isPart ? [Self.basisOfEarlyEnd] : []) + changes.map(\.path).filter(response.response.isRedefined)
        unit = response.unit
        isShare = response.isShare
        direction = MetricDirection(of: response.response)
        // Half the rides leave half the cards behind, which is no improvement.
        if unit == "count", direction != .neutral { differingBases += changes.filter(\.isOfRides).map(\.path) }
        let ours: [Double]
        let theirs: [Double]
        if options.isUnpaired {
            ours = first.defined
            theirs = second.defined
            counts = .independent(ours.count, theirs.count)
            isPartial =
                !ours.isEmpty && !theirs.isEmpty
                && (ours.count < first.values.count || theirs.count < second.values.count)
            isSame = false
        } else {
            (ours, theirs) = first.pairs(with: second)
            counts = .pairs(ours.count)
            isPartial = !ours.isEmpty && ours.count < min(first.values.count, second.values.count)
            isSame = !ours.isEmpty && ours == theirs
        }
        let chance = first.difference(to: second, of: response, isPaired: !options.isUnpaired, level: level)
        interval = chance?.interval
        reach = chance?.reach
        // If the other run has no values at all, the mean of this one is over all its values.
        let isOneSided = first.defined.isEmpty != second.defined.isEmpty
        self.first = Self.mean(isOneSided ? first.defined : ours)
        self.second = Self.mean(isOneSided ? second.defined : theirs)
        isLost = !isPart && isOneSided && second.defined.isEmpty && response.response.isDefinedWhenAllIsWell
        noise = (self.first?.magnitude ?? 0) * options.noise
    }

    private static func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
}

extension Response {
    /// `true` if every working run has a value.
    ///
    /// Recoveries need a stale episode first, and a rank of the sender may carry retries only.
    fileprivate var isDefinedWhenAllIsWell: Bool {
        !["recovered_ratio", "recovery_time_us"].contains(metric) && !scope.hasPrefix("rank:")
    }
}
