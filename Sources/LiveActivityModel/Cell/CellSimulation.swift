import CPrefetch
import FreshnessCore
public import Quantities
public import SimulationKernel

/// One cell of the simulated world: a monitor shard with its sender, and the activities that hash to it.
///
/// A cell is one sequential simulation; nothing in it depends on other cells, on the clock of the machine or on the
/// order in which cells are run. Stations that are not in the cell are told and heard through its ``CellPorts``.
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
    let rules: Rules
    /// The draws of this history.
    let random: RandomSource
    let apnsRules: APNsRules
    let senderRules: SenderRules
    /// Which cell of the scenario this is.
    public let cell: Int
    let assignment: CellAssignment

    var loop = EventLoop()
    /// The requests of the whole run, where the cell looks for its own; nil where its group announces them.
    var arrivals: ArrivalSequence?
    /// Requests that the group has announced.
    var announced: AnnouncedArrivals
    var nextArrival: ArrivalSequence.Arrival?
    /// How far events can be run: through the horizon; not at all while the next request is yet to be announced.
    var runnableThrough: Instant

    var activities = Arena<Activity>()
    var pushes = Arena<Push>()

    var sender: SenderStation
    /// Up to when the numbers of the sender are integrated.
    var senderChangedAt = Instant.start
    var apns = APNsStation()
    var budget: RetryBudget?

    var recorder: Recorder
    let senderCourse: SenderCourse.Open
    /// Whether the course is this cell's own, and not its group's.
    private let ownsCourse: Bool
    var senderSecond = SenderCourse.Second()
    var population: Int64 = 0
    var populationChangedAt = Instant.start
    /// The next window of the time series to begin; the warm-up's end begins the first one that is measured.
    var nextWindowStart: Instant
    /// For each place of an activity, the time [µs] that its age has spent above each threshold.
    var timesOverAge: ContiguousArray<Int64> = []

    /// The timestamp of the payload before; see ``stamp(_:)``.
    var lastStamp: Int64 = 0

    var ports: CellPorts

    /// Whose stories are told.
    let watch: Watch
    let tellsStories: Bool
    /// What is looked for among activities, with what was found; nil where nothing is.
    public internal(set) var search: ActivitySearch?
    let isSearching: Bool
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
    ///   - search: Which activities are to be found. Neither does searching.
    public init(
        world: World,
        cell: Int,
        replication: UInt32,
        seed: UInt64? = nil,
        watch: Watch = .none,
        search: ActivitySearch? = nil
    ) {
        let random = world.scenario.randomSource(ofReplication: replication, seed: seed)
        self.init(world: world, cell: cell, random: random, isInGroup: false, watch: watch, search: search)
    }

    /// A cell that finds its requests by itself, or waits for its group to announce them.
    init(
        world: World,
        cell: Int,
        random: RandomSource,
        isInGroup: Bool,
        watch: Watch,
        search: ActivitySearch? = nil,
        remote: RemoteStations? = nil,
        course: SenderCourse.Open? = nil
    ) {
        self.world = world
        senderCourse = course ?? SenderCourse.Open(world)
        ownsCourse = course == nil
        rules = world.rules
        ports = CellPorts(remote: remote, hasScript: world.scenario.apns.script != nil)
        self.cell = cell
        assignment = CellAssignment(world, random)
        self.watch = watch
        tellsStories = watch != .none
        self.search = search
        isSearching = search != nil
        self.random = random
        apnsRules = APNsRules(world: world, random: random, assignment: assignment)
        arrivals = isInGroup ? nil : ArrivalSequence(world: world, random: random)
        announced = AnnouncedArrivals()
        runnableThrough = world.runsThrough
        senderRules = SenderRules(world: world, random: random)
        sender = senderRules.station
        budget = world.budget
        nextWindowStart = world.measuredFrom
        recorder = Recorder(world)
        for (index, stretch) in world.faults.connectionLost.enumerated() where stretch.from <= world.horizon {
            schedule(.connectionsLost, subject: UInt32(index), at: stretch.from, priority: .fault)
        }
        for (index, stretch) in world.faults.senderPaused.enumerated() {
            schedule(.senderResumed, subject: UInt32(index), at: stretch.until, priority: .fault)
        }
        scheduleNextArrival()
    }

    deinit {
        if ownsCourse { senderCourse.close() }
    }

    /// What was measured so far.
    ///
    /// - Complexity: O(*windows* + *stages*).
    public var measurements: Measurements {
        var measurements = recorder.measurements
        if ownsCourse { measurements.senderCourse = senderCourse.course }
        return measurements
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
    public var activityCount: Int { activities.takenCount }

    // MARK: - Running

    /// Runs events up to an instant.
    ///
    /// - Parameter limit: How many events at most, so that a caller can look up between them.
    /// - Returns: Whether the limit was reached; else nothing is left to happen up to the instant.
    public mutating func run(through instant: Instant, atMost limit: Int = .max) -> Bool {
        var count = 0
        while count < limit {
            guard let event = loop.next(through: min(instant, runnableThrough)) else { return false }
            perform(event)
            // What a small cell works on stays in the cache by itself.
            if activities.count > CellSimulation.cachedActivities {
                lookAhead()
            }
            count += 1
        }
        return true
    }

    /// How many activities the second cache of a processor holds, with their pushes and events: about a megabyte's worth.
    private static var cachedActivities: UInt32 { 2048 }

    /// Asks for the memory that events to come will work on, so that it is in the cache by then.
    ///
    /// Far ahead for the entity itself, nearer for the activity of a push, which only the push tells. A hint without any
    /// effect on the history.
    @inline(__always)
    private func lookAhead() {
        if let word = loop.upcoming(14) {
            let kind = EventKind(word)
            if kind.concernsActivity {
                prefetch(activities[word.subject], of: kind)
            } else if kind.concernsPush {
                let push = UnsafeRawPointer(pushes[word.subject].entity)
                prefetch_line(push)
                prefetch_line(push + 64)
                prefetch_line(push + 128)
            }
        }
        if let word = loop.upcoming(6), EventKind(word).concernsPush {
            prefetch(activities[pushes[word.subject].activity], of: EventKind(word))
        }
    }

    /// The lines of an activity that events of a kind work on; see ``Activity``.
    @inline(__always)
    private func prefetch(_ activity: Handle<Activity>, of kind: EventKind) {
        let line = UnsafeRawPointer(activity.entity)
        prefetch_line(line)
        prefetch_line(line + 64)
        prefetch_line(line + 128)
        prefetch_line(line + 192)
        if kind == .delivery {
            prefetch_line(line + 256)
            prefetch_line(line + 320)
        }
    }

    /// Runs one event; false when none is left up to an instant.
    public mutating func step(through instant: Instant) -> Bool {
        guard let event = loop.next(through: min(instant, runnableThrough)) else { return false }
        perform(event)
        return true
    }

    /// Does what an event stands for.
    @inline(__always)
    mutating func perform(_ event: EventWord) {
        let subject = event.subject
        switch EventKind(event) {
        case .arrival: rideRequested()
        case .connectionsLost: connectionsLost(fault: Int(subject))
        case .reconnected: reconnected(fault: Int(subject))
        case .ride: rideMovesOn(activities[subject])
        case .refresh: refreshCameUp(activities[subject])
        case .registration: registrationCameUp(activities[subject])
        case .rotation: rotationCameUp(activities[subject])
        case .device: deviceCameUp(activities[subject])
        case .monitor: monitorCameUp(activities[subject])
        case .response: responseArrived(pushes[subject])
        case .delivery: deliveryArrived(pushes[subject])
        case .patience: patienceEnded(pushes[subject])
        case .requeue: pushReturned(pushes[subject])
        case .token: tokenCame()
        case .senderResumed: senderResumed(fault: Int(subject))
        case .service: serviceEnded(pushes[subject])
        case .postponed: postponedChangeCameUp(activities[subject])
        }
    }

    /// Closes the books at the horizon: what is still under way is counted as such.
    public mutating func finish() {
        loop.advance(to: world.horizon)
        closeBooks()
    }

    // MARK: - Events

    @inline(__always)
    mutating func schedule(_ kind: EventKind, subject: UInt32, at instant: Instant, priority: EventPriority) {
        // What cannot happen any more need not be remembered.
        guard instant <= rules.horizon else { return }
        loop.schedule(EventWord(kind: kind.rawValue, subject: subject), at: instant, priority: priority)
    }

    /// Takes an event into the history under the ride's lasting number.
    @inline(__always)
    mutating func record(_ kind: EventKind, of activity: Handle<Activity>) {
        loop.record(event: kind.rawValue, subject: activity.ride)
    }

    // MARK: - Draws

    mutating func draw(_ activity: Handle<Activity>, _ purpose: Purpose, _ index: UInt32 = 0) -> UInt64 {
        random.draw(entity: activity.ride, purpose: purpose.rawValue, index: index)
    }

    @inline(__always)
    mutating func span(_ sampler: SamplerID, _ activity: Handle<Activity>, _ purpose: Purpose, _ index: UInt32 = 0)
        -> TimeSpan
    {
        world.bank.timeSpan(sampler, draw(activity, purpose, index))
    }

    /// A trial that costs no draw when its outcome is certain.
    @inline(__always)
    mutating func happens(
        _ probability: Probability,
        _ activity: Handle<Activity>,
        _ purpose: Purpose,
        _ index: UInt32 = 0
    ) -> Bool {
        guard probability != .never else { return false }
        guard probability != .always else { return true }
        return probability.happens(draw(activity, purpose, index))
    }

    // MARK: - Places

    /// Gives the place of an activity back once nothing more can come of it.
    @inline(__always)
    mutating func releaseIfOver(_ activity: Handle<Activity>) {
        guard activity.isRideOver, activity.isInUse, activity.phone.phase != .live, activity.registration == .idle,
            activity.instance?.isClosed ?? true
        else { return }
        tellTokenDied(activity)
        ports.released(ride: activity.ride)
        countWholeLife(activity)
        if isSearching { search?.close(activity) }
        activity.isInUse = false
        activities.giveBack(activity)
    }

    /// Takes the activities of a ride for which nothing is left to be sent.
    mutating func countWholeLife(_ activity: Handle<Activity>) {
        guard rules.measuredFrom <= activity.requestedAt, activity.life > 0 else { return }
        recorder.count(.wholeLives, by: Int64(activity.life))
        recorder.count(.requestsOfWholeLives, by: Int64(activity.requestCount))
    }

    // MARK: - Telling

    func isWatched(_ activity: Handle<Activity>) -> Bool {
        watch.covers(activity.ride)
    }

    /// Adds a line to the story of a watched ride.
    @inline(__always)
    mutating func tell(_ activity: Handle<Activity>, _ happening: @autoclosure () -> StoryLine.Happening) {
        guard tellsStories, isWatched(activity) else { return }
        write(activity, happening())
    }

    /// Adds a line about a push, which may come to its end after the activity has.
    @inline(__always)
    mutating func tell(of push: Handle<Push>, _ happening: @autoclosure () -> StoryLine.Happening) {
        guard tellsStories, watch.covers(push.ride) else { return }
        if isCurrent(push) {
            write(activities[push.activity], happening())
        } else {
            write(of: push.ride, happening())
        }
    }

    @inline(never)
    private mutating func write(_ activity: Handle<Activity>, _ happening: StoryLine.Happening) {
        story.append(
            StoryLine(
                ride: activity.ride,
                at: loop.now,
                happening: happening,
                belief: activity.instance?.classification(at: loop.now),
                screen: activity.phone.phase == .live ? .content(activity.phone.content) : .nothing
            )
        )
    }

    @inline(never)
    private mutating func write(of ride: UInt64, _ happening: StoryLine.Happening) {
        story.append(StoryLine(ride: ride, at: loop.now, happening: happening, belief: nil, screen: .nothing))
    }
}
