public import Quantities

/// How fresh everything is at one instant of a test in real time: on screens, and as the server believes.
public struct FreshnessGlance: Hashable, Sendable {
    /// Activities on screens, by what these show.
    public struct Screens: Hashable, Sendable {
        /// Content of the stage that the ride is in, before its stale date.
        public var fresh = 0
        /// Content past its stale date.
        public var stale = 0
        /// A stage that is over.
        public var wrongStage = 0
        /// The activity of a ride that is over.
        public var leftBehind = 0

        /// Nothing on any screen.
        public init() {}

        /// During rides.
        var duringRides: Int { fresh + stale + wrongStage }
    }

    /// Watched instances, by class.
    public struct Belief: Hashable, Sendable {
        /// Believed fresh.
        public var fresh = 0
        /// Stale, and worth a retry.
        public var recoverable = 0
        /// Stale for so long that they are given up.
        public var severe = 0

        /// Nothing watched.
        public init() {}

        var watched: Int { fresh + recoverable + severe }
    }

    /// When, since the beginning; of a scenario's run, in the scenario's time.
    public var at: TimeSpan
    /// What screens show; nil where that is not known.
    public var screens: Screens?
    /// What the server believes; nil where that is not known.
    public var belief: Belief?

    /// A look at an instant.
    public init(at: TimeSpan, screens: Screens? = nil, belief: Belief? = nil) {
        self.at = at
        self.screens = screens
        self.belief = belief
    }

    /// The share of activities during rides that show fresh content; nil where there are none.
    var freshOnScreens: Double? { screens.flatMap { Self.share($0.fresh, of: $0.duringRides) } }

    /// The share of watched instances that are believed fresh; nil where there are none.
    var freshInBelief: Double? { belief.flatMap { Self.share($0.fresh, of: $0.watched) } }

    private static func share(_ part: Int, of whole: Int) -> Double? {
        whole > 0 ? Double(part) / Double(whole) : nil
    }
}

/// Looks in the order of time, no more than a chart can show: where there are too many, every other one goes.
public struct FreshnessGlances: Hashable, Sendable {
    /// What is kept.
    public private(set) var all: [FreshnessGlance] = []
    private var stride = 1
    private var count = 0

    /// The newest, kept or not.
    public private(set) var last: FreshnessGlance?

    /// No look yet.
    public init() {}

    /// Adds a look.
    public mutating func append(_ glance: FreshnessGlance) {
        last = glance
        defer { count += 1 }
        guard count.isMultiple(of: stride) else { return }
        all.append(glance)
        guard all.count > 2 * Chart.largestStepCount else { return }
        all = all.indices.filter { $0.isMultiple(of: 2) }.map { all[$0] }
        stride *= 2
    }
}
