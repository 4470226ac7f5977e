public import Quantities

/// A sample of freshness in a real-time test: on screens, and in the server's belief.
public struct FreshnessGlance: Hashable, Sendable {
    /// Activities on screens, by state.
    public struct Screens: Hashable, Sendable {
        /// Fresh content of the ride's current stage, before its stale date.
        public var fresh = 0
        /// Content past its stale date.
        public var stale = 0
        /// Content of a stage that is over.
        public var wrongStage = 0
        /// The activity of a ride that is over.
        public var leftBehind = 0

        /// Creates counts of zero.
        public init() {}

        /// The activities on screens during rides.
        package var duringRides: Int { fresh + stale + wrongStage }
    }

    /// Watched instances, by class.
    public struct Belief: Hashable, Sendable {
        /// Instances believed fresh.
        public var fresh = 0
        /// Stale instances that can still recover by a retry.
        public var recoverable = 0
        /// Severely stale instances, which are given up.
        public var severe = 0

        /// Creates counts of zero.
        public init() {}

        package var watched: Int { fresh + recoverable + severe }
    }

    /// The time since the beginning; in a scenario's run, simulated time.
    public var at: TimeSpan
    /// The activities on screens; nil if unknown.
    public var screens: Screens?
    /// The server's belief; nil if unknown.
    public var belief: Belief?

    /// Creates a sample at an instant.
    public init(at: TimeSpan, screens: Screens? = nil, belief: Belief? = nil) {
        self.at = at
        self.screens = screens
        self.belief = belief
    }

    /// The share of activities during rides that show fresh content; nil if there are none.
    package var freshOnScreens: Double? { screens.flatMap { Self.share($0.fresh, of: $0.duringRides) } }

    /// The share of watched instances that are believed fresh; nil if there are none.
    package var freshInBelief: Double? { belief.flatMap { Self.share($0.fresh, of: $0.watched) } }

    private static func share(_ part: Int, of whole: Int) -> Double? {
        whole > 0 ? Double(part) / Double(whole) : nil
    }
}
