public import Quantities
public import SimulationKernel

extension Scenario {
    /// Riders' phones, from the start of an activity to its end.
    public struct Devices: Hashable, Sendable {
        /// Rides whose phone allows Live Activities at all.
        public var activitiesEnabled = Probability.always
        /// How activities start.
        public var start = Start()
        /// The server's own way to start one, without the app (iOS 17.2).
        public var pushToStart = PushToStart()
        /// The activity's update token on its way to the server, and its rotations.
        public var token = Token()
        /// An activity whose first, local content is not followed by a push within this time ends itself; nil: never.
        public var initialContentLimit: TimeSpan? = .minutes(3)
        /// An activity whose content is past its stale date by this much ends itself while the app lives; nil: never.
        public var staleContentLimit: TimeSpan?
        /// Updates by the app itself, without a push, while it lives.
        public var localUpdates = LocalUpdates()
        /// Times with and without a connection.
        public var connectivity = Connectivity()
        /// Apple's budget for pushes of priority 10.
        public var budget = UpdateBudget()
        /// Extra time that a push of priority 5 waits on its way.
        public var consideratePriorityDelay: Distribution = .constant(0)
        /// Riders who swipe the activity away.
        public var swipe = Swipe()
        /// Apple ends an activity after this time.
        public var systemLimit: TimeSpan = .hours(8)
        /// From the end on the device to the server's receipt of the token invalidation.
        public var endReport: Distribution = .constant(0)

        /// Default phones: always online, nothing fails.
        public init() {}
    }

    /// How an activity is started on the device.
    public struct Start: Hashable, Sendable {
        /// Who starts it.
        public var by = Starter.app
        /// From the ride's request to the activity on the screen: the app asks the server for content, then iOS.
        public var time: Distribution = .constant(0)
        /// Attempts that fail because the app is in the background.
        public var background = Probability.never
        /// Attempts that fail because the phone has too many activities already.
        public var atSystemLimit = Probability.never
        /// Rides whose attributes and content exceed 4 KB, so that every attempt fails.
        public var tooLarge = Probability.never
        /// From a failed attempt to the next: the app compares the latest ride's id with the one it started.
        public var retryAfter: Distribution = .constant(30e6)
        /// Attempts in all, 1...20.
        public var attempts = 1

        /// A start that works.
        public init() {}
    }

    /// Who starts activities.
    public enum Starter: String, CaseIterable, Sendable {
        /// The app, in the foreground.
        case app
        /// The server, by a push to the push-to-start token.
        case push
        /// The app; the server when the app's attempts have failed.
        case appThenPush = "app_then_push"
    }

    /// Push-to-start: its token, its budget and its accidents.
    public struct PushToStart: Hashable, Sendable {
        /// Phones whose push-to-start token the server has.
        public var hasToken = Probability.always
        /// Tokens that are dead while APNs still accepts pushes to them.
        public var dead = Probability.never
        /// Phones that have used up the system's push-to-start budget; the start is accepted but nothing appears.
        public var budgetExhausted = Probability.never
        /// The server sends the start again when no update token has come after this time; nil: never.
        ///
        /// A second start that finds the first one alive makes a duplicate.
        public var resendAfter: TimeSpan?
        /// Starts in all, 1...20.
        public var attempts = 1

        /// A push-to-start that works.
        public init() {}
    }

    /// The update token.
    public struct Token: Hashable, Sendable {
        /// Activities for which iOS never yields a token.
        public var never = Probability.never
        /// From the start of the activity to its token.
        public var delay: Distribution = .constant(0)
        /// From the token to its receipt by the server, for each attempt to post it.
        public var post: Distribution = .constant(0)
        /// Posts that fail.
        public var postFailure = Probability.never
        /// From a failed post to the next.
        public var postRetryAfter: Distribution = .constant(10e6)
        /// Posts in all, 1...100.
        public var postAttempts = 1
        /// From one token to the next; nil: tokens do not rotate.
        public var rotation: Distribution?

        /// A token that comes at once and stays.
        public init() {}
    }

    /// Updates by the app itself.
    public struct LocalUpdates: Hashable, Sendable {
        /// Whether the app updates the activity at state changes and refreshes while it lives.
        public var enabled = false
        /// From the start of the activity to the app's suspension; nil: it lives as long as the ride.
        public var aliveFor: Distribution?

        /// No local updates.
        public init() {}
    }

    /// A phone's connection: stretches with and without, in turn.
    public struct Connectivity: Hashable, Sendable {
        /// How long a connected stretch lasts; nil: always connected.
        public var online: Distribution?
        /// How long a stretch without connection lasts.
        public var offline: Distribution = .constant(0)
        /// Phones that begin without connection.
        public var initiallyOffline = Probability.never

        /// Always connected.
        public init() {}
    }

    /// A budget of shown pushes in fixed windows, per activity.
    ///
    /// Apple publishes neither the number nor the window; the shape (a fixed window that starts at the first counted
    /// push) is what developers observed.
    public struct UpdateBudget: Hashable, Sendable {
        /// Pushes of priority 10 per window; nil: no budget.
        public var limit: Int?
        /// The window's length.
        public var window: TimeSpan = .hours(1)
        /// Whether an end event takes effect however much of the budget is spent; Apple does not say.
        public var endsExempt = true

        /// No budget.
        public init() {}
    }

    /// Swipes.
    public struct Swipe: Hashable, Sendable {
        /// Activities that would be swiped away if nothing ended them first.
        public var share = Probability.never
        /// From the start of the activity to the swipe.
        public var after: Distribution = .constant(60e6)
        /// Swiped activities that the app starts again by mistake.
        public var recreated = Probability.never

        /// No swipes.
        public init() {}
    }
}
