import FreshnessCore
import Quantities
import SimulationKernel

/// An activity between its events, in three lines of a processor's cache in place of seven.
///
/// Nearly always nothing is under way to an activity, and server and screen agree about it. Then much of an ``Activity`` is
/// as it was at first, or follows from something else, and most numbers are small: it is put down shorter, and is itself
/// again when its next event comes. Nothing is rounded: where anything would get lost, it stays as it is.
///
/// What stands here is what differs from one resting activity to another. What all have in common stands in
/// ``isAtRest(_:at:_:)``.
struct RestingActivity: BitwiseCopyable {
    /// Where the activity is while it is awake; else a place without an activity.
    var home: UInt32
    private var marks = Marks()
    private var stage: UInt8 = 0
    private var contentSource = StoryLine.ContentSource.start
    private var nextMove = Activity.Move.onward
    private var whereabouts = Whereabouts.onScreen
    private var phoneFlags: UInt8 = 0
    private var watch: UInt8 = 0
    private var city: UInt8 = 0
    private var starts: UInt8 = 0
    /// Before the start, the attempts to start.
    private var postAttempts: UInt8 = 0
    private var rematchCount: UInt8 = 0
    private var lastEnd: StoryLine.EndReason?

    private var occasions: UInt16 = 0
    private var retries: UInt16 = 0
    private var refreshCount: UInt16 = 0
    private var refreshWaits: UInt16 = 0
    private var tokenNumber: UInt16 = 0
    private var formerTokens: UInt16 = 0
    private var postCount: UInt16 = 0
    private var requestCount: UInt16 = 0
    private var requeueCount: UInt16 = 0
    private var wakeCount: UInt16 = 0
    private var budgetSpent: UInt16 = 0
    private var connectionIndex: UInt16 = 0

    private var traceRow: Int32 = -1
    private var doubledAgeIntegralLow: UInt64 = 0
    private var doubledAgeIntegralHigh: UInt16 = 0

    private var ride = UInt40()
    private var requestedAt = UInt40()
    private var stageBeganAt = UInt40()
    private var movesOnAt = UInt40()
    private var refreshDue = UInt40()
    private var refreshPending = UInt40()
    private var rotationDue = UInt40()
    private var lastUpdateAt = UInt40()
    /// While it registers, its appointment for that.
    private var monitorLook = UInt40()
    private var deviceLook = UInt40()
    private var accountedUntil = UInt40()
    private var ageMeasuredUntil = UInt40()
    private var startedAt = UInt40()
    private var appAliveUntil = UInt40()
    private var firstGeneratedAt = UInt40()
    private var generatedAt = UInt40()
    private var budgetWindowEnd = UInt40()
    private var connectionUntil = UInt40()
    private var timestamp = UInt40()
    private var largestAge = UInt40()

    private struct Marks: OptionSet, BitwiseCopyable {
        var rawValue: UInt16 = 0

        /// There is an activity here.
        static let taken = Marks(rawValue: 1)
        static let stageAnnounced = Marks(rawValue: 2)
        static let stageSeen = Marks(rawValue: 4)
        static let photoSent = Marks(rawValue: 8)
        static let online = Marks(rawValue: 16)
        /// The content on the screen has no stale date.
        static let staleNever = Marks(rawValue: 32)
        /// The server has put the timestamp of the screen's content on a push.
        static let timestampTaken = Marks(rawValue: 64)
        /// It is on the screen.
        static let live = Marks(rawValue: 128)
        /// It is, or was, on the screen.
        static let shown = Marks(rawValue: 256)
        /// The monitor has watched it.
        static let watched = Marks(rawValue: 512)
        static let toBeSwiped = Marks(rawValue: 1024)
        static let toBeCancelled = Marks(rawValue: 2048)

        /// What the registration alarm is set for, above the others.
        @inline(__always)
        var registration: Activity.Registration { Activity.Registration(rawValue: UInt8(rawValue >> 12)) ?? .idle }

        @inline(__always)
        mutating func insert(_ registration: Activity.Registration) { rawValue |= UInt16(registration.rawValue) << 12 }
    }

