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
/// The files beside this one hold one station each; every station ends by scheduling events or setting alarms. What nothing can
/// disturb on its way through them is worked out at once: `CellSimulation+WorkedAhead.swift`.
public struct CellSimulation: ~Copyable {
    let world: World
    let rules: Rules
    /// The draws of this history.
    let random: RandomSource
    let apnsRules: APNsRules
    let senderRules: SenderRules
    /// Which cell of the scenario this is.
    public let cell: Int

    var loop = EventLoop()
    var ties = TiedEvents()
    private(set) var feed: RequestFeed
    var activities: Activities
    private(set) var pushes = Arena<Push>()

    var sender: SenderStation
    var apns = APNsStation()
    var budget: RetryBudget?
    var ports: CellPorts
    let payloadClock: PayloadClock
    var lookahead: Lookahead
    /// When requests that were worked out take their streams and give them back; see ``CellSimulation/integrateSender()``.
    var streams: StreamCalendar
    /// Whether refreshes, starts and ends are worked out as if the sender stayed free.
    let isOptimistic: Bool
    /// Whether a stream that was assumed to be free was not; then nothing that was measured counts.
    public internal(set) var hasErred = false
    /// For when those that wait are to have their turn.
    var turnAt = Instant.never
    /// The places of the activities about which the monitor has something to do now.
    var watchList: [UInt32] = []

    var recorder: Recorder
    var books: SenderBooks
    var population: Population
    private var storyteller: Storyteller
    /// What is looked for among activities, with what was found; nil where nothing is.
    public internal(set) var search: ActivitySearch?

    /// A cell before its first event.
    ///
    /// - Parameters:
    ///   - world: The scenario, made ready.
    ///   - cell: Which of the scenario's cells, counted from 0.
    ///   - replication: Which of the possible histories.
    ///   - seed: In place of the scenario's.
    ///   - watch: Whose stories are to be told. Telling changes nothing about the history.
    ///   - search: Which activities are to be found. Neither does searching.
    ///   - speculation: The limit of speculation.
    ///   - restLimit: How many activities there are to be, for those at rest to take less room; no effect on the history.
    public init(
        world: World,
        cell: Int,
        replication: UInt32,
        seed: UInt64? = nil,
        watch: Watch = .none,
        search: ActivitySearch? = nil,
        speculation: Speculation = .none,
        restLimit: Int = CellSimulation.restLimit
    ) {
        let random = world.scenario.randomSource(ofReplication: replication, seed: seed)
        self.init(
            world: world,
            cell: cell,
            random: random,
            watch: watch,
            search: search,
            speculation: speculation,
            restLimit: restLimit
        )
    }

    /// A cell that finds its requests by itself, or waits for its group to announce them.
    ///
    /// - Parameter course: What the senders of the group share; nil for a cell by itself.
    init(
        world: World,
        cell: Int,
        random: RandomSource,
        watch: Watch,
        search: ActivitySearch? = nil,
        remote: RemoteStations? = nil,
        course: UnsafeMutablePointer<SenderCourse.Open>? = nil,
        speculation: Speculation = .none,
        restLimit: Int = CellSimulation.restLimit
    ) {
        self.world = world
        self.cell = cell
        self.random = random
        rules = world.rules
        let assignment = CellAssignment(world, random)
        apnsRules = APNsRules(world: world, random: random, assignment: assignment)
        senderRules = SenderRules(world: world, random: random)
        let run = course == nil ? ArrivalSequence(world: world, random: random) : nil
        feed = RequestFeed(world, cell: cell, assignment, run: run)
        sender = senderRules.station
        budget = world.budget
        ports = CellPorts(remote: remote, hasScript: world.scenario.apns.script != nil)
        payloadClock = PayloadClock(resolution: world.scenario.content.timestampResolution)
        // A story tells of every step at its time, and a search looks at it then.
        let isUnseen = watch == .none && search == nil && remote == nil
        lookahead = Lookahead(world, isOpen: speculation != .none && isUnseen)
        let foresees = speculation == .optimistic && isUnseen && world.rules.canForesee
        self.isOptimistic = foresees
        streams = StreamCalendar(holdsRequests: foresees)
        activities = Activities(restBeyond: isUnseen ? restLimit : .max, world)
        recorder = Recorder(world)
        books = SenderBooks(world, course: course)
        population = Population(world)
        storyteller = Storyteller(watch)
        self.search = search
        for (index, period) in world.faults.connectionLost.enumerated() where period.from <= world.horizon {
            schedule(.connectionsLost, subject: UInt32(index), at: period.from)
        }
        for (index, period) in world.faults.senderPaused.enumerated() {
            schedule(.senderResumed, subject: UInt32(index), at: period.until)
        }
        scheduleNextRequest()
    }

    /// What was measured so far.
    ///
    /// - Complexity: O(*windows* + *stages*).
    public var measurements: Measurements {
        var measurements = recorder.measurements
        if let course = books.ownCourse { measurements.senderCourse = course }
        return measurements
    }

    /// The story so far, or the stories, their lines as they happened.
    public var story: [StoryLine] { storyteller.lines }

    /// Hands out the story since the last time and forgets it, so that memory does not grow with a long run.
    package mutating func takeStory() -> [StoryLine] { storyteller.takeLines() }

    /// The hash of the history so far.
    public var fingerprint: Fingerprint { loop.fingerprint }

