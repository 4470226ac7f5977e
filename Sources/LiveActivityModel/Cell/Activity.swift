import FreshnessCore
import Quantities
import SimulationKernel

/// The state of one ride and its Live Activity: on the phone, on the server, and in the world.
///
/// Belief and truth are separate: ``monitor`` holds what the server knows, ``phone`` what the phone shows.
///
/// The properties form groups of 64 bytes, one cache line each, arranged by the events that use them:
///
/// - a speculative refresh reads all groups but the last,
/// - a push that goes through the queue reads the first three,
/// - a response reads the first, the third and the fourth,
/// - a delivery reads the first and the fourth to the sixth.
///
/// The last group holds what is needed at most once per ride. An activity is aligned to cache lines and seven lines
/// long, so no group crosses a line; a test checks that. In a large cell most activities are packed, so a new property
/// must be added to ``transfer(through:_:)`` as well.
struct Activity: BitwiseCopyable, Hashable {
    // MARK: 1. The ride and its refreshes

    /// The ride's number, which keys all its draws.
    private(set) var ride: UInt64
    /// The start of the current stage; content generated before it shows an earlier stage.
    var stageBeganAt: Instant
    /// When the next ETA refresh is due.
    var refreshAlarm = Alarm()
    var refreshCount: UInt32 = 0
    private var stageNumber: UInt8 = 0
    /// `true` if the server has sent content since the current stage began.
    var isStageAnnounced = true
    /// The number of drivers that have dropped the ride.
    var rematchCount: UInt16 = 0
    var isRideOver = false
    /// The source of the content that the screen shows, or showed last.
    var contentSource = StoryLine.ContentSource.start
    /// How the current stage ends.
    var nextMove = Move.onward
    /// `true` if an activity occupies the slot.
    var isInUse = true
    /// The index of its segment of the fleet; 0 if there are none.
    private(set) var segment: UInt8
    /// `true` if the monitor has given up on this life of the activity.
    var isGivenUp = false
    /// The number of times the activity was put on the screen: more than one after a swipe.
    var life: UInt8 = 0
    var registration = Registration.idle
    /// The push that waits in the sender and can be coalesced with a newer one.
    var waitingPush = WaitingPush()
    /// The number of tokens that iOS has issued; only the last one is valid.
    var tokenNumber: UInt32 = 0
    /// The number of its pushes in memory: waiting, unanswered or being delivered.
    var pushCount: UInt32 = 0

    // MARK: 2. The server's pushes

    /// The state that APNs keeps for the activity.
    var destination = APNsDestination()
    var pushNumbers = PushNumbers()
    /// When the server's token stopped working; `never` while it works, or if there is none.
    var tokenDeadSince = Instant.never
    var pace = UpdatePace()
    /// The timestamps on the server's pushes, if the scenario makes them increase.
    var timestamps = RisingTimestamps()
    /// The instant up to which times are accounted for.
    var accountedUntil: Instant

    // MARK: 3. The server's belief

    /// The state that the monitor keeps for the activity.
    var monitor = MonitorStation()

    // MARK: 4. Timers and the connection

    /// The timer of the monitor's deadline; before there is an instance, of the next start that the server resends.
    var monitorReminder = Reminder()
    /// The timer of the phone's own end of the activity.
    var deviceReminder = Reminder()
    /// The start of the episode that was counted; `never` outside one.
    ///
    /// For measurement only.
    var countedEpisode = Instant.never
    var connectivity = Connectivity()
    /// The location of the newest content.
    ///
    /// For measurement only, as is ``isStageSeen``; both are in this group because it has room.
    var whereabouts = Whereabouts.onScreen
    /// `true` if a screen has shown the current stage of the ride.
    ///
    /// With wrong timestamps, a screen may show the stage and then an earlier one again.
    var isStageSeen = false
    /// `true` if the rider cancelled the ride.
    var isCancelled = false
    /// `true` if the rider will swipe the activity away unless it ends first.
    ///
    /// The time from start to swipe is drawn on demand.
    var isToBeSwiped = false
    /// When the activity appeared on the screen.
    var startedAt = Instant.never
    /// The end of the time in which the app can act on its own.
    var appAliveUntil = Instant.start

    // MARK: 5. The phone

    var phone = PhoneStation()
    /// How the activity ended, if it has.
    var lastEnd: StoryLine.EndReason?
    /// The instant up to which the age of the content on the screen is measured.
    var ageMeasuredUntil = Instant.never
    /// When the ride enters its next stage or ends; `never` after the ride.
    var movesOnAt = Instant.never
    /// The number of times pushes were deferred by a full queue; each deferral has its own draw.
    var requeueCount: UInt32 = 0
    /// The index of the push with the newest content, or of the end push after the ride; ``noPush`` if no push carries
    /// it.
    ///
    /// For measurement only.
    var newestPush = Activity.noPush