    /// A place for an activity that is awake, or for none.
    init(home: UInt32) {
        self.home = home
    }

    /// Whether there is an activity here.
    @inline(__always)
    var isTaken: Bool {
        get { marks.contains(.taken) }
        set { if newValue { marks.insert(.taken) } else { marks.remove(.taken) } }
    }

    // MARK: - To rest

    /// Puts down an activity that is at rest.
    ///
    /// - Returns: Whether that was done; not for one that is not at rest, or has a number that is too large.
    /// - Complexity: O(1): some 400 instructions, about as many as for ``wake(_:as:_:)``.
    @inline(__always)
    static func putDown(
        _ activity: Handle<Activity>,
        as resting: Handle<RestingActivity>,
        at now: Instant,
        _ world: WorldRules
    ) -> Bool {
        guard isAtRest(activity, at: now, world) else { return false }
        var packer = Packer()
        var marks: Marks = .taken
        if activity.isStageAnnounced { marks.insert(.stageAnnounced) }
        if activity.isStageSeen { marks.insert(.stageSeen) }
        if activity.isPhotoSent { marks.insert(.photoSent) }
        if activity.connectivity.isOnline { marks.insert(.online) }
        if activity.phone.content.staleDate == .never { marks.insert(.staleNever) }
        if activity.timestamps != RisingTimestamps() { marks.insert(.timestampTaken) }
        if activity.phone.phase == .live { marks.insert(.live) }
        if activity.instance != nil { marks.insert(.watched) }
        if activity.life > 0 { marks.insert(.shown) }
        if activity.isToBeSwiped { marks.insert(.toBeSwiped) }
        if activity.isToBeCancelled { marks.insert(.toBeCancelled) }
        marks.insert(activity.registration)
        let isRegistering = activity.registration != .idle
        resting.stage = UInt8(truncatingIfNeeded: activity.stage)
        resting.contentSource = activity.contentSource
        resting.nextMove = activity.nextMove
        resting.whereabouts = activity.whereabouts
        resting.phoneFlags = activity.phone.marks
        resting.watch = activity.monitor.watch
        resting.city = activity.city
        resting.lastEnd = activity.lastEnd
        resting.starts = packer.short(activity.pushNumbers.starts)
        resting.postAttempts = packer.short(
            UInt32(activity.life == 0 ? activity.startAttempts : activity.postAttempts)
        )
        resting.rematchCount = packer.short(UInt32(activity.rematchCount))

        resting.occasions = packer.medium(activity.pushNumbers.occasions)
        resting.retries = packer.medium(activity.pushNumbers.retries)
        resting.refreshCount = packer.medium(activity.refreshCount)
        resting.refreshWaits = packer.medium(activity.refreshWaits)
        resting.tokenNumber = packer.medium(activity.tokenNumber)
        resting.formerTokens = packer.medium(activity.formerTokens)
        resting.postCount = packer.medium(activity.postCount)
        resting.requestCount = packer.medium(activity.requestCount)
        resting.requeueCount = packer.medium(activity.requeueCount)
        resting.wakeCount = packer.medium(activity.monitor.wakeCount)
        resting.budgetSpent = packer.medium(UInt32(bitPattern: activity.phone.budgetSpent))
        resting.connectionIndex = packer.medium(activity.connectivity.index)

        resting.traceRow = activity.traceRow
        let integral = activity.age.doubledIntegral
        resting.doubledAgeIntegralLow = UInt64(truncatingIfNeeded: integral)
        resting.doubledAgeIntegralHigh = packer.rest(UInt64(truncatingIfNeeded: integral >> 64))

        resting.ride = packer.number(activity.ride)
        resting.requestedAt = packer.instant(activity.requestedAt)
        resting.stageBeganAt = packer.instant(activity.stageBeganAt)
        resting.movesOnAt = packer.instant(activity.movesOnAt)
        resting.refreshDue = packer.instant(activity.refreshAlarm.due)
        resting.refreshPending = packer.instant(activity.refreshAlarm.next)
        resting.rotationDue = packer.instant(activity.rotationAlarm.due)
        resting.lastUpdateAt = packer.instant(activity.pace.lastUpdateAt)
        resting.accountedUntil = packer.instant(activity.accountedUntil)
        resting.monitorLook = packer.instant(
            isRegistering ? activity.registrationAlarm.due : activity.monitorReminder.next
        )
        resting.deviceLook = packer.instant(activity.deviceReminder.next)
        resting.connectionUntil = packer.instant(activity.connectivity.until)
        resting.startedAt = packer.instant(activity.startedAt)
        resting.appAliveUntil = packer.instant(activity.appAliveUntil)
        resting.firstGeneratedAt = packer.instant(activity.firstContent.generatedAt)
        resting.generatedAt = packer.instant(activity.phone.content.generatedAt)
        resting.timestamp = packer.instant(Instant(microseconds: activity.phone.timestamp))
        resting.budgetWindowEnd = packer.instant(activity.phone.budgetWindowEnd)
        resting.ageMeasuredUntil = packer.instant(activity.ageMeasuredUntil)
        resting.largestAge = packer.instant(Instant(microseconds: activity.age.largest))
        resting.marks = packer.fits ? marks : []
        return packer.fits
    }