    /// The current instant.
    public var now: Instant { loop.now }

    /// An event of the history, in words; of a cell that is not ahead of its clock.
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
            guard let event = nextEvent(through: min(instant, feed.runnableThrough)) else { return false }
            perform(event)
            // What a small cell works on stays in the cache by itself.
            if activities.count > CellSimulation.cachedActivities {
                prefetchUpcoming()
            }
            count += 1
        }
        return true
    }

    /// How many activities the second cache of a processor holds, with their pushes and events: about a megabyte's worth.
    private static var cachedActivities: UInt32 { 2048 }

    /// How many activities a cell is to have, for those at rest to take less room.
    ///
    /// They come to 16 MB; fewer are quicker without.
    public static var restLimit: Int { 32_768 }

    /// Runs one event; false when none is left up to an instant.
    public mutating func step(through instant: Instant) -> Bool {
        guard let event = nextEvent(through: min(instant, feed.runnableThrough)) else { return false }
        perform(event)
        return true
    }

    /// Closes the books at the horizon: what is still under way is counted as such.
    public mutating func finish() { finish(at: world.horizon) }

    /// Closes the books at an instant, as if it were the horizon.
    ///
    /// - Precondition: All events up to it have been run. A cell that works ahead can be finished at the horizon alone.
    public mutating func finish(at instant: Instant) {
        precondition(instant >= world.runsThrough || !lookahead.isOpen, "a cell that is ahead has no earlier end")
        loop.advance(to: instant)
        closeBooks()
    }

    // MARK: - Requests

    /// The group has found a request of this cell's.
    mutating func announce(_ arrival: ArrivalSequence.Arrival) {
        feed.announce(arrival)
    }

    /// The group has announced a block of requests; where the cell waits for one, it can go on.
    mutating func announcementEnded(isLast: Bool) {
        if isLast { feed.announcedAll() }
        if feed.awaitsAnnouncement { scheduleNextRequest() }
    }

    /// Finds this cell's next ride and schedules its request.
    mutating func scheduleNextRequest() {
        feed.advance()
        if let next = feed.next {
            schedule(.arrival, subject: 0, at: next.at)
        }
    }

    // MARK: - Places

    /// Gives a ride, whose request is here, a place for its activity.
    mutating func place(_ activity: Activity) -> Handle<Activity> {
        let activity = activities.take(activity, at: loop.now)
        ports.placed(ride: activity.ride, at: activity.number)
        return activity
    }

    /// Gives the place of an activity back once nothing more can come of it.
    @inline(__always)
    mutating func releaseIfOver(_ activity: Handle<Activity>) {
        guard activity.isRideOver, activity.isInUse, activity.phone.phase != .live, activity.registration == .idle,
            activity.instance?.isClosed ?? true
        else { return }
        tellTokenDied(activity)
        ports.released(ride: activity.ride)
        countWholeLife(activity)
        search?.close(activity)
        activity.isInUse = false
        activities.giveBack(activity)
    }

    /// Gives a push a place.
    @inline(__always)
    mutating func place(_ push: Push) -> Handle<Push> {
        activities[push.activity].pushCount &+= 1
        return pushes.take(push)
    }

    /// Gives the place of a push back once neither the sender nor the phone waits for it, and APNs has done with it.
    @inline(__always)
    mutating func releaseIfDone(_ push: Handle<Push>) {
        if push.passage.standing == .done, push.deliveryDue == .never, push.service == .none {
            release(push)
        }
    }

    @inline(__always)
    mutating func release(_ push: Handle<Push>) {
        guard push.isInUse else { return }
        if isCurrent(push) { activities[push.activity].pushCount &-= 1 }
        push.isInUse = false
        pushes.giveBack(push)
    }

    /// Whether the activity that the push was made for is still in its place.
    @inline(__always)
    func isCurrent(_ push: Handle<Push>) -> Bool {
        let activity = activities[push.activity]
        return activity.isInUse && activity.ride == push.ride
    }

    // MARK: - Telling

    /// Adds a line to the story of a watched ride.
    @inline(__always)
    mutating func tell(_ activity: Handle<Activity>, _ happening: @autoclosure () -> StoryLine.Happening) {
        guard storyteller.watches(activity.ride) else { return }
        write(activity.ride, activity, happening())
    }

    /// Adds a line about a push, which may come to its end after the activity has.
    @inline(__always)
    mutating func tell(of push: Handle<Push>, _ happening: @autoclosure () -> StoryLine.Happening) {
        guard storyteller.watches(push.ride) else { return }
        write(push.ride, isCurrent(push) ? activities[push.activity] : nil, happening())
    }

    /// Sets the later time at which the last line about a push happens.
    mutating func lastTakesEffect(at instant: Instant, of push: Handle<Push>) {
        if storyteller.watches(push.ride) { storyteller.lastTakesEffect(at: instant) }
    }

    @inline(never)
    private mutating func write(_ ride: UInt64, _ activity: Handle<Activity>?, _ happening: StoryLine.Happening) {
        let phone = activity?.phone
        storyteller.add(
            StoryLine(
                ride: ride,
                at: loop.now,
                happening: happening,
                belief: activity?.instance?.classification(at: loop.now),
                screen: phone.map { $0.phase == .live ? .content($0.content) : .nothing } ?? .nothing
            )
        )
    }
}
