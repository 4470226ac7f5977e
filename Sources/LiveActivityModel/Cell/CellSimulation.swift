import FreshnessCore
public import Quantities
import RandomStreams
public import SimulationKernel

/// One cell of the simulated world: a monitor shard with its sender, and the activities that hash to it.
///
/// A cell is one sequential simulation; nothing in it depends on other cells, on the clock of the machine or on the
/// order in which cells are run. It is told nothing from outside once it runs.
///
/// ```
/// arrival ─► ride ─► stages ─► refreshes ─┐ content
///              │                          ▼
///              └─► start ─► token ─► server: instance ◄──── confirmed ────┐
///                    │                    │  monitor                      │
///                    ▼                    ▼                               │
///                 screen ◄── delivery ── APNs ◄── sender (queue) ── response
/// ```
///
/// The files beside this one hold one station each; every station ends by scheduling events or setting alarms.
public struct CellSimulation: ~Copyable {
    let world: World
    let random: RandomSource
    /// Which cell of the scenario this is.
    public let cell: Int

    var loop = EventLoop()
    var arrivals: ArrivalSequence
    var nextArrival: ArrivalSequence.Arrival?

    var activities: ContiguousArray<Activity> = []
    var freeActivities: [UInt32] = []
    var pushes: ContiguousArray<Push> = []
    var freePushes: [UInt32] = []

    var sender: SenderState
    var apnsQueue = APNsQueue()
    var budget: RetryBudget?

    /// What was measured so far.
    public internal(set) var measurements: Measurements
    var population: Int64 = 0
    var populationChangedAt = Instant.start
    /// The next window of the time series to begin; the warm-up's end begins the first one that is measured.
    var nextWindowStart: Instant
    /// For each place of an activity, the time [µs] that its age has spent above each threshold.
    var timesOverAge: ContiguousArray<Int64> = []

    /// Whose stories are told.
    let watch: Watch
    /// The story so far, or the stories, their lines as they happened.
    public internal(set) var story: [StoryLine] = []

    /// A cell before its first event.
    ///
    /// - Parameters:
    ///   - world: The scenario, made ready.
    ///   - cell: Which of the scenario's cells, counted from 0.
    ///   - replication: Which of the possible histories.
    ///   - seed: In place of the scenario's.
    ///   - watch: Whose stories are to be told. Telling changes nothing about the history.
    public init(world: World, cell: Int, replication: UInt32, seed: UInt64? = nil, watch: Watch = .none) {
        self.world = world
        self.cell = cell
        self.watch = watch
        random = world.scenario.randomSource(ofReplication: replication, seed: seed)
        arrivals = ArrivalSequence(world: world, random: random)
        sender = SenderState(world)
        budget = world.budget
        nextWindowStart = world.measuredFrom
        measurements = Measurements(
            windowCount: world.windowCount,
            stageCount: world.scenario.rides.stages.count,
            ageThresholdCount: world.scenario.measure.ageOver.count,
            waitThresholdCount: world.scenario.measure.waitOver.count
        )
        for (index, stretch) in world.faults.connectionLost.enumerated() where stretch.from <= world.horizon {
            schedule(.connectionsLost, subject: UInt32(index), at: stretch.from, priority: .fault)
        }
        for (index, stretch) in world.faults.senderPaused.enumerated() {
            schedule(.senderResumed, subject: UInt32(index), at: stretch.until, priority: .fault)
        }
        scheduleNextArrival()
    }

    /// The hash of the history so far.
    public var fingerprint: Fingerprint { loop.fingerprint }

    /// The current instant.
    public var now: Instant { loop.now }

    /// An event of the history, in words.
    public struct LastEvent: Hashable, Sendable {
        /// When it happened.
        public let at: Instant
        /// Its kind.
        public let kind: String
        /// The ride that it concerned, or the fault.
        public let subject: UInt64
    }

    /// The event that happened last; nil before the first.
    public var lastEvent: LastEvent? {
        guard loop.recordedCount > 0 else { return nil }
        let last = loop.lastRecorded
        return LastEvent(
            at: loop.now,
            kind: EventKind(rawValue: last.event).map { "\($0)" } ?? "\(last.event)",
            subject: last.subject
        )
    }

    /// How many events had a meaning so far.
    public var eventCount: UInt64 { loop.recordedCount }

    /// How many activities are in memory now.
    public var activityCount: Int { activities.count - freeActivities.count }

    // MARK: - Running

    /// Runs events up to an instant.
    ///
    /// - Parameter limit: How many events at most, so that a caller can look up between them.
    /// - Returns: Whether the limit was reached; else nothing is left to happen up to the instant.
    public mutating func run(through instant: Instant, atMost limit: Int = .max) -> Bool {
        var count = 0
        while count < limit {
            guard step(through: instant) else { return false }
            count += 1
        }
        return true
    }

