import FreshnessCore
import Quantities
import SimulationKernel

/// The state of one ride and its Live Activity: on the phone, on the server, and in the world.
///
/// Belief and truth stand side by side: ``monitor`` is what the server knows, ``phone`` what the phone shows.
///
/// The properties stand in groups of 64 bytes, a cache line each, by the events that work on them: a refresh whose push is
/// worked out reads all but the last, one whose push takes its way the first three, a response the first, the third and the
/// fourth, a delivery the first and the fourth to the sixth. What is needed once a ride or less comes last. Places are
/// aligned to lines and as long as seven of them, so the groups stay whole; a test holds them to it. In a large cell most
/// activities are packed: what is added here belongs in ``transfer(through:_:)``, too.
struct Activity: BitwiseCopyable, Hashable {
    // MARK: 1. The ride and its refreshes

    /// The ride's number, which keys all its draws.
    private(set) var ride: UInt64
    /// When the current stage of the ride began: what was generated before shows a stage that is over.
    var stageBeganAt: Instant
    /// When the next ETA refresh is due.
    var refreshAlarm = Alarm()
    var refreshCount: UInt32 = 0
    private var stageNumber: UInt8 = 0
    /// Whether the server has sent content since the current stage began.
    var isStageAnnounced = true
    /// How many drivers have dropped the ride.
    var rematchCount: UInt16 = 0
    var isRideOver = false
    /// Where what the screen shows, or showed last, came from.
    var contentSource = StoryLine.ContentSource.start
    /// What the next event of the ride is.
    var nextMove = Move.onward
    /// Whether the place is taken.
    var isInUse = true
    var isPhotoSent = false
    /// Whether the monitor has given this life of the activity up.
    var isGivenUp = false
    /// How often the activity was put on the screen: once, or more after a swipe.
    var life: UInt8 = 0
    var registration = Registration.idle
    /// The push that waits in the sender, for coalescing.
    var waitingPush = WaitingPush()
    /// How many tokens iOS has yielded; the last one is the one that works.
    var tokenNumber: UInt32 = 0
    /// How many pushes for it have a place: on their way, waiting or unanswered.
    var pushCount: UInt32 = 0

    // MARK: 2. The server's pushes

    /// What APNs keeps for it.
    var destination = APNsDestination()
    var pushNumbers = PushNumbers()
    /// Since when the server's token no longer works; `never` while it does, or where there is none.
    var tokenDeadSince = Instant.never
    var pace = UpdatePace()
    /// Those that the server has put on pushes, where they rise.
    var timestamps = RisingTimestamps()
    /// Up to when times are accounted for.
    var accountedUntil: Instant

    // MARK: 3. The server's belief

    /// What the monitor keeps of it.
    var monitor = MonitorStation()

    // MARK: 4. Reminders and the connection

    /// A look at the monitor's deadline; before there is an instance, at the server's time to send a start again.
    var monitorReminder = Reminder()
    /// A look at the phone's own end of the activity.
    var deviceReminder = Reminder()
    /// When the episode began that was counted; `never` outside one.
    ///
    /// For measurement only.
    var countedEpisode = Instant.never
    var connectivity = Connectivity()
    /// Where the newest content is.
    ///
    /// For measurement only, as the next one; they stand here because there is room.
    var whereabouts = Whereabouts.onScreen
    /// Whether a screen has shown the current stage of the ride.
    ///
    /// With wrong timestamps a screen may show it and go back to one that is over.
    var isStageSeen = false
    /// Whether the rider gave up.
    var isCancelled = false
    /// Whether the rider swipes it away, if nothing ends it before: some time after its start, which is drawn where it is
    /// asked for.
    var isToBeSwiped = false
    /// When it appeared on the screen.
    var startedAt = Instant.never
    /// Until when the app can act by itself.
    var appAliveUntil = Instant.start

    // MARK: 5. The phone

    var phone = PhoneStation()
    /// How the activity ended, if it has.
    var lastEnd: StoryLine.EndReason?
    /// Up to when the age of what is shown has been measured.
    var ageMeasuredUntil = Instant.never
    /// When the current stage of the ride ends, or the ride; `never` after the ride.
    var movesOnAt = Instant.never
    /// How often pushes were sent away to come again; each has a draw of its own.
    var requeueCount: UInt32 = 0
    /// The index of the push with the newest content, or, after the ride, of its end; ``noPush`` where no push has it.
    ///
    /// For measurement only.
    var newestPush = Activity.noPush

    // MARK: 6. The age of what this life of the activity has shown, the token's next change

    var age = Age()
    /// The next change of the update token.
    var rotationAlarm = Alarm()
    private(set) var requestedAt: Instant
    /// How many requests the server has sent for the activity, all its lives together.
    var requestCount: UInt32 = 0
    /// The place of its city among the scenario's; 0 without cities.
    private(set) var city: UInt8
    /// How often the phone has posted its present token; here because there is room.
    var postAttempts: UInt16 = 0

    // MARK: 7. What is needed once a ride or less

