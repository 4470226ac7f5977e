import FreshnessCore
import Quantities
import SimulationKernel

/// The state of one ride and its Live Activity: on the phone, on the server, and in the world.
///
/// Belief and truth stand side by side: ``instance`` is what the server knows, ``Screen`` what the phone shows.
struct Activity {
    /// The ride's number, which keys all its draws.
    let ride: UInt64
    let requestedAt: Instant
    /// The row of the trace, or -1.
    let traceRow: Int

    // The ride.
    var stage = 0
    var stageEnd = Instant.never
    /// When the rider gives up, if nothing comes first.
    var cancelAt = Instant.never
    var isRideOver = false
    var isCancelled = false
    var refreshCount: UInt32 = 0
    /// How many waits for a refresh were begun.
    ///
    /// Each has a draw of its own: a wait that a state change cuts short must not come again.
    var refreshWaits: UInt32 = 0

    // The phone.
    var phase = Phase.starting
    var screen = Screen()
    var connectivity = Connectivity()
    var appAliveUntil = Instant.start
    var swipeAt = Instant.never
    var budgetWindowEnd = Instant.start
    var budgetSpent = 0
    /// The push that APNs keeps for the phone.
    var storedPush = Activity.noPush
    var lastDeliveryAt = Instant.start
    var isUndecodable = false
    /// How the activity ended, if it has.
    var lastEnd: StoryLine.EndReason?

    // The update token on its way to the server.
    var registration = Registration.idle
    var startAttempts: UInt32 = 0
    var startPushes: UInt32 = 0
    var postAttempts: UInt32 = 0
    var postCount: UInt32 = 0
    /// How many tokens iOS has yielded; the last one is the one that works.
    var tokenNumber: UInt32 = 0
    /// How many of them belong to the activity as it was before a swipe.
    var formerTokens: UInt32 = 0
    /// How often the activity was put on the screen: once, or more after a swipe.
    var life: UInt8 = 0

    // The server.
    var instance: InstanceFreshness?
    /// Whether the monitor has given this life of the activity up.
    var isGivenUp = false
    /// The token that the server has; 0 for none.
    var serverToken: UInt32 = 0
    /// Since when that token no longer works.
    var serverTokenDeadSince = Instant.never
    /// The ride's stage in the content that the server sent last.
    var announcedStage = 0
    var pushNumbers = PushNumbers()
    /// How many lines of the script of APNs are used up.
    var scriptedRequests: UInt32 = 0
    /// The latest timestamp that the server has put on a push.
    var lastTimestamp = Int64.min
    var wakeCount: UInt32 = 0
    var lastUpdateAt = Instant.never
    var isPhotoSent = false
    /// The content push that waits in the sender, for coalescing.
    var queuedPush = Activity.noPush
    /// How often pushes were sent away to come again; each has a draw of its own.
    var requeueCount: UInt32 = 0
    /// When the episode began that was counted; nil outside one.
    ///
    /// For measurement only.
    var countedEpisode: Instant?

    var alarms = Alarms()

    /// Up to when times are accounted for.
    var accountedUntil: Instant
    /// The age of what this life of the activity has shown.
    var age = Age()
    /// Whether the place is taken.
    var isInUse = true

    static let noPush = UInt32.max

    init(ride: UInt64, requestedAt: Instant, traceRow: Int) {
        self.ride = ride
        self.requestedAt = requestedAt
        self.traceRow = traceRow
        accountedUntil = requestedAt
    }

    /// Whether there is an activity on the phone.
    enum Phase: UInt8 {
        /// Not yet, or not any more to come.
        case starting
        case live
        case ended
    }

    /// What the registration alarm is set for.
    enum Registration: UInt8 {
        case idle
        case startAttempt
        case tokenYield
        case tokenPost
        case tokenPostRetry
        case endReport
    }

    /// The running numbers of pushes, by kind; see ``Push/index``.
    ///
    /// Kinds are numbered apart, so that a monitor which retries more leaves the draws of regular updates as they were.
    struct PushNumbers {
        /// State changes and refreshes, whether or not an update came of them.
        ///
        /// Counted before any filter: what becomes of one occasion says nothing about the number of the next.
        var occasions: UInt32 = 0
        private var retries: UInt32 = 0
        private var ends: UInt32 = 0
        private var starts: UInt32 = 0

