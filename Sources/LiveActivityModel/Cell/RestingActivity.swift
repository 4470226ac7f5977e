import FreshnessCore
import Quantities
import SimulationKernel

/// An activity between its events, packed into three cache lines instead of seven.
///
/// Nearly always an activity has nothing in flight, and the server and the screen agree about it. Then much of an
/// ``Activity`` has its initial value or follows from other state, and most numbers are small. Such an activity is
/// packed, and unpacked for its next event. Nothing is rounded: if anything would be lost, the activity stays unpacked.
///
/// ``Activity/transfer(through:_:)`` lists the packed and the derived state; ``isAtRest(_:at:_:)`` decides whether the
/// rest has its initial value.
struct RestingActivity: BitwiseCopyable {
    /// The slot of the activity while it is unpacked; otherwise a slot without an activity.
    var home: UInt32
    /// `true` if it holds a packed activity.
    var isTaken = false
    /// The packed activity: 152 bytes.
    private var words: (Words, Words, UInt64, UInt64, UInt64) = (none, none, 0, 0, 0)

    private typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
    private static var none: Words { (0, 0, 0, 0, 0, 0, 0, 0) }

    /// Creates a place for an unpacked activity, or for none.
    init(home: UInt32) {
        self.home = home
    }

    private static var offset: Int { 8 }

    /// Packs an idle activity.
    ///
    /// - Returns: `true` if the activity was packed; `false` if it is not idle or has a number that is too large.
    /// - Complexity: O(1).
    @inline(__always)
    static func rest(
        _ activity: Handle<Activity>,
        in place: Handle<RestingActivity>,
        at now: Instant,
        _ rules: RulesOfCohorts
    ) -> Bool {
        guard isAtRest(activity, at: now, rules[activity.segment].pointee) else { return false }
        let size = MemoryLayout<RestingActivity>.size - offset
        var writer = PackedWriter(into: UnsafeMutableRawPointer(place.entity) + offset, size: size)
        activity.entity.pointee.transfer(through: &writer, rules)
        place.isTaken = writer.fits
        return writer.fits
    }

    /// Unpacks an activity.
    ///
    /// - Complexity: O(1).
    @inline(__always)
    static func wake(_ place: Handle<RestingActivity>, as activity: Handle<Activity>, _ rules: RulesOfCohorts) {
        activity.entity.initialize(to: Activity(ride: 0, requestedAt: .start, traceRow: -1))
        var reader = PackedReader(from: UnsafeRawPointer(place.entity) + offset)
        activity.entity.pointee.transfer(through: &reader, rules)
    }

    /// `true` if all state that ``Activity/transfer(through:_:)`` leaves out has the value of every activity in its
    /// phase: before its start, on the screen with or without a token, or off the screen.
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

    /// `true` if no push is in flight, waiting or imminent, and the ride goes on.
    @inline(__always)
    private static func hasNothingUnderWay(_ activity: Handle<Activity>, at now: Instant) -> Bool {
        let sent = activity.timestamps
        return !activity.hasUnscheduledTimers && activity.pushCount == 0 && activity.resendDue == .never
            && activity.countedEpisode == .never
            && activity.waitingPush.number == nil && activity.destination.isIdle(at: now)
            && activity.pushNumbers.haveNoEnds && !activity.isRideOver && !activity.isGivenUp
            && activity.formerTokens == 0
            && (sent == RisingTimestamps(above: activity.phone.timestamp) || sent == RisingTimestamps())
    }

    /// The properties of the world that a packed activity's state follows from.
    struct Rules {
        let ttl: TimeSpan
        let measuredFrom: Instant
        let monitor: MonitorRules

        /// Creates the rules of a world.
        init(_ world: World) {
            ttl = world.rules.ttl
            measuredFrom = world.measuredFrom
            monitor = world.monitor
        }

        /// The measured time [µs] of an activity that was on its screen from one instant to another.
        @inline(__always)
        func ageTime(_ start: Instant, until end: Instant) -> Int64 {
            max(0, end.microseconds &- max(start, measuredFrom).microseconds)
        }
    }
    /// The rules of the cohorts, in memory that lives as long as the cell.
    struct RulesOfCohorts {
        private let rules: UnsafeMutablePointer<Rules>
        private let cohorts: SegmentCohorts

        init(_ world: World) {
            let all = world.all
            rules = .allocate(capacity: all.count)
            for (index, world) in all.enumerated() { (rules + index).initialize(to: Rules(world)) }
            cohorts = SegmentCohorts(count: all.count)
        }

        /// The rules for the activities of a segment.
        @inline(__always)
        subscript(segment: UInt8) -> UnsafePointer<Rules> { UnsafePointer(rules + cohorts[segment]) }

        func deallocate() {
            rules.deinitialize(count: Int(cohorts.count))
            rules.deallocate()
        }
    }
}
