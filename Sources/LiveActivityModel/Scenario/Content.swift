public import FreshnessCore
public import Quantities
public import SimulationKernel

extension Scenario {
    /// The content that the server sends to the rider: with a stale date, at stage changes and at ETA refreshes.
    public struct Content: Hashable, Sendable {
        /// The time from the generation of content to its stale date.
        public var ttl: TimeSpan = .minutes(3)
        /// The time between ETA refreshes within a stage; nil for no refreshes.
        public var refresh: Distribution?
        /// `true` if a stage change restarts the interval to the next refresh.
        public var refreshRestartsAtStateChange = true
        /// Refreshes at fixed times after the request instead of drawn ones; for golden traces.
        public var updatesAt: [TimeSpan] = []
        /// Pushed updates that lack a stale date; such content never becomes stale on the screen.
        public var staleDateMissing = Probability.never
        /// Activities whose app cannot decode the server's updates: APNs responds with 200, and the screen keeps its
        /// content.
        public var undecodable = Probability.never
        /// The resolution of the payload's `timestamp`.
        ///
        /// Apple's is one second: two updates in the same second have the same timestamp, and the device keeps the
        /// first. Zero means exact timestamps.
        public var timestampResolution: TimeSpan = .zero
        /// `true` if each push of an activity has a later timestamp than the previous one, by at least the resolution.
        public var timestampsRise = false
        /// Updates with a timestamp in milliseconds by mistake, so far in the future that all later updates appear
        /// older.
        public var timestampInMilliseconds = Probability.never
        /// The priority of pushes for stage changes.
        public var stateChangePriority = PushPriority.immediate
        /// The priority of pushes for ETA refreshes.
        public var refreshPriority = PushPriority.immediate
        /// The size of payloads.
        public var payload = Payload()

        /// Creates the default content.
        public init() {}
    }

    /// Payload sizes [bytes] and the ladder that makes a photo fit.
    ///
    /// Lyft sends the driver's photo as data once, shrinks it if the payload is too large, and drops it if the payload
    /// is still too large, so that the update is always sent. Without the ladder, APNs responds with 413.
    public struct Payload: Hashable, Sendable {
        /// The size of the content without a photo; nil turns sizes off.
        public var bytes: Distribution?
        /// The maximum payload that APNs accepts for a Live Activity.
        public var limit = PushEvent.largestPayload
        /// The stage whose first update carries the photo; empty for no photo.
        public var photoStage = ""
        /// The size of the encoded photo.
        public var photoBytes: Distribution = .constant(2800)
        /// The size of the encoded photo after shrinking.
        public var smallPhotoBytes: Distribution = .constant(1400)
        /// `true` if a photo that does not fit is first shrunk and then dropped.
        public var ladder = true

        /// Creates a payload without sizes.
        public init() {}
    }
}
