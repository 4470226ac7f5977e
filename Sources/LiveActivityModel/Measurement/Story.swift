public import FreshnessCore
public import Quantities

/// One thing that happened to one activity, with what the server then believed and what the screen then showed.
public struct StoryLine: Hashable, Sendable {
    /// The ride of the activity.
    public let ride: UInt64
    /// When it happened.
    public let at: Instant
    /// What happened.
    public let happening: Happening
    /// The monitor's view afterwards; nil while it does not watch the instance.
    public let belief: FreshnessClass?
    /// The screen afterwards.
    public let screen: Screen
    /// The later time of an event that is already certain, as the expiry of a push; nil for `at`.
    public internal(set) var takesEffectAt: Instant?

    /// What a phone shows.
    public enum Screen: Hashable, Sendable {
        /// No activity.
        case nothing
        /// Content generated at an instant, good until its stale date.
        case content(ContentStamp)
    }

    /// Where what a screen shows came from.
    public enum ContentSource: UInt8, CaseIterable, BitwiseCopyable, Sendable {
        /// The activity began with it, from the app or a push-to-start.
        case start
        /// The app put it there without a push.
        case app
        /// A push brought it.
        case push
    }

    /// Who sent a push, and why.
    public enum PushKind: UInt8, CaseIterable, BitwiseCopyable, Sendable {
        /// Regular content: a state change or an ETA refresh.
        case update
        /// The monitor's attempt to recover the instance.
        case retry
        /// The end of the activity.
        case end
        /// Push-to-start.
        case start
    }

    /// What became of a push.
    public enum Fate: Hashable, Sendable {
        /// Its content is on the screen.
        case shown
        /// It ended the activity.
        case ended
        /// It started the activity.
        case started
        /// Newer content was on the screen.
        case older
        /// The update budget of the activity was spent.
        case throttled
        /// The app could not decode it.
        case undecodable
        /// Accepted, and never heard of again.
        case lost
        /// Accepted for a token that no longer worked.
        case deadToken
        /// The activity had ended.
        case afterEnd
        /// A newer push took its place while the phone had no connection.
        case replacedInStore
        /// It expired while the phone had no connection.
        case expired
        /// The phone had no connection and the push was not to be kept.
        case notStored
        /// The phone did not act on a start.
        case startIgnored
    }

    /// How an activity can end on a device.
    public enum EndReason: UInt8, CaseIterable, BitwiseCopyable, Sendable {
        /// The ride was completed.
        case rideOver
        /// The ride was given up.
        case cancelled
        /// The monitor gave the instance up.
        case severe
        /// No token came within the limit for initial content.
        case noToken
        /// The token did not reach the server within that limit.
        case tokenNotPosted
        /// No update came within that limit.
        case noUpdate
        /// The rider swiped it away.
        case swiped
        /// Its content was past its stale date for too long.
        case contentExpired
        /// Apple's limit for a Live Activity.
        case systemLimit
    }

    /// What can happen.
    public enum Happening: Hashable, Sendable {
        /// The ride was requested.
        case requested
        /// The ride entered a stage.
        case stageBegan(Int)
        /// The driver dropped the ride, which goes back to an earlier stage.
        case driverDropped
        /// The ride was completed or given up.
        case rideEnded(isCancelled: Bool)
        /// An attempt to start the activity failed.
        case startFailed(reason: StartFailure)
        /// The activity is on the screen.
        case started
        /// iOS yielded a token.
        case tokenYielded
        /// Posting the token failed.
        case tokenPostFailed
        /// The server has the token.
        case tokenPosted
        /// The token changed; the old one no longer works.
        case tokenRotated
        /// The app updated the screen by itself.
        case updatedLocally
        /// A push went into the sender's queue.
        case queued(PushKind)
        /// The sender did not send a push.
        case notSent(PushKind, reason: Unsent)
        /// A state change came too soon after the update before: it is announced later.
        case postponed(until: Instant)
        /// The queue was full: the push comes again.
        case putOff(PushKind, until: Instant)
        /// A push of a better rank took the stream of a request, which waits for the rest of its time.
        case interrupted(PushKind)
        /// An interrupted request goes on.
        case resumed(PushKind)
        /// A newer push of the activity took the stream of a request, which is given up.
        case cancelled(PushKind)
        /// A request is not repeated: the budget for that is spent.
        case repeatWithheld(PushKind)
        /// A request to APNs began; the attempts of one push count from 0.
        case sent(PushKind, priority: PushPriority, attempt: UInt8)
        /// APNs answered.
        case answered(PushKind, refusal: APNsReason?)
        /// No answer came in time, or the connection was lost.
        case unanswered(PushKind)
        /// A push ended.
        case fate(PushKind, Fate)
        /// A push waits in APNs for the phone's connection.
        case stored(PushKind, until: Instant)
        /// The monitor changed its mind.
        case classified(FreshnessClass)
        /// The budget of retries was spent.
        case retryWithheld
        /// The server knows that content is shown, or believes it.
        case confirmed(InstanceFreshness.Confirmation)
        /// The server invalidated the token.
        case tokenInvalidated
        /// The server discarded the token on APNs' word.
        case tokenDiscarded
        /// The activity left the screen.
        case ended(EndReason)
        /// The device's own invalidation reached the server.
        case endReported
    }

    /// Why an activity did not start.
    public enum StartFailure: Hashable, Sendable {
        /// Live Activities are off on this phone.
        case notAllowed
        /// The app was in the background.
        case inBackground
        /// Too many activities on the phone.
        case atSystemLimit
        /// Attributes and content over 4 KB.
        case tooLarge
        /// The server had no content to begin with.
        case noContent
        /// No way left to start it.
        case givenUp
    }

    /// Why a push was not sent.
    public enum Unsent: String, Sendable {
        /// A newer update took its place in the queue.
        case coalesced
        /// The queue was full.
        case queueFull = "queue_full"
        /// The queue was full, and a push that came took its place.
        case displaced
        /// The rate limit had no token.
        case rateLimited = "rate_limited"
        /// It had waited for as long as it may.
        case outOfPatience = "expired"
        /// Too soon after the update before.
        case withinMinimumInterval = "within_minimum_interval"
        /// The server had no content to send.
        case noContent = "no_content"
        /// The token was gone when its turn came.
        case tokenGone = "abandoned"
    }
}

/// Whose stories a cell tells.
public enum Watch: Hashable, Sendable {
    /// No rides.
    case none
    /// That of one ride.
    case ride(UInt64)
    /// Those of all rides of the cell.
    case all

    @inline(__always)
    func covers(_ ride: UInt64) -> Bool {
        switch self {
        case .none: false
        case .ride(let watched): watched == ride
        case .all: true
        }
    }
}

/// Keeps the stories of the watched rides of a cell.
struct Storyteller {
    private let watch: Watch
    /// Whether any ride is watched: what is asked first, wherever something happens.
    private let isListening: Bool
    /// What was told, as it happened.
    private(set) var lines: [StoryLine] = []

    init(_ watch: Watch) {
        self.watch = watch
        isListening = watch != .none
    }

    @inline(__always)
    func watches(_ ride: UInt64) -> Bool { isListening && watch.covers(ride) }

    mutating func add(_ line: StoryLine) {
        lines.append(line)
    }

    /// Sets the later time at which the last line happens.
    mutating func lastTakesEffect(at instant: Instant) {
        guard !lines.isEmpty else { return }
        lines[lines.count - 1].takesEffectAt = instant
    }

    mutating func takeLines() -> [StoryLine] {
        defer { lines = [] }
        return lines
    }
}