    /// Runs one event; false when none is left up to an instant.
    public mutating func step(through instant: Instant) -> Bool {
        guard let event = loop.next(through: min(instant, world.horizon)) else { return false }
        guard let kind = EventKind(rawValue: event.kind) else {
            preconditionFailure("an event of unknown kind")
        }
        let subject = event.subject
        switch kind {
        case .arrival: rideRequested()
        case .connectionsLost: connectionsLost(fault: Int(subject))
        case .reconnected: reconnected(fault: Int(subject))
        case .ride: if rings(.ride, of: subject) { rideAlarmRang(subject) }
        case .refresh: if rings(.refresh, of: subject) { refreshAlarmRang(subject) }
        case .registration: if rings(.registration, of: subject) { registrationAlarmRang(subject) }
        case .rotation: if rings(.rotation, of: subject) { rotationAlarmRang(subject) }
        case .device: if rings(.device, of: subject) { deviceAlarmRang(subject) }
        case .monitor: if rings(.monitor, of: subject) { monitorAlarmRang(subject) }
        case .response: responseArrived(subject)
        case .delivery: deliveryArrived(subject)
        case .patience: patienceEnded(subject)
        case .requeue: pushReturned(subject)
        case .token: tokenCame()
        case .senderResumed: senderResumed(fault: Int(subject))
        case .service: serviceEnded(subject)
        }
        return true
    }

    /// Closes the books at the horizon: what is still under way is counted as such.
    public mutating func finish() {
        loop.advance(to: world.horizon)
        closeBooks()
    }

    // MARK: - Events

    mutating func schedule(_ kind: EventKind, subject: UInt32, at instant: Instant, priority: EventPriority) {
        // What cannot happen any more need not be remembered.
        guard instant <= world.horizon else { return }
        loop.schedule(EventWord(kind: kind.rawValue, subject: subject), at: instant, priority: priority)
    }

    /// Takes an event into the history under the ride's lasting number.
    mutating func record(_ kind: EventKind, of slot: UInt32) {
        loop.record(event: kind.rawValue, subject: activities[Int(slot)].ride)
    }

    // MARK: - Draws

    func draw(_ slot: UInt32, _ purpose: Purpose, _ index: UInt32 = 0) -> UInt64 {
        random.draw(entity: activities[Int(slot)].ride, purpose: purpose.rawValue, index: index)
    }

    func span(_ sampler: SamplerID, _ slot: UInt32, _ purpose: Purpose, _ index: UInt32 = 0) -> TimeSpan {
        world.bank.timeSpan(sampler, draw(slot, purpose, index))
    }

    /// A trial that costs no draw when its outcome is certain.
    func happens(_ probability: Probability, _ slot: UInt32, _ purpose: Purpose, _ index: UInt32 = 0) -> Bool {
        guard probability != .never else { return false }
        guard probability != .always else { return true }
        return probability.happens(draw(slot, purpose, index))
    }

    // MARK: - Places

    mutating func place(_ activity: Activity) -> UInt32 {
        if let slot = freeActivities.popLast() {
            activities[Int(slot)] = activity
            return slot
        }
        activities.append(activity)
        return UInt32(activities.count - 1)
    }

    mutating func place(_ push: Push) -> UInt32 {
        if let slot = freePushes.popLast() {
            pushes[Int(slot)] = push
            return slot
        }
        pushes.append(push)
        return UInt32(pushes.count - 1)
    }

    /// Gives the place of an activity back once nothing more can come of it.
    mutating func releaseIfOver(_ slot: UInt32) {
        let activity = activities[Int(slot)]
        guard activity.isInUse, activity.isRideOver, activity.phase != .live, activity.registration == .idle,
            activity.instance?.isClosed ?? true
        else { return }
        activities[Int(slot)].isInUse = false
        freeActivities.append(slot)
    }

    // MARK: - Telling

    func isWatched(_ slot: UInt32) -> Bool {
        watch.covers(activities[Int(slot)].ride)
    }

    /// Adds a line to the story of a watched ride.
    mutating func tell(_ slot: UInt32, _ happening: @autoclosure () -> StoryLine.Happening) {
        guard isWatched(slot) else { return }
        let activity = activities[Int(slot)]
        story.append(
            StoryLine(
                ride: activity.ride,
                at: loop.now,
                happening: happening(),
                belief: activity.instance?.classification(at: loop.now),
                screen: activity.phase == .live ? .content(activity.screen.content) : .nothing
            )
        )
    }

    /// Adds a line about a push, which may come to its end after the activity has.
    mutating func tell(of push: Push, _ happening: @autoclosure () -> StoryLine.Happening) {
        guard watch.covers(push.ride) else { return }
        guard !isCurrent(push) else {
            tell(push.activity, happening())
            return
        }
        story.append(
            StoryLine(ride: push.ride, at: loop.now, happening: happening(), belief: nil, screen: .nothing)
        )
    }
}