        /// The number of a new push, from 0; an update has that of the last occasion.
        mutating func take(for kind: StoryLine.PushKind) -> UInt32 {
            switch kind {
            case .update: return occasions &- 1
            case .retry:
                retries &+= 1
                return retries &- 1
            case .end:
                ends &+= 1
                return ends &- 1
            case .start:
                starts &+= 1
                return starts &- 1
            }
        }
    }

    /// What the phone shows.
    struct Screen {
        var content = ContentStamp(generatedAt: .start, staleDate: .never)
        /// The content with which the activity began.
        var firstContent = ContentStamp(generatedAt: .start, staleDate: .never)
        /// The payload's timestamp, by which the phone tells newer from older.
        var timestamp: Int64 = .min
        var startedAt = Instant.never
        /// Up to when the age of what is shown has been measured.
        var ageMeasuredUntil = Instant.never
        /// Whether nothing has followed the first, local content.
        var isInitial = true
    }

    /// The age of information on one screen, over the measured time.
    struct Age {
        /// The measured time on the screen [µs].
        var time: Int64 = 0
        /// Twice the integral of the age over that time [µs²]; eight hours alone pass 64 bits.
        var doubledIntegral: Int128 = 0
        /// The largest age that was reached [µs].
        var largest: Int64 = 0
    }

    /// The phone's connection, advanced only when somebody asks.
    struct Connectivity {
        var isOnline = true
        var until = Instant.never
        var index: UInt32 = 0
    }
}

/// The state of one request to APNs, and of the push it carries on the way to the phone.
struct Push {
    let activity: UInt32
    let ride: UInt64
    let life: UInt8
    let kind: StoryLine.PushKind
    var priority: PushPriority
    /// Keys the draws of this push: its kind in bits 25 and 26, its number among those of its kind below them.
    var index: UInt32
    /// Its place among others that wait, 0...7.
    let rank: UInt8
    /// Whether it is counted: not before the warm-up is over.
    var isCounted = false
    /// Whether it is known how it ends.
    var isConcluded = false
    var standing = Standing.offered

    var content: ContentStamp
    var timestamp: Int64
    var bytes: Int
    /// How the driver's photo fared in it, to be counted when it is sent; nil where none was due.
    var photo: Counter?
    var attempt = 0
    var token: UInt32 = 0
    /// When it was first offered to the sender.
    var queuedAt: Instant
    /// When it is dropped, unless its request has begun; `never` without such a limit.
    var patienceEnds = Instant.never
    /// When it is offered again; `never` unless it is in orbit.
    var returnsAt = Instant.never
    /// What is left of an interrupted request.
    var remaining = TimeSpan.zero
    var sentAt = Instant.never
    var connection: UInt32 = 0

    /// When the sender hears, or gives up; `never` when it has.
    var responseDue = Instant.never
    var response = Response.accepted
    /// When it reaches the phone; `never` when it has, or will not.
    var deliveryDue = Instant.never
    /// A newer push took its place in APNs' store.
    var isReplaced = false
    /// Where the request is at APNs, if APNs has a queue.
    var service = Service.none
    var isInUse = true

    /// Where the sender has it.
    ///
    /// ```
    ///  offered ─► waiting ─► underWay ─► done
    ///       │ ▲      │        │    ▲
    ///       ▼ │      ▼        ▼    │
    ///   inOrbit     gone    interrupted
    /// ```
    enum Standing: UInt8 {
        /// Not admitted yet.
        case offered
        /// In the queue; its request has not begun.
        case waiting
        /// It found the queue full and comes again.
        case inOrbit
        /// Its request holds a stream.
        case underWay
        /// Its request has begun and waits in the queue for the rest of its time.
        case interrupted
        /// Its request is over.
        case done
    }

    enum Service: UInt8 {
        /// Not there, or no longer.
        case none
        case waiting
        case underWay
    }

    enum Response {
        case accepted
        case refused(APNsReason)
        case timedOut
        case connectionLost
    }
}

extension Push {
    /// Whether APNs has still to decide what becomes of it: it has no fate and is not on its way.
    var isUndecided: Bool { !isConcluded && deliveryDue == .never }

    /// The index of the push with a number among those of its kind.
    static func index(of kind: StoryLine.PushKind, number: UInt32) -> UInt32 {
        UInt32(kind.rawValue) << 25 | number & (1 << 25 - 1)
    }

    /// Keys the draws of this request, of which a push that is repeated has several.
    ///
    /// From the top: 2 bits of kind, 25 bits of number, 5 bits of attempt (0...31).
    var drawIndex: UInt32 { index << 5 | UInt32(attempt) & 31 }
}
