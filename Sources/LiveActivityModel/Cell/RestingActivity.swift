import FreshnessCore
import Quantities
import SimulationKernel

/// An activity between its events, in three lines of a processor's cache in place of seven.
///
/// Nearly always nothing is under way to an activity, and server and screen agree about it. Then much of an ``Activity`` is
/// as it was at first, or follows from something else, and most numbers are small: it is packed, and is itself again when
/// its next event comes. Nothing is rounded: where anything would get lost, it stays as it is.
///
/// What is packed, and what follows from it, stands in ``Activity/transfer(through:_:)``; when nothing else can matter, in
/// ``isAtRest(_:at:_:)``.
struct RestingActivity: BitwiseCopyable {
    /// Where the activity is while it is awake; else a place without an activity.
    var home: UInt32
    /// Whether there is an activity here.
    var isTaken = false
    /// It: 152 bytes.
    private var words: (Words, Words, UInt64, UInt64, UInt64) = (none, none, 0, 0, 0)

    private typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
    private static var none: Words { (0, 0, 0, 0, 0, 0, 0, 0) }

    /// A place for an activity that is awake, or for none.
    init(home: UInt32) {
        self.home = home
    }

    private static var offset: Int { 8 }

    /// Packs an activity that is at rest.
    ///
    /// - Returns: Whether that was done; not for one that is not at rest, or has a number that is too large.
    /// - Complexity: O(1).
    @inline(__always)
    static func rest(
        _ activity: Handle<Activity>,
        in place: Handle<RestingActivity>,
        at now: Instant,
        _ rules: Rules
    ) -> Bool {
        guard isAtRest(activity, at: now, rules) else { return false }
        let size = MemoryLayout<RestingActivity>.size - offset
        var writer = PackedWriter(into: UnsafeMutableRawPointer(place.entity) + offset, size: size)
        activity.entity.pointee.transfer(through: &writer, rules)
        place.isTaken = writer.fits
        return writer.fits
    }

    /// Makes an activity the one that rests in a place.
    ///
    /// - Complexity: O(1).
    @inline(__always)
    static func wake(_ place: Handle<RestingActivity>, as activity: Handle<Activity>, _ rules: Rules) {
        activity.entity.initialize(to: Activity(ride: 0, requestedAt: .start, traceRow: -1))
        var reader = PackedReader(from: UnsafeRawPointer(place.entity) + offset)
        activity.entity.pointee.transfer(through: &reader, rules)
    }

    /// Whether all that ``Activity/transfer(through:_:)`` leaves out is as it is for every activity of its phase: before its
    /// start, on the screen without a token or with one, and off it.
    @inline(__always)
    private static func isAtRest(_ activity: Handle<Activity>, at now: Instant, _ rules: Rules) -> Bool {
        guard hasNothingUnderWay(activity, at: now),
            activity.age.time == rules.ageTime(activity.startedAt, until: activity.ageMeasuredUntil)
        else { return false }
        let content = activity.phone.content
        let datesFollow =
            (content.staleDate == content.generatedAt + rules.ttl || content.staleDate == .never)
            && activity.firstContent.staleDate == activity.firstContent.generatedAt + rules.ttl
        let rotates = activity.rotationAlarm == activity.entity.pointee.rotation(at: activity.rotationAlarm.due)
        let registers = activity.registrationAlarm.due == activity.registrationAlarm.next
        switch (activity.phone.phase, activity.registration) {
        case (.waiting, .startAttempt):
            return registers && activity.startPushes == 0 && activity.postAttempts == 0
                && activity.monitorReminder.next == .never && activity.entity.pointee.monitor.isDismissed
        case (.live, .tokenYield), (.live, .tokenPost), (.live, .tokenPostRetry):
            return registers && rotates && datesFollow && activity.life == 1 && activity.instance == nil
                && activity.monitorReminder.next == .never && activity.entity.pointee.monitor.isDismissed
        case (.live, .idle):
            let token = activity.tokenNumber
            return activity.registrationAlarm == Alarm() && rotates && datesFollow && activity.life == 1
                && activity.tokenDeadSince == .never
                && activity.entity.pointee.monitor.isAtRest(with: token, showing: content, at: now, rules.monitor)
        case (.ended, .idle):
            return activity.registrationAlarm.due == .never && activity.rotationAlarm.due == .never
                && (datesFollow || activity.life == 0) && activity.life <= 1
                && activity.entity.pointee.monitor.isDismissed
        default:
            return false
        }
    }

    /// Whether no push is under way, waits or is to come, and the ride goes on.
    @inline(__always)
    private static func hasNothingUnderWay(_ activity: Handle<Activity>, at now: Instant) -> Bool {
        let sent = activity.timestamps
        return activity.pushCount == 0 && activity.resendDue == .never && activity.countedEpisode == .never
            && activity.waitingPush.number == nil && activity.destination.isIdle(at: now)
            && activity.pushNumbers.haveNoEnds && !activity.isRideOver && !activity.isGivenUp
            && activity.formerTokens == 0
            && (sent == RisingTimestamps(above: activity.phone.timestamp) || sent == RisingTimestamps())
    }

    /// What of the world the state of a resting activity follows from.
    struct Rules {
        let ttl: TimeSpan
        let measuredFrom: Instant
        let monitor: MonitorRules

        /// Rules.
        init(_ world: World) {
            ttl = world.rules.ttl
            measuredFrom = world.measuredFrom
            monitor = world.monitor
        }

        /// How long an activity was measured on its screen [µs], if it was there from an instant to another.
        @inline(__always)
        func ageTime(_ start: Instant, until end: Instant) -> Int64 {
            max(0, end.microseconds &- max(start, measuredFrom).microseconds)
        }
    }
}
