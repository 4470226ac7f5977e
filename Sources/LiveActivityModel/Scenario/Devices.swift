public import Quantities
public import SimulationKernel

extension Scenario {
    /// Riders' phones, from the start of an activity to its end.
    public struct Devices: Hashable, Sendable {
        /// Rides whose phone allows Live Activities at all.
        public var activitiesEnabled = Probability.always
        /// How activities start.
        public var start = Start()
        /// The server's way to start an activity without the app (iOS 17.2).
        public var pushToStart = PushToStart()
        /// The activity's update token on its way to the server, and its rotations.
        public var token = Token()
        /// The time after which an activity ends if no push has followed its first, local content; nil for never.
        public var initialContentLimit: TimeSpan? = .minutes(3)
        /// The time past its stale date after which an activity ends, while the app is running; nil for never.
        public var staleContentLimit: TimeSpan?
        /// Updates by the app without a push, while it is running.
        public var localUpdates = LocalUpdates()
        /// The shortest time between two of the app's updates on the screen; nil if each is drawn at once.
        public var renderInterval: Distribution?
        /// Online and offline times.
        public var connectivity = Connectivity()
        /// Apple's budget for pushes of priority 10.
        public var budget = UpdateBudget()
        /// Additional delay of a push of priority 5.
        public var consideratePriorityDelay: Distribution = .constant(0)
        /// Riders who swipe the activity away.
        public var swipe = Swipe()
        /// Cards that stay on the screen after their activity's end.
        public var dismissal = Dismissal()
        /// Activities whose app marks content past its stale date; nil if that is not modelled.
        public var rendersStale: Probability?
        /// The driver's photo on the card; nil if it is not followed.
        public var pictures: Pictures?
        /// The time after which iOS ends an activity.
        public var systemLimit: TimeSpan = .hours(8)
        /// The time from the end on the device to the server's receipt of the report, for each attempt to send it.
        public var endReport: Distribution = .constant(0)
        /// Reports of ends that fail; nil if every report arrives.
        public var endReportFailure: EndReportFailure?

        /// Creates default phones, which are always online and never fail.
        public init() {}
    }

    /// How an activity is started on the device.
    public struct Start: Hashable, Sendable {
        /// The part that starts it.
        public var by = Starter.app
        /// The time from the ride's request to the activity on the screen: the app asks the server for content, then
        /// iOS for the activity.
        public var time: Distribution = .constant(0)
        /// Attempts that fail because the app is in the background.
        public var background = Probability.never
        /// The spans in which the app is in the foreground, outside which attempts fail; nil if ``background`` decides.
        public var foreground: Foreground?
        /// `true` if the app schedules the activity of a ride that is booked ahead when the rider books it (iOS 26).
        public var schedules = false
        /// Attempts that fail because the phone has too many activities already.
        public var atSystemLimit = Probability.never
        /// Rides whose attributes and content exceed 4 KB, so that every attempt fails.
        public var tooLarge = Probability.never
        /// The time from a failed attempt to the next: the app compares the latest ride's ID with the one it started.
        public var retryAfter: Distribution = .constant(30e6)
        /// The maximum number of attempts, 1...20.
        public var attempts = 1
        /// Each phone's budget for starts by push; nil for no budget.
        public var pushBudget: StartBudget?
        /// The time from one push-to-start token of a phone to the next; nil if they do not change.
        public var tokenRotation: Distribution?
        /// `true` if a start by push whose stale date has passed on arrival is presented all the same.
        public var presentsStale = true
        /// Starts by push without an alert, which iOS does not present.
        public var withoutAlert = Probability.never
        /// `true` if the app compares the latest ride's ID with those of live cards, and ends cards of earlier rides when it
        /// starts one; otherwise it takes such a card for that of the latest ride.
        public var comparesRides = false
        /// The live cards of the app on one phone beyond which iOS refuses another, if the app starts cards beside those of
        /// earlier rides; nil if it does not.
        public var mostCards: Int?

        /// `true` if the app takes a card of an earlier ride for that of the latest.
        var takesOldCards: Bool { !comparesRides && mostCards == nil }

        /// Creates a start that always works.
        public init() {}
    }

    /// The spans in which an app that is to start an activity is in the foreground, from the request of its ride on.
    public struct Foreground: Hashable, Sendable {
        /// The length of a span in the foreground; the first one begins with the request.
        public var stays: Distribution = .constant(60e6)
        /// The length of a span outside it.
        public var away: Distribution = .constant(5 * 60e6)

        /// Creates the default spans.
        public init() {}
    }

    /// Attempts to report an end to the server that fail.
    public struct EndReportFailure: Hashable, Sendable {
        /// The share of attempts that fail.
        public var share: Probability
        /// The time from a failed attempt to the next.
        public var retryAfter: Distribution = .constant(10e6)
        /// The maximum number of attempts, 1...100.
        public var attempts = 1

        /// Creates failures without a second attempt.
        public init(share: Probability) { self.share = share }
    }

    /// A phone's budget for starts by push, as a token bucket.
    public struct StartBudget: Hashable, BitwiseCopyable, Sendable {
        /// The starts that a phone accepts at once.
        public var starts = 10
        /// The time after which one of them comes back.
        public var refill: TimeSpan = .hours(1)

        /// Creates the default budget.
        public init() {}
    }