    /// Whether all that is not put down is as it is for every activity of its phase: before its start, on the screen without a
    /// token or with one, and off it.
    @inline(__always)
    private static func isAtRest(_ activity: Handle<Activity>, at now: Instant, _ world: WorldRules) -> Bool {
        guard activity.pushCount == 0, activity.resendDue == .never, activity.countedEpisode == .never,
            activity.waitingPush.number == nil, activity.destination.isIdle(at: now), activity.pushNumbers.haveNoEnds,
            !activity.isRideOver, !activity.isGivenUp,
            activity.age.time == world.ageTime(activity.startedAt, until: activity.ageMeasuredUntil),
            activity.timestamps == RisingTimestamps(above: activity.phone.timestamp)
                || activity.timestamps == RisingTimestamps()
        else { return false }
        let monitor = activity.entity.pointee.monitor
        let content = activity.phone.content
        let datesFollow =
            (content.staleDate == content.generatedAt + world.ttl || content.staleDate == .never)
            && activity.firstContent.staleDate == activity.firstContent.generatedAt + world.ttl
        let isAppointed = activity.registrationAlarm.due == activity.registrationAlarm.next
        switch (activity.phone.phase, activity.registration) {
        case (.waiting, .startAttempt):
            return isAppointed && activity.startPushes == 0 && activity.postAttempts == 0
                && activity.monitorReminder.next == .never && monitor.isDismissed
        case (.live, .tokenYield), (.live, .tokenPost), (.live, .tokenPostRetry):
            return isAppointed && datesFollow && activity.life == 1
                && activity.rotationAlarm.due == activity.rotationAlarm.next
                && activity.monitorReminder.next == .never && monitor.freshness == nil && monitor.isDismissed
        case (.live, .idle):
            return activity.registrationAlarm == Alarm() && datesFollow && activity.life == 1
                && activity.tokenDeadSince == .never
                && activity.rotationAlarm.due == activity.rotationAlarm.next
                && monitor.isAtRest(with: activity.tokenNumber, showing: content, at: now, world.monitor)
        case (.ended, .idle):
            return (datesFollow || activity.life == 0) && activity.life <= 1 && activity.rotationAlarm.due == .never
                && activity.registrationAlarm.due == .never && monitor.isDismissed
        default:
            return false
        }
    }

    // MARK: - Awake again

