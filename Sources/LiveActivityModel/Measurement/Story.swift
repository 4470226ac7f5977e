public import FreshnessCore
public import Quantities

/// An event of one activity, with the server's belief and the screen after it.
public struct StoryLine: Hashable, Sendable {
    /// The ride of the activity.
    public let ride: UInt64
    /// When it happened.
    public let at: Instant
    /// The event.
    public let happening: Happening
    /// The monitor's view afterwards; nil while it does not watch the instance.
    public let belief: FreshnessClass?
    /// The screen afterwards.
    public let screen: Screen
    /// The later time of an event that is already certain, such as the expiry of a push; nil for `at`.
    public internal(set) var takesEffectAt: Instant?

    /// The state of a phone's screen.
    public enum Screen: Hashable, Sendable {
        /// No activity.
        case nothing
        /// Content generated at an instant and valid until its stale date.
        case content(ContentStamp)
    }

    /// An interval of a phone's connection.
    public struct ConnectionInterval: Hashable, BitwiseCopyable, Sendable {
        /// The end of the interval; `never` for a phone that is always online.
        public let until: Instant
        /// Its number in the sequence of intervals of the phone.
        public let index: UInt32
        public let isOnline: Bool
    }

    /// The source of the content on a screen.
    public enum ContentSource: UInt8, CaseIterable, BitwiseCopyable, Sendable {
        /// The activity started with it, from the app or a push-to-start.
        case start
        /// The app set it without a push.
        case app
        /// A push brought it.
        case push
    }

    /// The sender and the purpose of a push.
    public enum PushKind: UInt8, CaseIterable, BitwiseCopyable, Sendable {
        /// Regular content: a stage change or an ETA refresh.
        case update
        /// The monitor's attempt to recover the instance.
        case retry
        /// The end of the activity.
        case end
        /// Push-to-start.
        case start
    }

