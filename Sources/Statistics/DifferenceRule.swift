/// The bound on the effect of chance on the mean difference of replications under two settings.
///
/// Student's interval of the differences is wrong if rare events dominate: replications without the event agree well,
/// and differ from the long-run mean by its whole contribution. Differences therefore follow the same rules as the
/// values of a summary. An interval is printed only if three conditions hold: the events that were plausible but not
/// observed (``GammaInterval/mostUnseen(level:)``) would change the difference by no more than its half-width, counts
/// differ by at least ten events, and the differences are not skewed. A verdict allows for the unobserved events, so a
/// difference that they cannot explain is certain even without an interval.
public struct DifferenceRule: Hashable, Sendable {
    /// The number of differences.
    public let count: Int
    /// The half-width of Student's interval in standard errors.
    private let student: Double
    /// The number of plausible events when none was observed.
    private let mostUnseen: Double

    /// The minimum number of events for an interval; the standard error of their count is then below a third of it.
    public static let fewestEvents = 10.0
    /// The minimum number of counts that have all changed in the same direction.
    ///
    /// Fewer may be a coincidence: with six the probability is less than one in twenty (the sign test).
    private static let fewestChanges = 6

    /// Creates the rule for a number of replications; nil for fewer than two, which do not show the effect of chance.
    ///
    /// - Parameter level: The probability that an interval contains the true difference, above 0 and below 1.
    public init?(count: Int, level: Double = 0.95) {
        guard count >= 2 else { return nil }
        self.count = count
        student = Student.reach(level: level, degreesOfFreedom: Double(count - 1))
        mostUnseen = GammaInterval.mostUnseen(level: level)
    }

    /// The mean of second minus first, for pairs whose members share their random numbers.
    ///
    /// - Parameters:
    ///   - event: The change of the mean by one event of the heaviest kind; see ``eventSize(of:isShare:)``.
    ///   - areCounts: `true` if the values count events.
    /// - Precondition: Each array has ``count`` values, all finite.
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
        // A few differences that are all equal would give a width of zero, and if most are zero they are not normally
        // distributed.
        let isCoincidence =
            (1..<Self.fewestChanges).contains(changed)
            && (changed < count || Set(differences).count == 1 && varies)
        guard !isCoincidence else { return MeanDifference(mean: differences.mean, halfWidth: nil, reach: .infinity) }
        // If no value varies, the difference is not random.
        let isCertain = !varies && Set(second).count == 1
        let found = difference(differences, event: isCertain ? 0 : max(event, 1 / Double(count)))
        let events = differences.reduce(0) { $0 + $1.magnitude }
        return events < Self.fewestEvents ? found.withoutInterval : found
    }

    /// The mean of differences.
    ///
    /// - Parameter event: The change of the mean by one event of the heaviest kind.
    /// - Precondition: There are ``count`` differences, all finite.
    public func difference(_ differences: [Double], event: Double = 0) -> MeanDifference {
        // Settings that never differ count as equal.
        guard differences.contains(where: { $0 != 0 }) else { return MeanDifference(mean: 0, halfWidth: nil, reach: 0) }
        let number = Double(count)
        // Equal values have no error, although their mean may be rounded.
        let isConstant = Set(differences).count == 1
        let error = isConstant ? 0 : (differences.squaredDeviations / (number - 1) / number).squareRoot()
        let found = MeanDifference(mean: differences.mean, halfWidth: student * error, unseen: mostUnseen * event)
        return differences.isSkewed(around: found.mean) ? found.withoutInterval : found
    }

    /// The size of one event of the kind that makes a value vary: the variance of the mean divided by the mean.
    ///
    /// For rare events of one size, the mean is their number times that size, and its variance is their number times
    /// the square of the size. If sizes differ, the large ones have the largest weight, as in the variance. For a
    /// share, the events are those of the rarer of the share and its complement.
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

/// A mean difference and the bound on the effect of chance.
public struct MeanDifference: Hashable, Sendable {
    public let mean: Double
    /// The half-width of its interval; nil if the replications do not support one.
    public let halfWidth: Double?
    /// The maximum effect of chance on the mean, including rare events that were not observed; infinite without an
    /// estimate.
    public let reach: Double

    /// Creates a difference with Student's or Welch's half-width.
    ///
    /// - Parameter unseen: The change of the mean by plausible events that were not observed.
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

    /// The difference of two independent samples' means, with Welch's interval; nil if either has fewer than two
    /// values.
    ///
    /// - Parameter event: The change of either mean by one event of the heaviest kind.
    /// - Precondition: All values are finite; the level is above 0 and below 1.
    public init?(independent first: [Double], _ second: [Double], event: Double = 0, level: Double = 0.95) {
        guard let welch = WelchInterval(first, second, level: level) else { return nil }
        let unseen = GammaInterval.mostUnseen(level: level) * event
        self.init(mean: welch.difference, halfWidth: welch.halfWidth, unseen: unseen)
    }

    /// The interval; nil if there is none.
    public var interval: ClosedRange<Double>? { halfWidth.map { (mean - $0)...(mean + $0) } }

    /// The range of values that chance allows; nil without an estimate.
    public var bounds: ClosedRange<Double>? { reach.isFinite ? (mean - reach)...(mean + reach) : nil }

    /// `true` if chance does not explain the difference.
    public var isBeyondChance: Bool { mean.magnitude > reach }

    fileprivate var withoutInterval: MeanDifference { MeanDifference(mean: mean, halfWidth: nil, reach: reach) }
}