    /// Makes the activity in a place what it was.
    ///
    /// All is read where it lies and written at once: were it taken as a value, there would be no register for most of it.
    @inline(__always)
    static func wake(
        _ resting: Handle<RestingActivity>,
        as activity: Handle<Activity>,
        _ world: WorldRules
    ) {
        let shown = resting.generatedAt.instant
        let content = ContentStamp(
            generatedAt: shown,
            staleDate: resting.marks.contains(.staleNever) ? .never : shown + world.ttl
        )
        let tokenNumber = UInt32(resting.tokenNumber)
        let life: UInt8 = resting.marks.contains(.shown) ? 1 : 0
        let startedAt = resting.startedAt.instant
        let first = resting.firstGeneratedAt.instant
        activity.entity.initialize(
            to: Activity(
                ride: resting.ride.value,
                requestedAt: resting.requestedAt.instant,
                traceRow: resting.traceRow,
                city: resting.city
            )
        )
        activity.stageBeganAt = resting.stageBeganAt.instant
        activity.refreshAlarm = Alarm(due: resting.refreshDue.instant, next: resting.refreshPending.instant)
        activity.refreshCount = UInt32(resting.refreshCount)
        activity.refreshWaits = UInt32(resting.refreshWaits)
        activity.stage = Int(resting.stage)
        activity.isStageAnnounced = resting.marks.contains(.stageAnnounced)
        activity.rematchCount = UInt16(resting.rematchCount)
        activity.contentSource = resting.contentSource
        activity.nextMove = resting.nextMove
        activity.isPhotoSent = resting.marks.contains(.photoSent)
        activity.life = life
        activity.tokenNumber = tokenNumber
        activity.pushNumbers = PushNumbers(
            occasions: UInt32(resting.occasions),
            retries: UInt32(resting.retries),
            starts: UInt32(resting.starts)
        )
        activity.pace = UpdatePace(lastUpdateAt: resting.lastUpdateAt.instant)
        let timestamp = resting.timestamp.instant.microseconds
        if resting.marks.contains(.timestampTaken) { activity.timestamps = RisingTimestamps(above: timestamp) }
        activity.accountedUntil = resting.accountedUntil.instant
        if resting.marks.contains([.live, .watched]) {
            activity.monitor = MonitorStation(
                atRestWith: tokenNumber,
                watch: resting.watch,
                wakeCount: UInt32(resting.wakeCount),
                showing: content,
                world.monitor
            )
        } else {
            activity.monitor = MonitorStation(
                dismissedWith: resting.marks.contains(.watched) ? content : nil,
                watch: resting.watch,
                wakeCount: UInt32(resting.wakeCount),
                world.monitor
            )
        }
        activity.lastEnd = resting.lastEnd
        let registration = resting.marks.registration
        if registration == .idle {
            activity.monitorReminder = Reminder(next: resting.monitorLook.instant)
        } else {
            activity.registration = registration
            activity.registrationAlarm = Alarm(due: resting.monitorLook.instant, next: resting.monitorLook.instant)
        }
        activity.deviceReminder = Reminder(next: resting.deviceLook.instant)
        activity.connectivity = Activity.Connectivity(
            until: resting.connectionUntil.instant,
            index: UInt32(resting.connectionIndex),
            isOnline: resting.marks.contains(.online)
        )
        activity.whereabouts = resting.whereabouts
        activity.isStageSeen = resting.marks.contains(.stageSeen)
        activity.startedAt = startedAt
        activity.appAliveUntil = resting.appAliveUntil.instant
        activity.isToBeSwiped = resting.marks.contains(.toBeSwiped)
        activity.isToBeCancelled = resting.marks.contains(.toBeCancelled)
        if life > 0 {
            activity.firstContent = ContentStamp(generatedAt: first, staleDate: first + world.ttl)
            activity.phone = PhoneStation(
                showing: content,
                timestamp: timestamp,
                budgetSpent: Int32(resting.budgetSpent),
                until: resting.budgetWindowEnd.instant,
                marks: resting.phoneFlags
            )
        }
        if !resting.marks.contains(.live), registration == .idle { activity.entity.pointee.phone.ended() }
        activity.ageMeasuredUntil = resting.ageMeasuredUntil.instant
        activity.movesOnAt = resting.movesOnAt.instant
        activity.requeueCount = UInt32(resting.requeueCount)
        activity.age = Activity.Age(
            doubledIntegral: Int128(resting.doubledAgeIntegralHigh) << 64 | Int128(resting.doubledAgeIntegralLow),
            time: world.ageTime(startedAt, until: resting.ageMeasuredUntil.instant),
            largest: resting.largestAge.instant.microseconds
        )
        activity.rotationAlarm = Alarm(due: resting.rotationDue.instant, next: resting.rotationDue.instant)
        activity.requestCount = UInt32(resting.requestCount)
        if life > 0 {
            activity.postAttempts = UInt16(resting.postAttempts)
        } else {
            activity.startAttempts = UInt16(resting.postAttempts)
        }
        activity.formerTokens = UInt32(resting.formerTokens)
        activity.postCount = UInt32(resting.postCount)
    }

