public import Quantities

/// All parameters of one simulated world, apart from the replication number.
///
/// A plain value in which every default is filled in. `ScenarioLanguage` reads it from YAML and writes it back as
/// `scenario.resolved.yaml`. Each section has a value that disables it (no faults, always online, no loss, no latency),
/// so that cases with an exact answer are ordinary scenarios.
public struct Scenario: Hashable, Sendable {
    /// The name of the run and of its result directory; letters, digits and hyphens.
    public var name = "unnamed"
    /// The subject of the scenario in a sentence or two.
    public var description = ""
    /// The seed of every draw.
    public var seed: UInt64 = 1
    /// The number of replications.
    public var replications = Replications()
    /// The length of the run, and the windows of the results.
    public var clock = Clock()
    /// The arrivals and the stages of rides.
    public var rides = Rides()
    /// The groups of phones that follow one content; nil if each ride has one phone.
    public var groups: Groups?
    /// The content that the server sends to the rider.
    public var content = Content()
    /// The behaviour of riders' phones.
    public var devices = Devices()
    /// Apple's push service between the sender and the phones.
    public var apns = APNs()
    /// The server's connections to APNs.
    public var sender = Sender()
    /// The Freshness Monitor.
    public var monitor = Monitor()
    /// The shares of the fleet with values of their own.
    public var cohorts: [Cohort] = []
    /// The failures.
    public var faults: [Fault] = []
    /// Measurements beyond the default ones.
    public var measure = Measure()
    /// The number of independent shards, each a monitor with its sender, that activities are hashed to, 1...4096.
    public var cells = 1

    /// Creates a scenario of defaults.
    public init() {}
}

extension Scenario {
    /// The run's length and its windows.
    public struct Clock: Hashable, Sendable {
        /// The time in which rides arrive.
        public var duration: TimeSpan = .hours(1)
        /// The maximum time that the run continues without arrivals, so that activities can end.
        ///
        /// The run stops earlier if no events are left.
        public var drain: TimeSpan = .zero
        /// The time at the beginning that is excluded from all statistics.
        public var warmUp: TimeSpan = .zero
        /// The width of a window, which is a row of `timeseries.csv`.
        public var window: TimeSpan = .minutes(15)
        /// The local time of day at the run's start, for labels only.
        public var startsAt: TimeSpan = .zero
        /// The local weekday at the run's start; nil if it does not matter.
        public var startsOn: Weekday?

        /// Creates the default clock.
        public init() {}

        /// The local time at the run's start.
        public var start: LocalTime {
            get { LocalTime(weekday: startsOn, timeOfDay: startsAt) }
            set { (startsOn, startsAt) = (newValue.weekday, newValue.timeOfDay) }
        }
    }
}
