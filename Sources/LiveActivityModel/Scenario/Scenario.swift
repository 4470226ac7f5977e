public import Quantities

/// Everything that one simulated world depends on, apart from the replication number.
///
/// A plain value with every default filled in: `Experiments` reads it from YAML and writes it back as
/// `scenario.resolved.yaml`. Each section has a value that removes it (no faults, always online, no loss, no latency),
/// so that cases with an exact answer are ordinary scenarios.
public struct Scenario: Hashable, Sendable {
    /// Names the run and its result directory; letters, digits and hyphens.
    public var name = "unnamed"
    /// What the scenario is about, in a sentence or two.
    public var description = ""
    /// The seed of every draw.
    public var seed: UInt64 = 1
    /// How long, and how results are cut into windows.
    public var clock = Clock()
    /// Which rides arrive and how each unfolds.
    public var rides = Rides()
    /// What the server tells the rider, and when.
    public var content = Content()
    /// How riders' phones behave.
    public var devices = Devices()
    /// Apple's push service between the sender and the phones.
    public var apns = APNs()
    /// The server's connections to APNs.
    public var sender = Sender()
    /// The Freshness Monitor.
    public var monitor = Monitor()
    /// What breaks, and when.
    public var faults: [Fault] = []
    /// The thresholds at which results are read off.
    public var measure = Measure()
    /// Into how many independent shards (a monitor with its sender) the activities are hashed, 1...4096.
    public var cells = 1

    /// A scenario of defaults.
    public init() {}
}

extension Scenario {
    /// The run's length and its windows.
    public struct Clock: Hashable, Sendable {
        /// How long rides arrive.
        public var duration: TimeSpan = .hours(1)
        /// How much longer the run may go on without arrivals, so that what was begun can end.
        ///
        /// The run stops earlier when nothing is left to happen.
        public var drain: TimeSpan = .zero
        /// How much of the beginning is left out of every statistic.
        public var warmUp: TimeSpan = .zero
        /// The width of a row of `timeseries.csv`.
        public var window: TimeSpan = .minutes(15)
        /// The local time of day that the run's start stands for, for labels only.
        public var startsAt: TimeSpan = .zero

        /// The default clock.
        public init() {}
    }
}
