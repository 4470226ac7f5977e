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
        /// Refreshes when the ETA has moved, instead of ``refresh``; nil for none.
        public var refreshWhenMoved: RefreshWhenMoved?
        /// Background pushes that wake the app, instead of updates and retries of the card; nil for none.
        public var wakeApp: WakeApp?
        /// The time before Apple's limit at which a new activity replaces the old one; nil for never.
        public var renewBefore: TimeSpan?
        /// The ETA in the content; nil if content has no value.
        public var eta: ETA?
        /// `true` if a stage change restarts the interval to the next refresh.
        public var refreshRestartsAtStateChange = true
        /// `true` if the server sends content whenever it receives a token; otherwise only if the ride has entered another stage since
        /// the content on the screen.
        public var isSentOnNewToken = false
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
        /// The endpoint that generates content; nil if content takes no time and is always there.
        public var endpoint: ContentEndpoint?

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
        /// Further shrinking of a photo that does not fit, instead of ``smallPhotoBytes``; nil for none.
        public var shrink: Shrink?
        /// When the photo is sent again.
        public var photoPolicy = PhotoPolicy.once
        /// The size of a second photo, of the car, sent once after the driver's; nil for none.
        public var carPhotoBytes: Distribution?

        /// Creates a payload without sizes.
        public init() {}
    }

    /// Background pushes: the phone wakes the app, which asks the server for content and updates the card itself.
    ///
    /// Apple does not guarantee their delivery and asks for no more than two or three an hour; the budget is a fixed window that
    /// starts with the first push. Source: Apple, "Pushing background updates to your App".
    public struct WakeApp: Hashable, BitwiseCopyable, Sendable {
        /// The number of times per window that the phone wakes the app.
        public var limit = 3
        /// The length of a window.
        public var window: TimeSpan = .hours(1)
        /// The time from the push on the phone to the content in the app.
        public var fetch: TimeSpan = .seconds(1)

        /// Creates Apple's recommendation.
        public init() {}
    }

    /// The endpoint that the server and the app ask for content.
    ///
    /// Its answer also decides about the Live Activity of a ride. Source: Lyft, "Live Activities", where one endpoint
    /// generates the content of pushes and of the app's start.
    public struct ContentEndpoint: Hashable, Sendable {
        /// The time from a request to its answer.
        public var time: Distribution = .constant(0)
        /// Requests that return no content.
        public var failure = Probability.never
        /// The number of times that the server asks for the content of one push.
        public var tries = 1
        /// The time from a failed request to the server's next one.
        public var retryAfter: TimeSpan = .seconds(1)
        /// Rides that get no Live Activity, as the answer to the start's request says.
        public var ineligible = Probability.never

        /// Creates an endpoint that answers at once.
        public init() {}
    }

    /// The loop that shrinks a photo until it fits, and drops it if it would be too small.
    public struct Shrink: Hashable, Sendable {
        /// The size after a step, as a share of the size before.
        public var factor = 0.7
        /// The smallest useful size [bytes].
        public var smallest = 500

        /// Creates the default loop.
        public init() {}
    }

    /// When the driver's photo is part of an update.
    public enum PhotoPolicy: String, CaseIterable, BitwiseCopyable, Sendable {
        /// Once for each driver, whether or not the push arrives, as Lyft does.
        case once
        /// Until the server learns that a push with it was shown: from a delivery report, or from the app while it runs.
        case untilProven = "until_proven"
        /// With each update.
        case always
    }

    /// The server's estimate of a ride's arrival, which changes in steps: by a drift, noise and jumps.
    ///
    /// Only changes matter: a screen is wrong by what has changed since its content was generated and, unless it counts
    /// down, by the time that has passed.
    public struct ETA: Hashable, Sendable {
        /// The time between two estimates.
        public var step: TimeSpan = .seconds(10)
        /// The time by which the arrival moves in a unit of time; above 0 if rides take longer than estimated.
        public var drift = 0.0
        /// The size of the change in each step; nil for none.
        public var noise: Distribution?
        /// Steps in which the estimate jumps: another route, another driver.
        public var jumpShare = Probability.never
        /// The size of a jump.
        public var jump: Distribution = .constant(180e6)
        /// Changes and jumps that make the arrival later.
        public var lateShare = Probability(0.5)
        /// `true` if the card has a `timer` that counts down without updates.
        public var timer = false
        /// `true` if the card has a progress bar that moves without updates, as `ProgressView(timerInterval:)` does.
        public var barTimer = false
        /// The file of recorded estimates, instead of generated ones; empty for none.
        public var file = ""
        /// The names of the file's columns that differ from the known names.
        public var columns = ETAColumns()
        /// The estimates of the file; set by its reader.
        public var series: ETASeries?

        /// Creates an estimate that never changes.
        public init() {}
    }

    /// The names of the columns of a file of estimates; an empty one means the known name.
    public struct ETAColumns: Hashable, Sendable {
        /// The ride.
        public var ride = ""
        /// The stage; with it, times count from the beginning of the stage.
        public var stage = ""
        /// The time of the estimate.
        public var time = ""
        /// The estimated time to arrival.
        public var eta = ""
        /// The estimated time of arrival.
        public var arrival = ""

        /// Creates columns with the known names.
        public init() {}
    }

    /// A refresh policy: a refresh is sent when the estimate has moved since the last content.
    public struct RefreshWhenMoved: Hashable, BitwiseCopyable, Sendable {
        /// The change of the estimate that calls for a refresh.
        public var whenMoved: TimeSpan = .minutes(1)
        /// The shortest time from content to the next refresh.
        public var atMostEvery: TimeSpan = .seconds(15)
        /// The longest time from content to the next refresh; nil for none.
        public var atLeastEvery: TimeSpan?

        /// Creates the default policy.
        public init() {}
    }
}

extension Scenario.Content {
    /// The refreshes within a stage, in one of their two forms; nil for none.
    public var refreshing: Refreshing? {
        get { refreshWhenMoved.map { .whenMoved($0) } ?? refresh.map { .pauses($0) } }
        set {
            (refresh, refreshWhenMoved) = (nil, nil)
            switch newValue {
            case nil: break
            case .pauses(let pauses): refresh = pauses
            case .whenMoved(let policy): refreshWhenMoved = policy
            }
        }
    }

    /// The refreshes within a stage.
    public enum Refreshing: Hashable, Sendable {
        /// After pauses.
        case pauses(Distribution)
        /// When the estimate has moved.
        case whenMoved(Scenario.RefreshWhenMoved)
    }
}
