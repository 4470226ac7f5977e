/// The reason why a value has no interval, and a way to get one.
public struct IntervalGap: Hashable, Sendable {
    public let reason: Reason
    /// An estimate of how many times the run's size is needed, from this run; nil if it cannot be estimated.
    public let factor: Double?

    init(_ reason: Reason, factor: Double? = nil) {
        self.reason = reason
        self.factor = factor.flatMap { $0.isFinite ? max(1, $0) : nil }
    }

    /// A reason why a value has no interval.
    public enum Reason: Int, CaseIterable, Comparable, Hashable, Sendable {
        /// One more activity of the heaviest kind would move the value by too much, and this run may not contain any.
        case heaviest
        /// The value depends on few events.
        case fewEvents
        /// The parts do not differ, so they give no information about variation.
        case noVariation
        /// The number of rides is fixed, and cells do not show how totals vary in that case.
        case fixedRides
        /// A fault lies inside the measured time, so windows before, during and after it differ.
        case fault
        /// Rides arrive by the time of day, so windows differ.
        case timeOfDay
        /// There are too few windows, or consecutive windows are correlated.
        case windows
        /// One replication of one cell has no parts but windows.
        case onePart

        /// Orders the reasons as the cases are declared.
        public static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
    }
}

/// A 95 % interval, or the reason why there is none.
enum Certainty: Hashable, Sendable {
    /// The bounds, and the number of parts behind them.
    case interval(ClosedRange<Double>, parts: Int)
    /// No interval, with a reason.
    case gap(IntervalGap)
    /// No interval was requested: the value is a quantile, a peak, or from a single replication.
    case none
}