    /// The content with which the activity began.
    var firstContent = ContentStamp(generatedAt: .start, staleDate: .never)
    /// What ``registration`` says, and when; see there.
    var registrationAlarm = Alarm()
    /// When the server sends a start again, if no token has come by then; `never` when it does not.
    var resendDue = Instant.never
    /// The row of the trace, or -1.
    private(set) var traceRow: Int32
    /// How many of the tokens belong to the activity as it was before a swipe.
    var formerTokens: UInt32 = 0
    var postCount: UInt32 = 0
    var startAttempts: UInt16 = 0
    var startPushes: UInt16 = 0
    /// Whether the rider gives up, if nothing comes first: some time after the request, which is drawn where it is asked for.
    var isToBeCancelled = false

    /// The alarm of a token that changes at an instant.
    ///
    /// After the ride's next move, or the phone's next look, there is no event yet: one of these appoints it then, for most
    /// activities end hours before it.
    @inline(__always)
    func rotation(at due: Instant) -> Alarm {
        Alarm(due: due, next: due <= min(movesOnAt, deviceReminder.next) ? due : .never)
    }

    static let noPush = UInt32.max

    init(ride: UInt64, requestedAt: Instant, traceRow: Int32, city: UInt8 = 0) {
        self.ride = ride
        self.requestedAt = requestedAt
        self.traceRow = traceRow
        self.city = city
        stageBeganAt = requestedAt
        accountedUntil = requestedAt
    }

    /// The stage of the ride.
    var stage: Int {
        @inline(__always) get { Int(stageNumber) }
        set { stageNumber = UInt8(newValue) }
    }

    /// What the server knows; nil while it has no token.
    @inline(__always)
    var instance: InstanceFreshness? { monitor.freshness }

    /// The token that the server has; 0 for none.
    @inline(__always)
    var serverToken: UInt32 { monitor.token }

    /// Whether the server has, or has had, a token of this life of the activity: without one there is no instance.
    @inline(__always)
    var isTokenPosted: Bool { instance != nil || serverToken != 0 }

    /// Whether what the screen shows, or showed last, was generated in the current stage of the ride.
    ///
    /// Content generated at the very instant of the change is the new stage's.
    @inline(__always)
    var showsStage: Bool { phone.content.generatedAt >= stageBeganAt }

    /// How a stage of a ride ends.
    enum Move: UInt8 {
        /// With the next one, or with the ride.
        case onward
        /// The rider gives up.
        case cancellation
        /// The driver drops the ride.
        case rematching
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

    /// The age of information on one screen, over the measured time.
    struct Age: Hashable {
        /// Twice the integral of the age over the time below [µs²]; eight hours alone pass 64 bits.
        var doubledIntegral: Int128 = 0
        /// The measured time on the screen [µs].
        var time: Int64 = 0
        /// The largest age that was reached [µs].
        var largest: Int64 = 0

        @inline(__always)
        mutating func record(from low: Int64, to high: Int64) {
            time += high - low
            doubledIntegral += Ramp.doubledArea(from: low, to: high)
            largest = max(largest, high)
        }

        /// The same of several stretches, the largest of whose ages is known.
        mutating func record(_ stretches: RampTally.Open.Batch, upTo high: Int64) {
            time += stretches.time
            doubledIntegral += stretches.doubledIntegral
            largest = max(largest, high)
        }
    }

    /// The phone's connection, advanced on demand.
    struct Connectivity: Hashable {
        var until = Instant.never
        var index: UInt32 = 0
        var isOnline = true
    }
}

// MARK: - Rest

extension Activity {
    /// Packs or unpacks what tells one activity at rest from another; what follows from it is derived, and what cannot matter
    /// any more forgotten both ways.
    ///
    /// See ``RestingActivity``.
    @inline(__always)
    mutating func transfer(through packed: inout some PackedTransfer, _ rules: RestingActivity.Rules) {
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
        packed.transfer(&city)
        packed.transfer(&stageNumber)
        packed.transfer(&stageBeganAt)
        packed.transfer(&movesOnAt)
        packed.transfer(&nextMove)
        packed.transfer(&rematchCount, bytes: 1)
        packed.transfer(&refreshAlarm)
        packed.transfer(&refreshCount, bytes: 2)

        // The phone.
        packed.transfer(&life)
        phone.transfer(through: &packed, isShown: life > 0, ttl: isStaleDated ? rules.ttl : nil)
        if life > 0 {
            packed.transfer(&firstContent.generatedAt)
            packed.derive(&firstContent.staleDate, firstContent.generatedAt + rules.ttl)
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
            rules.monitor
        )
        pushNumbers.transfer(through: &packed)
        pace.transfer(through: &packed)
        packed.derive(&timestamps, areRising ? RisingTimestamps(above: phone.timestamp) : RisingTimestamps())
        packed.transfer(&requestCount, bytes: 2)
        packed.transfer(&requeueCount, bytes: 2)

        // What is measured.
        packed.transfer(&accountedUntil)
        packed.transfer(&contentSource)
        packed.transfer(&whereabouts)
        packed.transfer(&ageMeasuredUntil)
        packed.transfer(time: &age.largest)
        packed.derive(&age.time, rules.ageTime(startedAt, until: ageMeasuredUntil))
        packed.transfer(&age.doubledIntegral)

        // What no push is left to ask for.
        destination = APNsDestination()
        newestPush = Activity.noPush
        startPushes = 0
    }
}