    // MARK: 6. The age of what this life of the activity has shown, and the token's next change

    var age = Age()
    /// The next change of the update token.
    var rotationAlarm = Alarm()
    private(set) var requestedAt: Instant
    /// The number of requests that the server has sent for the activity in all its lives.
    var requestCount: UInt32 = 0
    var isPhotoSent = false
    /// `true` if timers are set without an event, because speculation schedules only the next one.
    var hasUnscheduledTimers = false
    /// The number of times the phone has posted its current token, or reported its end; in this group because it has room.
    var postAttempts: UInt16 = 0

    // MARK: 7. State that is needed at most once per ride

    /// The content that the activity started with.
    var firstContent = Activity.noContent
    /// The alarm for the step that ``registration`` names.
    var registrationAlarm = Alarm()
    /// When the server resends a start if no token has arrived; `never` if it does not.
    var resendDue = Instant.never
    /// The row of the trace; -1 if the ride is not from a trace.
    private(set) var traceRow: Int32
    /// The number of tokens that belong to the activity before its last swipe.
    var formerTokens: UInt32 = 0
    var postCount: UInt32 = 0
    var startAttempts: UInt16 = 0
    var startPushes: UInt16 = 0
    /// `true` if the rider will cancel the ride unless something else comes first.
    ///
    /// The time to cancellation is drawn on demand.
    var isToBeCancelled = false

    /// The alarm for a token change at an instant.
    ///
    /// An alarm after the ride's next stage change or the phone's next timer has no event yet. The earlier event
    /// schedules it, because most activities end hours before their token changes.
    @inline(__always)
    func rotation(at due: Instant) -> Alarm {
        Alarm(due: due, next: due <= min(movesOnAt, deviceReminder.next) ? due : .never)
    }

    static let noPush = UInt32.max

    init(ride: UInt64, requestedAt: Instant, traceRow: Int32, segment: UInt8 = 0) {
        self.ride = ride
        self.requestedAt = requestedAt
        self.traceRow = traceRow
        self.segment = segment
        stageBeganAt = requestedAt
        accountedUntil = requestedAt
    }

    /// `true` if it is the server's record of a channel, which is on no phone; see `CellSimulation+Groups.swift`.
    @inline(__always)
    var isChannel: Bool { ride & WorldEntity.channel != 0 }

    /// The stage of the ride.
    var stage: Int {
        @inline(__always) get { Int(stageNumber) }
        set { stageNumber = UInt8(newValue) }
    }

    /// The server's knowledge of the screen; nil while it has no token.
    @inline(__always)
    var instance: InstanceFreshness? { monitor.freshness }

    /// The token that the server holds; 0 if it holds none.
    @inline(__always)
    var serverToken: UInt32 { monitor.token }

    /// `true` if the server holds, or has held, a token of this life of the activity; otherwise there is no instance.
    @inline(__always)
    var isTokenPosted: Bool { instance != nil || serverToken != 0 }

    /// `true` if the content that the screen shows, or showed last, was generated in the current stage of the ride.
    ///
    /// Content generated at the instant of a stage change belongs to the new stage.
    @inline(__always)
    var showsStage: Bool { phone.content.generatedAt >= stageBeganAt }

    /// How a stage of a ride ends.
    enum Move: UInt8 {
        /// The next stage begins, or the ride ends.
        case onward
        /// The rider cancels the ride.
        case cancellation
        /// The driver drops the ride.
        case rematching
    }

    /// The first content of an activity that has not started.
    static var noContent: ContentStamp { ContentStamp(generatedAt: .start, staleDate: .never) }

    /// The step of the registration that the alarm is set for.
    enum Registration: UInt8 {
        case idle
        case startAttempt
        /// The endpoint answers with content.
        case startContent
        /// The endpoint answers without content.
        case startWithoutContent
        case tokenYield
        case tokenPost
        case tokenPostRetry
        case endReport
        /// The end was not reported; the activity is kept until the server has finished with it.
        case oblivion
    }

    /// The age of information on one screen over the measured time.
    struct Age: Hashable {
        /// Twice the integral of the age over ``time`` [µs²]; eight hours already exceed 64 bits.
        var doubledIntegral: Int128 = 0
        /// The measured time on the screen [µs].
        var time: Int64 = 0
        /// The largest age so far [µs].
        var largest: Int64 = 0

