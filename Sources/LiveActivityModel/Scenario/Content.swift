public import FreshnessCore
public import Quantities
public import SimulationKernel

extension Scenario {
    /// What the server tells the rider: content with a stale date, at state changes and at ETA refreshes.
    public struct Content: Hashable, Sendable {
        /// From the generation of content to its stale date.
        public var ttl: TimeSpan = .minutes(3)
        /// Time between ETA refreshes within a stage; nil sends none.
        public var refresh: Distribution?
        /// Whether a state change restarts the wait for the next refresh.
        public var refreshRestartsAtStateChange = true
        /// Refreshes at fixed times after the request, in place of drawn ones; for golden traces.
        public var updatesAt: [TimeSpan] = []
        /// Pushed updates whose stale date is forgotten: such content never becomes stale on the screen.
        public var staleDateMissing = Probability.never
        /// Activities whose app cannot decode what the server sends: APNs says 200, the screen keeps its content.
        public var undecodable = Probability.never
        /// The resolution of the payload's `timestamp`.
        ///
        /// Apple's is one second: two updates in one second look equally new, and the device keeps the first. Zero
        /// stands for exact timestamps.
        public var timestampResolution: TimeSpan = .zero
        /// Whether the server stamps each push of an activity later than the one before, by the resolution at least.
        public var timestampsRise = false
        /// Updates stamped in milliseconds by mistake: a time so far ahead that all later updates look old.
        public var timestampInMilliseconds = Probability.never
        /// The priority of pushes for state changes.
        public var stateChangePriority = PushPriority.immediate
        /// The priority of pushes for ETA refreshes.
        public var refreshPriority = PushPriority.immediate
        /// The size of what is sent.
        public var payload = Payload()

        /// Default content.
        public init() {}
    }

    /// Payload sizes [bytes] and the ladder by which a photo is made to fit.
    ///
    /// Lyft sends the driver's photo as data once, shrinks it when the payload would be too large and drops it when it
    /// still is, so that the update always goes out; without the ladder APNs answers 413.
    public struct Payload: Hashable, Sendable {
        /// The content without a photo; nil turns sizes off.
        public var bytes: Distribution?
        /// The largest payload that APNs accepts for a Live Activity.
        public var limit = PushEvent.largestPayload
        /// The stage whose first update carries the photo; empty for no photo.
        public var photoStage = ""
        /// The photo at its first size, encoded.
        public var photoBytes: Distribution = .constant(2800)
        /// The photo shrunk further, encoded.
        public var smallPhotoBytes: Distribution = .constant(1400)
        /// Whether a photo that does not fit is shrunk and then dropped.
        public var ladder = true

        /// No sizes.
        public init() {}
    }
}