    /// The activity as it was.
    func activity(_ world: WorldRules) -> Activity {
        var (resting, activity) = (self, Activity(ride: 0, requestedAt: .start, traceRow: -1))
        withUnsafeMutablePointer(to: &resting) { resting in
            withUnsafeMutablePointer(to: &activity) { activity in
                let place = Handle(entity: activity, number: 0)
                RestingActivity.wake(Handle(entity: resting, number: 0), as: place, world)
            }
        }
        return activity
    }

    /// What of the world the state of a resting activity follows from.
    struct WorldRules {
        let ttl: TimeSpan
        let measuredFrom: Instant
        let monitor: MonitorRules

        /// How long an activity was measured on its screen [µs], if it was there from an instant to another.
        @inline(__always)
        fileprivate func ageTime(_ start: Instant, until end: Instant) -> Int64 {
            max(0, end.microseconds &- max(start, measuredFrom).microseconds)
        }
    }
}

/// A number of 40 bits: as an instant, one of the first twelve days of a run, or `never`.
private struct UInt40: BitwiseCopyable {
    // Bytes, for they need no alignment; the compiler reads and writes four of them in one step.
    private var bytes: (UInt8, UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0, 0)

    /// Zero.
    init() {}

    @inline(__always)
    init(truncatingIfNeeded value: UInt64) {
        let lower = UInt32(truncatingIfNeeded: value)
        bytes.0 = UInt8(truncatingIfNeeded: lower)
        bytes.1 = UInt8(truncatingIfNeeded: lower >> 8)
        bytes.2 = UInt8(truncatingIfNeeded: lower >> 16)
        bytes.3 = UInt8(truncatingIfNeeded: lower >> 24)
        bytes.4 = UInt8(truncatingIfNeeded: value >> 32)
    }

    @inline(__always)
    var value: UInt64 {
        let lower = UInt32(bytes.0) | UInt32(bytes.1) << 8 | UInt32(bytes.2) << 16 | UInt32(bytes.3) << 24
        return UInt64(lower) | UInt64(bytes.4) << 32
    }

    /// An instant that was put down by ``Packer/instant(_:)``: 0 is `never`, all others are one more.
    @inline(__always)
    var instant: Instant { Instant(microseconds: Int64(bitPattern: (value &- 1) & 0x7FFF_FFFF_FFFF_FFFF)) }
}

/// Puts numbers down in fewer bits, and remembers whether all of them had room.
private struct Packer {
    private var excess: UInt64 = 0
    private var counts: UInt32 = 0
    private var smallCounts: UInt32 = 0

    /// Whether nothing was lost.
    var fits: Bool { excess >> 41 == 0 && counts >> 16 == 0 && smallCounts >> 8 == 0 }

    @inline(__always)
    mutating func instant(_ instant: Instant) -> UInt40 {
        // Of `never` that is the highest bit alone.
        let next = UInt64(bitPattern: instant.microseconds &+ 1)
        excess |= next << 1
        return UInt40(truncatingIfNeeded: next)
    }

    @inline(__always)
    mutating func number(_ value: UInt64) -> UInt40 {
        excess |= value << 1 | value & 1 << 63
        return UInt40(truncatingIfNeeded: value)
    }

    @inline(__always)
    mutating func rest(_ value: UInt64) -> UInt16 {
        excess |= (value >> 16) << 41
        return UInt16(truncatingIfNeeded: value)
    }

    @inline(__always)
    mutating func medium(_ value: UInt32) -> UInt16 {
        counts |= value
        return UInt16(truncatingIfNeeded: value)
    }

    @inline(__always)
    mutating func short(_ value: UInt32) -> UInt8 {
        smallCounts |= value
        return UInt8(truncatingIfNeeded: value)
    }
}
