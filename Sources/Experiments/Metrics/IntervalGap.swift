/// Why a value has no interval, and what would give it one.
public struct IntervalGap: Hashable, Sendable {
    /// Why there is none.
    public let reason: Reason
    /// How many times as much of the same would do, by what this run tells; nil where it does not tell.
    public let factor: Double?

    init(_ reason: Reason, factor: Double? = nil) {
        self.reason = reason
        self.factor = factor.flatMap { $0.isFinite ? max(1, $0) : nil }
    }

    /// Why a value has no interval.
    public enum Reason: Int, CaseIterable, Comparable, Hashable, Sendable {
        /// One more activity of the heaviest kind, of which this run need not have seen any, would move it by too much.
        case heaviest
        /// A few events carry it.
        case fewEvents
        /// The parts do not differ, so they say nothing.
        case noVariation
        /// The number of rides is fixed, and cells do not tell how totals vary then.
        case fixedRides
        /// A fault lies inside the measured time, and windows before it, in it and after it are not alike.
        case fault
        /// Rides arrive by the time of day, and windows are not alike.
        case timeOfDay
        /// Windows are too few, or follow each other too closely.
        case windows
        /// One replication of one cell has no parts but windows.
        case onePart

        /// In the order of the cases.
        public static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }
    }
}

/// A 95 % interval, or why there is none.
enum Certainty: Hashable, Sendable {
    /// The bounds, and how many parts they rest on.
    case interval(ClosedRange<Double>, parts: Int)
    /// None, for a reason.
    case gap(IntervalGap)
    /// Nothing was asked for: a quantile, a peak, one replication by itself.
    case none
}