    /// The fate of a push.
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
        /// Accepted, but never delivered.
        case lost
        /// Accepted for a token that no longer worked.
        case deadToken
        /// The activity had ended.
        case afterEnd
        /// A newer push replaced it while the phone was offline.
        case replacedInStore
        /// It expired while the phone was offline.
        case expired
        /// The phone was offline and the push was not to be stored.
        case notStored
        /// The phone did not act on a start.
        case startIgnored
        /// It woke the app.
        case wokeApp
    }

    /// How an activity can end on a device.
    public enum EndReason: UInt8, CaseIterable, BitwiseCopyable, Sendable {
        /// The ride was completed.
        case rideOver
        /// The ride was cancelled.
        case cancelled
        /// The monitor gave up on the instance.
        case severe
        /// No token came within the limit for initial content.
        case noToken
        /// The token did not reach the server within that limit.
        case tokenNotPosted
        /// No update came within that limit.
        case noUpdate
        /// The rider swiped it away.
        case swiped
        /// Its content was too long past its stale date.
        case contentExpired
        /// Apple's limit for a Live Activity.
        case systemLimit
        /// A new activity replaced it before that limit.
        case renewed
        /// The app ended it when it started the card of a later ride.
        case leftOver
    }

    /// An event in a history.
    public enum Happening: Hashable, Sendable {
        /// The ride was requested.
        case requested
        /// The ride entered a stage.
        case stageBegan(Int)
        /// The driver dropped the ride, which goes back to an earlier stage.
        case driverDropped
        /// The ride was completed or cancelled.
        case rideEnded(isCancelled: Bool)
        /// An attempt to start the activity failed.
        case startFailed(reason: StartFailure)
        /// The server asked its endpoint for the content of a push, which arrives later.
        case contentRequested(PushKind, until: Instant)
        /// The phone dropped a start by push.
        case startDropped(PushStarts.Drop)
        /// The activity is on the screen.
        case started
        /// iOS issued a token.
        case tokenYielded
        case tokenPostFailed
        /// The server has the token.
        case tokenPosted
        /// The token changed; the old one no longer works.
        case tokenRotated
        /// The rider has had a ride before, after which the phone's connection went on; rides count from 0. Some cards of earlier
        /// rides may still be live.
        case bookedAgain(ride: Int, oldCards: Int, ConnectionInterval)
        /// The app ended the live card of an earlier ride.
        case endedOldCard(ride: UInt64)
        /// The ride belongs to a cohort, numbered from 1.
        case joined(cohort: Int)
        /// The ride belongs to a group, by the number of the group's first ride.
        case joinedGroup(ride: UInt64, isByChannel: Bool)
        /// A group has a channel; it begins the history of the channel's record.
        case channelCreated
        /// APNs sends a push of the channel to this phone.
        case sentOn(PushKind)
        /// The server has the phone's new push-to-start token.
        case startTokenPosted
        /// The app updated the screen on its own.
        case updatedLocally
        /// The card of the ended activity stays on the screen; from an instant its content is wrong, `never` if it stays right.
        case cardStays(until: Instant, wrongFrom: Instant)
        /// Newer content has changed the time to arrival on the screen.
        case etaCorrected(by: TimeSpan)
        /// Content was stale on the screen until now.
        case wasStale(since: Instant, isMarked: Bool)
        /// A photo went into a payload, or was left out; sizes in bytes, and 0 for a photo that was left out.
        case photoPacked(Photo, original: Int, packed: Int, payload: Int)
        /// A payload is too large for APNs [bytes].
        case payloadTooLarge(Int, limit: Int)
        /// A push with an alert about a stage was created.
        case alertCreated(stage: Int)
        /// The card shows the driver's photo.
        case photoShown(DriverPhoto)
        /// A push with the driver's photo did not reach the card, or was no newer than its content.
        case photoLost(isOutdated: Bool)
        /// The app downloads the original photo, which the card shows from an instant on.
        case photoDownloads(until: Instant)
        /// An alert lit up the screen; late if its stage was over.
        case alerted(isLate: Bool)
        /// The app updated the activity, and the phone draws it later.
        case drawingWaits(until: Instant)
        /// A push went into the sender's queue.
        case queued(PushKind)
        /// The sender did not send a push.
        case notSent(PushKind, reason: Unsent)
        /// A stage change came too soon after the previous update; it is announced later.
        case postponed(until: Instant)
        /// The queue was full; the push is offered again.
        case putOff(PushKind, until: Instant)
        /// A push of a better rank took the stream of a request, which waits with its remaining time.
        case interrupted(PushKind)
        /// An interrupted request resumed.
        case resumed(PushKind)
        /// A newer push of the activity took the stream of a request, which is cancelled.
        case cancelled(PushKind)
        /// A request is not retried, because the retry budget is spent.
        case repeatWithheld(PushKind)
        /// A request to APNs began; the attempts of one push count from 0.
        case sent(PushKind, priority: PushPriority, attempt: UInt8)
        /// APNs responded.
        case answered(PushKind, refusal: APNsReason?)
        /// No response came in time, or the connection was lost.
        case unanswered(PushKind)
        /// A push ended.
        case fate(PushKind, Fate)
        /// A push is stored at APNs until the phone is online.
        case stored(PushKind, until: Instant)
        /// The monitor's classification changed.
        case classified(FreshnessClass)
        /// The budget of retries was spent.
        case retryWithheld
        /// The server knows or believes that content is shown.
        case confirmed(InstanceFreshness.Confirmation)
        /// The server invalidated the token.
        case tokenInvalidated
        /// The server discarded the token because APNs reported it invalid.
        case tokenDiscarded
        /// The activity left the screen.
        case ended(EndReason)
        /// The phone's own end of the activity was reported to the server.
        case endReported
        /// A report of the end did not reach the server.
        case endReportFailed(isLast: Bool)
    }

    /// The subject of a photo.
    public enum Photo: Hashable, Sendable {
        case driver, car
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
        /// The endpoint's answer allows the ride no Live Activity.
        case notEligible
        /// The app took the card of an earlier ride for that of this one.
        case oldCard
        /// No way of starting it is left.
        case givenUp
    }

    /// Why a push was not sent.
    public enum Unsent: String, Sendable {
        /// A newer update replaced it in the queue.
        case coalesced
        /// The queue was full.
        case queueFull = "queue_full"
        /// The queue was full, and a newer push displaced it.
        case displaced
        /// The rate limit had no token.
        case rateLimited = "rate_limited"
        /// Its patience ended.
        case outOfPatience = "expired"
        /// Too soon after the previous update.
        case withinMinimumInterval = "within_minimum_interval"
        /// The server had no content to send.
        case noContent = "no_content"
        /// The token was gone when its turn came.
        case tokenGone = "abandoned"
    }
}

/// The rides whose histories a cell records.
public enum Watch: Hashable, Sendable {
    /// No rides.
    case none
    /// The history of one ride.
    case ride(UInt64)
    /// The histories of all rides of the cell.
    case all
    /// The events of all rides that a server can know, as rows of an event log instead of lines; also the content that phones showed,
    /// if `withScreens` is true.
    case serverLog(withScreens: Bool)

    @inline(__always)
    func covers(_ ride: UInt64) -> Bool {
        switch self {
        case .none: false
        case .ride(let watched): watched == ride
        case .all, .serverLog: true
        }
    }
}

/// Keeps the histories of the watched rides of a cell.
struct Storyteller {
    private let watch: Watch
    /// `true` if any ride is watched; the first check at every event.
    private let isListening: Bool
    /// The recorded lines, in the order of their events.
    private(set) var lines: [StoryLine] = []
    /// The rows of the event log; nil if histories are recorded as lines.
    var log: ServerLog?

    init(_ watch: Watch) {
        self.watch = watch
        if case .serverLog(let withScreens) = watch { log = ServerLog(withScreens: withScreens) }
        isListening = watch != .none
    }

    @inline(__always)
    func watches(_ ride: UInt64) -> Bool { isListening && watch.covers(ride) }

    mutating func add(_ line: StoryLine) {
        lines.append(line)
    }

    /// Sets the time at which the last line takes effect.
    mutating func lastTakesEffect(at instant: Instant) {
        guard !lines.isEmpty else { return }
        lines[lines.count - 1].takesEffectAt = instant
    }

    mutating func takeLines() -> [StoryLine] {
        defer { lines = [] }
        return lines
    }
}