        @inline(__always)
        mutating func record(from low: Int64, to high: Int64) {
            time += high - low
            doubledIntegral += Ramp.doubledArea(from: low, to: high)
            largest = max(largest, high)
        }

        /// Adds several intervals whose largest age is known.
        mutating func record(_ stretches: RampTally.Open.Batch, upTo high: Int64) {
            time += stretches.time
            doubledIntegral += stretches.doubledIntegral
            largest = max(largest, high)
        }
    }

    /// The state of the phone's connection, computed on demand.
    struct Connectivity: Hashable {
        var until = Instant.never
        var index: UInt32 = 0
        var isOnline = true
    }
}

// MARK: - Packing

extension Activity {
    /// Packs or unpacks the state in which idle activities differ.
    ///
    /// State that follows from other state is derived, and state that can no longer matter is dropped in both
    /// directions.
    ///
    /// See ``RestingActivity``.
    @inline(__always)
    mutating func transfer(through packed: inout some PackedTransfer, _ cohorts: RestingActivity.RulesOfCohorts) {
        var isStaleDated = phone.content.staleDate != .never
        var isWatched = instance != nil
        var areRising = timestamps != RisingTimestamps()
        packed.transfer(
            &isStageAnnounced,
            &isStageSeen,
            &isPhotoSent,
            &isToBeSwiped,
            &isToBeCancelled,
            &connectivity.isOnline,
            &isStaleDated,
            &isWatched
        )
        packed.transfer(&areRising)

        // The ride.
        packed.transfer(&ride, bytes: 5)
        packed.transfer(&requestedAt)
        packed.transfer(&traceRow)
        packed.transfer(&segment)
        let rules = cohorts[segment]
        packed.transfer(&stageNumber)
        packed.transfer(&stageBeganAt)
        packed.transfer(&movesOnAt)
        packed.transfer(&nextMove)
        packed.transfer(&rematchCount, bytes: 1)
        packed.transfer(&refreshAlarm)
        packed.transfer(&refreshCount, bytes: 2)

        // The phone.
        packed.transfer(&life)
        phone.transfer(through: &packed, isShown: life > 0, ttl: isStaleDated ? rules.pointee.ttl : nil)
        if life > 0 {
            packed.transfer(&firstContent.generatedAt)
            packed.derive(&firstContent.staleDate, firstContent.generatedAt + rules.pointee.ttl)
            packed.transfer(&postAttempts, bytes: 1)
            startAttempts = 0
        } else {
            packed.transfer(&startAttempts, bytes: 1)
        }
        packed.transfer(&startedAt)
        packed.transfer(&appAliveUntil)
        packed.transfer(&lastEnd)
        packed.transfer(&deviceReminder)
        packed.transfer(&connectivity.until)
        packed.transfer(&connectivity.index, bytes: 2)
        packed.transfer(&tokenNumber, bytes: 2)
        packed.transfer(&postCount, bytes: 2)
        if phone.phase == .ended { (rotationAlarm, registrationAlarm, tokenDeadSince) = (Alarm(), Alarm(), .never) }
        packed.derive(&tokenDeadSince, .never)
        var rotatesAt = rotationAlarm.due
        packed.transfer(&rotatesAt)
        packed.derive(&rotationAlarm, rotation(at: rotatesAt))

        // The server.
        packed.transfer(&registration)
        if registration == .idle {
            packed.transfer(&monitorReminder)
            packed.derive(&registrationAlarm, Alarm())
        } else {
            packed.transfer(appointment: &registrationAlarm)
        }
        monitor.transfer(
            through: &packed,
            token: tokenNumber,
            showing: isWatched ? phone.content : nil,
            isLive: phone.phase == .live,
            rules.pointee.monitor
        )
        pushNumbers.transfer(through: &packed)
        pace.transfer(through: &packed)
        packed.derive(&timestamps, areRising ? RisingTimestamps(above: phone.timestamp) : RisingTimestamps())
        packed.transfer(&requestCount, bytes: 2)
        packed.transfer(&requeueCount, bytes: 2)

        // The measured times and ages.
        packed.transfer(&accountedUntil)
        packed.transfer(&contentSource)
        packed.transfer(&whereabouts)
        packed.transfer(&ageMeasuredUntil)
        packed.transfer(time: &age.largest)
        packed.derive(&age.time, rules.pointee.ageTime(startedAt, until: ageMeasuredUntil))
        packed.transfer(&age.doubledIntegral)

        // No push is left that needs these.
        destination = APNsDestination()
        newestPush = Activity.noPush
        startPushes = 0
    }
}