    /// The part that starts activities.
    public enum Starter: String, CaseIterable, Sendable {
        /// The app, in the foreground.
        case app
        /// The server, by a push to the push-to-start token.
        case push
        /// The app, and the server if the app's attempts have failed.
        case appThenPush = "app_then_push"
    }

    /// Push-to-start: its token, its budget and its failures.
    public struct PushToStart: Hashable, Sendable {
        /// Phones whose push-to-start token the server has.
        public var hasToken = Probability.always
        /// Tokens that are dead while APNs still accepts pushes to them.
        public var dead = Probability.never
        /// Phones that have spent the system's push-to-start budget: the start is accepted, but nothing appears.
        public var budgetExhausted = Probability.never
        /// The time after which the server sends the start again if no update token has come; nil for never.
        ///
        /// A second start whose first one was successful creates a duplicate.
        public var resendAfter: TimeSpan?
        /// The maximum number of starts, 1...20.
        public var attempts = 1

        /// Creates a push-to-start that always works.
        public init() {}
    }

    /// The update token.
    public struct Token: Hashable, Sendable {
        /// Activities for which iOS never issues a token.
        public var never = Probability.never
        /// Activities started by push for which iOS never issues a token; nil if ``never`` holds for them, too.
        public var neverAfterPush: Probability?
        /// The time from the start of the activity to its token.
        public var delay: Distribution = .constant(0)
        /// The time from the token to its receipt by the server, for each attempt to post it.
        public var post: Distribution = .constant(0)
        /// Posts that fail.
        public var postFailure = Probability.never
        /// The time from a failed post to the next.
        public var postRetryAfter: Distribution = .constant(10e6)
        /// The maximum number of posts, 1...100.
        public var postAttempts = 1
        /// The time from one token to the next; nil if tokens do not rotate.
        public var rotation: Distribution?

        /// Creates a token that is issued immediately and never changes.
        public init() {}
    }

    /// Updates by the app itself.
    public struct LocalUpdates: Hashable, Sendable {
        /// `true` if the app updates the activity at stage changes and refreshes while it is running.
        public var enabled = false
        /// The time from the start of the activity to the app's suspension; nil if it runs for the whole ride.
        public var aliveFor: Distribution?
        /// `true` if the app asks the server for its content; `false` if it reads sensors, over Bluetooth for example.
        public var needsConnection = true

        /// Creates settings without local updates.
        public init() {}
    }

    /// A phone's connection: alternating online and offline intervals.
    public struct Connectivity: Hashable, Sendable {
        /// The length of an online interval; nil if always online.
        public var online: Distribution?
        /// The length of an offline interval.
        public var offline: Distribution = .constant(0)
        /// Phones that are offline at first.
        public var initiallyOffline = Probability.never

        /// Creates a connection that is always online.
        public init() {}
    }

    /// A budget for shown pushes in fixed windows, per activity.
    ///
    /// Apple publishes neither the number nor the window; the shape, a fixed window that starts at the first counted
    /// push, is what developers have observed.
    public struct UpdateBudget: Hashable, Sendable {
        /// The number of pushes of priority 10 per window; nil for no budget.
        public var limit: Int?
        /// The window's length.
        public var window: TimeSpan = .hours(1)
        /// `true` if an end event takes effect regardless of the budget; Apple does not say.
        public var endsExempt = true
        /// `true` if all cards on a phone share one budget; Apple does not say.
        public var isShared = false

        /// Creates settings without a budget.
        public init() {}
    }

    /// The driver's photo on the card.
    public struct Pictures: Hashable, Sendable {
        /// The time in which the app downloads the original; nil if it does not.
        ///
        /// The app downloads it as soon as a driver is assigned, if it is running and connected, and hands it to the card
        /// through the files that they share (an App Group).
        public var download: Distribution?

        /// Creates settings with which photos come by push alone.
        public init() {}
    }

    /// The time from the end of an activity to the removal of its card: zero for Apple's `immediate` policy, four hours
    /// for its `default`, and the time to the dismissal date for `after`.
    ///
    /// Source: Apple, "Displaying live data with Live Activities".
    public struct Dismissal: Hashable, Sendable {
        /// Apple's limit, and its default.
        public static let longest = TimeSpan.hours(4)

        /// After an end by the app.
        public var byApp = TimeSpan.zero
        /// After an end by push, as its dismissal date asks.
        public var byPush = TimeSpan.zero
        /// After an end at Apple's limit for an activity.
        public var atLimit = TimeSpan.zero
        /// The time from the end to the removal of the card by its rider; nil for riders who leave it.
        public var removedAfter: Distribution?

        /// Creates settings with which cards disappear at the end of their activity.
        public init() {}

        /// Returns the dismissal date of an end by push; nil for Apple's default, for which a push has none.
        public func date(ofEndSentAt instant: Instant) -> Instant? {
            byPush == Self.longest ? nil : instant + byPush
        }

        /// `true` if no card stays.
        public var isImmediate: Bool { max(byApp, byPush, atLimit) == .zero }
    }

    /// Swipes.
    public struct Swipe: Hashable, Sendable {
        /// Activities that would be swiped away if nothing ended them first.
        public var share = Probability.never
        /// The time from the start of the activity to the swipe.
        public var after: Distribution = .constant(60e6)
        /// Swiped activities that the app mistakenly starts again.
        public var recreated = Probability.never

        /// Creates settings without swipes.
        public init() {}
    }
}
