/// How far chance may move the mean difference of replications under two settings.
///
/// Student's interval of the differences misses the truth where a rare event decides: replications in which it did not happen agree
/// well, and differ from the long run by all that it would have added. So a difference has the rules that the values of a summary
/// have. An interval is printed only where the events that may well have been due unseen (``GammaInterval/mostUnseen(level:)``)
/// would move the difference by no more than its half-width, where counts differ by ten events at least, and where the
/// differences are not skewed. A verdict allows for the unseen events, so a difference that they cannot explain is sure without
/// an interval.
public struct DifferenceRule: Hashable, Sendable {
    /// How many differences there are.
    public let count: Int
    /// The chance that an interval holds the true difference.
    public let level: Double
    /// How many standard errors Student's interval reaches to either side.
    private let student: Double
    /// How many events may have been due where none was seen.
    private let mostUnseen: Double

    /// The fewest events that carry an interval: the standard error of their count is below a third of it then.
    public static let fewestEvents = 10.0
    /// Fewer counts that have all changed the same way may have done so by chance: with six it is less than one case in twenty (the
    /// sign test).
    private static let fewestChanges = 6

    /// The rule for a number of replications; nil for fewer than two, which say nothing about chance.
    ///
    /// - Precondition: The level is above 0 and below 1.
    public init?(count: Int, level: Double = 0.95) {
        guard count >= 2 else { return nil }
        self.count = count
        self.level = level
        student = Student.reach(level: level, degreesOfFreedom: Double(count - 1))
        mostUnseen = GammaInterval.mostUnseen(level: level)
    }

    /// The mean of second minus first, where both members of a pair have seen the same world.
    ///
    /// - Parameters:
    ///   - event: By how much one event of the heaviest kind moves the mean, see ``eventSize(of:isShare:)``.
    ///   - areCounts: `true` if the values count events.
    /// - Precondition: Each has ``count`` values, all finite.
    public func difference(
        _ first: [Double],
        _ second: [Double],
        event: Double = 0,
        areCounts: Bool = false
    ) -> MeanDifference {
        precondition(first.count == count && second.count == count, "a value of each replication")
        let differences = zip(first, second).map { $1 - $0 }
        guard areCounts, (first + second).allSatisfy({ $0 == $0.rounded() }) else {
            return difference(differences, event: event)
        }
        let changed = differences.count { $0 != 0 }
        let varies = Set(first).count > 1
        // A few that have all changed by the same number would leave no width, and most that have not changed are no normal values.
        let isCoincidence =
            (1..<Self.fewestChanges).contains(changed)
            && (changed < count || Set(differences).count == 1 && varies)
        guard !isCoincidence else { return MeanDifference(mean: differences.mean, halfWidth: nil, reach: .infinity) }
        // Where nothing varies, nothing was left to chance.
        let isCertain = !varies && Set(second).count == 1
        let found = difference(differences, event: isCertain ? 0 : max(event, 1 / Double(count)))
        let events = differences.reduce(0) { $0 + $1.magnitude }
        return events < Self.fewestEvents ? found.withoutInterval : found
    }

    /// The mean of some differences.
    ///
    /// - Parameter event: By how much one event of the heaviest kind moves the mean.
    /// - Precondition: There are ``count`` differences, all finite.
    public func difference(_ differences: [Double], event: Double = 0) -> MeanDifference {
        // Settings that never differed count as equal.
        guard differences.contains(where: { $0 != 0 }) else { return MeanDifference(mean: 0, halfWidth: nil, reach: 0) }
        let number = Double(count)
        // Of equal values, whose mean may be rounded, there is none.
        let isConstant = Set(differences).count == 1
        let error = isConstant ? 0 : (differences.squaredDeviations / (number - 1) / number).squareRoot()
        let found = MeanDifference(mean: differences.mean, halfWidth: student * error, unseen: mostUnseen * event)
        return differences.isSkewed(around: found.mean) ? found.withoutInterval : found
    }

    /// How large one event is of the kind that makes a value vary: the variance of the mean over the mean.
    ///
    /// A mean that rare events of one size make up is their number times that size, and its variance their number times the size's
    /// square. Where sizes differ, the large ones weigh most, as they do in the variance. Of a share it is the rarer of the share
    /// and its complement that events make up.
    ///
    /// - Parameter values: The value of each replication, at least two.
    public static func eventSize(of values: [Double], isShare: Bool) -> Double {
        guard values.count >= 2, Set(values).count > 1 else { return 0 }
        let mean = values.mean
        let rarer = isShare ? min(mean, 1 - mean) : mean
        guard rarer > 0 else { return 0 }
        return values.squaredDeviations / Double((values.count - 1) * values.count) / rarer
    }
}

/// A mean difference, and how far chance may have moved it.
public struct MeanDifference: Hashable, Sendable {
    /// The mean.
    public let mean: Double
    /// From the mean to either end of its interval; nil where the replications do not carry one.
    public let halfWidth: Double?
    /// How far chance may have moved the mean, including rare events that were not seen; infinite without an estimate.
    public let reach: Double

    /// A difference with Student's or Welch's half-width.
    ///
    /// - Parameter unseen: How far the events that may have been due unseen would move it.
    init(mean: Double, halfWidth: Double, unseen: Double) {
        self.init(
            mean: mean,
            halfWidth: halfWidth > 0 && unseen <= halfWidth ? halfWidth : nil,
            reach: max(halfWidth, unseen)
        )
    }

    fileprivate init(mean: Double, halfWidth: Double?, reach: Double) {
        self.mean = mean
        self.halfWidth = halfWidth
        self.reach = reach
    }

    /// The difference of two independent samples' means, with Welch's interval; nil when either has fewer than two values.
    ///
    /// - Parameter event: By how much one event of the heaviest kind moves either mean.
    /// - Precondition: All values are finite; the level is above 0 and below 1.
    public init?(independent first: [Double], _ second: [Double], event: Double = 0, level: Double = 0.95) {
        guard let welch = WelchInterval(first, second, level: level) else { return nil }
        let unseen = GammaInterval.mostUnseen(level: level) * event
        self.init(mean: welch.difference, halfWidth: welch.halfWidth, unseen: unseen)
    }

    /// From the lower to the upper end of the interval; nil where there is none.
    public var interval: ClosedRange<Double>? { halfWidth.map { (mean - $0)...(mean + $0) } }

    /// From the lowest to the highest value that chance allows; nil without an estimate.
    public var bounds: ClosedRange<Double>? { reach.isFinite ? (mean - reach)...(mean + reach) : nil }

    /// `true` if chance does not explain it.
    public var isBeyondChance: Bool { mean.magnitude > reach }

    fileprivate var withoutInterval: MeanDifference { MeanDifference(mean: mean, halfWidth: nil, reach: reach) }
}
