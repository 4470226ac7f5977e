import FreshnessCore
public import Quantities
public import SimulationKernel

/// One cell of the simulated world: a monitor shard with its sender, and the activities that hash to it.
///
/// A cell is one sequential simulation. Nothing in it depends on other cells, on the machine's clock or on the order in
/// which cells are run. Stations outside the cell are reached through its ``CellPorts``.
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
/// The extensions beside this file hold one station each, with one handler for each event. Handlers end by scheduling
/// events or setting alarms. The handlers of an activity run on one of two schedules, with the same history:
///
/// ```
/// event by event    list ─► handler ─► list ─► handler of another activity ─► list ─► …
/// ahead of time     list ─► handler ─► agenda ─► handler ─► agenda ─► handler ─► … safe horizon ─► list ─► …
/// ```
///
/// The second is speculative execution; see `CellSimulation+RunAhead.swift`.
public struct CellSimulation: ~Copyable {
    /// Makes the structure address-only: a non-mutating function gets its address, and not a copy of 1.2 kB.
    private let anchor: any Sendable = 0
    let world: World
    /// The world of the cohort of the current activity.
    var own: OwnWorld
    /// The rules of that cohort.
    var rules: Rules
    /// The number of that cohort; 0 for the rides that belong to none.
    var cohort = 0
    let cohorts: SegmentCohorts
    /// `true` if some state of activities is in tables beside them.
    private let hasSideTables: Bool
    /// The random source of this replication.
    let random: RandomSource
    let apnsRules: APNsRules
    let senderRules: SenderRules
    /// The index of the cell in the scenario.
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
    /// The streams of the requests that speculation has processed.
    var speculative: SpeculativeStreams
    /// `true` if the cell processes events before their time where it can; see `CellSimulation+RunAhead.swift`.
    public let speculates: Bool
    /// `true` if plain refreshes take the loop of `CellSimulation+FastRefresh.swift`.
    let isAccelerated: Bool
    /// `true` if the activity of the current step runs ahead.
    var isSpeculating = false
    /// `true` while the clock is ahead of the events of other activities.
    var isAhead = false
    /// The number of the activity that the current step concerns.
    var steppedActivity: UInt32?
    /// The instant before which nothing outside that activity can affect it.
    var safeHorizon = Instant.start
    /// The instant before which its requests must begin, so that they end before the horizon.
    var lastStart = Instant.start
    /// The event of that activity that is in the list; nil if there may be none.
    var scheduled: Agenda?
    /// The push in flight whose events are not in the list.
    var followedPush: UInt32?
    /// `true` if the activity of the current step has no other push in flight.
    var followsPushes = false
    /// `true` if a request of speculation may have found no free stream; then all measurements are void.
    public internal(set) var hasMisspeculated = false
    /// The instant at which waiting pushes will be handled.
    var turnAt = Instant.never
    /// The slots of the activities that the monitor must act on now.
    var watchList: [UInt32] = []

    var recorder: Recorder
    var meter: SenderMeter
    var population: Population
    private var storyteller: Storyteller
    /// The search for activities, with its results; nil if there is none.
    public internal(set) var search: ActivitySearch?

    // State that only some scenarios have, after the state of every event.

    /// The app's updates that wait to be drawn.
    var drawings: SideTable<AppDrawing>
    /// The apps that background pushes wake.
    var wakings: SideTable<AppWaking>
    /// The cards that activities leave on screens after their end.
    var endedCards: SideTable<EndedCard>
    /// The pictures on cards.
    var pictures: SideTable<CardPictures>
    /// The starts by push that reach phones.
    var pushStarts: SideTable<PushStarts>
    /// The push-to-start tokens of phones.
    var startTokens: SideTable<StartToken>
    /// The renewals of activities before Apple's limit.
    var renewals: SideTable<CardRenewal>
    /// The number of requests for the content of each activity.
    var contentTries: SideTable<UInt32>
    /// The estimates of arrival that screens show.
    var etas: SideTable<ETAView>
    /// The additional stops that rides have made.
    var stops: SideTable<UInt8>
    /// The links from activities to the phones of riders with several rides.
    var links: SideTable<RiderPhone.Link>
    /// The phones of riders between rides, and with cards of earlier rides.
    var phones = Arena<RiderPhone>()
    /// The state of phones between rides.
    var phoneStates: SideTable<RiderPhone.Kept>
    /// The budgets for starts by push of phones between rides.
    var phoneStarts: SideTable<PushStarts>
    /// The push-to-start tokens of phones between rides.
    var phoneTokens: SideTable<StartToken>
    /// The groups of activities with one content.
    var groups: GroupTable
    /// The members that will join their groups.
    var joins = Arena<GroupTable.Joining>()

    /// A cell before its first event.
    ///
    /// - Parameters:
    ///   - world: The compiled scenario.
    ///   - cell: The index of the cell in the scenario.
    ///   - replication: The index of the replication.
    ///   - seed: Overrides the scenario's seed.
    ///   - watch: The rides whose histories are recorded; no effect on the cell's history.
    ///   - search: The activities to find; no effect on the history.
    ///   - speculation: The limit of speculation.
    ///   - restLimit: The number of activities beyond which idle ones are packed; no effect on the history.
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

    /// A cell that finds its requests itself, or waits for its group to announce them.
    ///
    /// - Parameter course: The measurements that the senders of the group share; nil for a cell that runs alone.
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
        own = OwnWorld(world)
        cohorts = SegmentCohorts(count: world.all.count)
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
        // A search checks activities at the current instant, and the loop for plain refreshes records no histories.
        let isUnseen = watch == .none && search == nil && remote == nil
        let mayRunAhead =
            speculation == .handlersOnly && search == nil && remote == nil || speculation == .accelerated && isUnseen
        lookahead = Lookahead(world, isOpen: mayRunAhead)
        speculates = lookahead.isOpen
        isAccelerated = speculation == .accelerated && world.all.allSatisfy(\.rules.canAccelerate)
        speculative = SpeculativeStreams(isUsed: lookahead.isOpen)
        activities = Activities(restBeyond: isUnseen && !world.rules.hasGroups ? restLimit : .max, world)
        let all = world.all.map(\.rules)
        hasSideTables = all.contains { $0.hasSideTables || $0.hasGroups }
        drawings = SideTable(all.contains(where: \.appDrawsAtIntervals) ? AppDrawing() : nil)
        wakings = SideTable(all.contains { $0.wakeApp != nil } ? AppWaking() : nil)
        endedCards = SideTable(all.contains(where: \.leavesCards) ? EndedCard() : nil)
        pictures = SideTable(
            all.contains { $0.hasPictures || $0.hasCarPhotos }
                ? CardPictures(comeByPush: world.scenario.pushesCarryPhotos) : nil
        )
        pushStarts = SideTable(all.contains(where: \.phone.starts.dropsSome) ? PushStarts() : nil)
        startTokens = SideTable(all.contains(where: \.startTokensRotate) ? StartToken() : nil)
        renewals = SideTable(all.contains { $0.renewBefore != nil } ? CardRenewal() : nil)
        contentTries = SideTable(all.contains { $0.endpoint != nil } ? 0 : nil)
        etas = SideTable(all.contains(where: \.hasETA) ? ETAView() : nil)
        stops = SideTable(all.contains(where: \.ridesStop) ? 0 : nil)
        let returning = all.filter(\.ridersReturn)
        links = SideTable(returning.isEmpty ? nil : RiderPhone.Link())
        phoneStates = SideTable(world.all.contains(where: \.keepsPhones) ? RiderPhone.Kept() : nil)
        phoneStarts = SideTable(returning.contains(where: \.phone.starts.dropsSome) ? PushStarts() : nil)
        phoneTokens = SideTable(returning.contains(where: \.startTokensRotate) ? StartToken() : nil)
        groups = GroupTable(world, cell: cell)
        recorder = Recorder(world)
        meter = SenderMeter(world, course: course)
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

    /// The measurements so far.
    ///
    /// - Complexity: O(*windows* + *stages*).
    public var measurements: Measurements {
        var measurements = recorder.measurements
        if let course = meter.ownCourse { measurements.senderCourse = course }
        return measurements
    }

    /// The lines of the recorded histories so far, in the order of their events.
    public var story: [StoryLine] { storyteller.lines }

    /// Moves the rows of the event log since the last call (``Watch/serverLog(withScreens:)``) to the end of an array.
    public mutating func takeServerEvents(into rows: inout [ServerEvent]) { storyteller.log?.take(into: &rows) }

    /// Returns the recorded lines since the last call and discards them, so that memory does not grow in a long run.
    public mutating func takeStory() -> [StoryLine] { storyteller.takeLines() }

    /// The hash of the history so far.
    public var fingerprint: Fingerprint { loop.fingerprint }

    /// The current instant.
    public var now: Instant { loop.now }

    /// An event of the history in readable form; only for a cell that does not run ahead of its clock.
    public struct LastEvent: Hashable, Sendable {
        /// When it happened.
        public let at: Instant
        /// The name of its kind.
        public let kind: String
        /// The ride or the fault that it concerned.
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

    /// The number of effective events so far.
    public var eventCount: UInt64 { loop.recordedCount }

    /// The number of activities in memory.
    public var activityCount: Int { activities.takenCount }

    // MARK: - Running

    /// Runs events up to an instant.
    ///
    /// - Parameter limit: The maximum number of events before returning.
    /// - Returns: `true` if the limit was reached; otherwise no event up to the instant is left.
    public mutating func run(through instant: Instant, atMost limit: Int = .max) -> Bool {
        var count = 0
        while count < limit {
            guard let event = nextEvent(through: min(instant, feed.runnableThrough)) else { return false }
            perform(event)
            // The working set of a small cell stays in the cache without prefetching.
            if activities.count > CellSimulation.cachedActivities {
                prefetchUpcoming()
            }
            count += 1
        }
        return true
    }

    /// The number of activities whose state, pushes and events fit into a second-level cache: about a megabyte.
    private static var cachedActivities: UInt32 { 2048 }

    /// The number of activities beyond which a cell packs idle ones.
    ///
    /// Unpacked, they take 16 MB; smaller cells are faster without packing.
    public static var restLimit: Int { 32_768 }

    /// Runs one event; returns `false` if none is left up to an instant.
    public mutating func step(through instant: Instant) -> Bool {
        guard let event = nextEvent(through: min(instant, feed.runnableThrough)) else { return false }
        perform(event)
        return true
    }

    /// Ends the measurement at the horizon; pushes and activities that are not finished are counted as such.
    public mutating func finish() { finish(at: world.horizon) }

    /// Ends the measurement at an instant, as if it were the horizon.
    ///
    /// - Precondition: All events up to the instant have been run. A cell that runs ahead can only finish at the
    ///   horizon.
    public mutating func finish(at instant: Instant) {
        precondition(instant >= world.runsThrough || !lookahead.isOpen, "a cell that runs ahead has no earlier end")
        loop.advance(to: instant)
        finishMeasurement()
    }

    // MARK: - Requests

    /// Accepts a request of this cell from the group.
    mutating func announce(_ arrival: ArrivalSequence.Arrival) {
        feed.announce(arrival)
    }

    /// Ends a block of announced requests; a cell that waited for it can continue.
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

    // MARK: - Slots

    /// Allocates an activity for a ride that is being requested.
    mutating func place(_ activity: Activity) -> Handle<Activity> {
        let activity = activities.take(activity, at: loop.now)
        if hasSideTables { beginTables(activity.number) }
        ports.placed(ride: activity.ride, at: activity.number)
        return activity
    }

    /// Gives a new activity its initial state in the tables that the scenario uses.
    private mutating func beginTables(_ number: UInt32) {
        drawings.begin(number)
        wakings.begin(number)
        endedCards.begin(number)
        pictures.begin(number)
        pushStarts.begin(number)
        startTokens.begin(number)
        renewals.begin(number)
        contentTries.begin(number)
        etas.begin(number)
        links.begin(number)
        stops.begin(number)
        groups.memberships.begin(number)
    }

    /// Frees the slot of an activity once nothing more can happen to it.
    @inline(__always)
    mutating func releaseIfOver(_ activity: Handle<Activity>) {
        guard activity.isRideOver, activity.isInUse, activity.phone.phase != .live, activity.registration == .idle,
            activity.instance?.isClosed ?? true
        else { return }
        tellTokenDied(activity)
        ports.released(ride: activity.ride)
        countWholeLife(activity)
        if !activity.isChannel { search?.close(activity) }
        if links.isUsed { leavePhone(activity) }
        if groups.isUsed { leftGroup(activity) }
        activity.isInUse = false
        activities.giveBack(activity)
    }

    /// Allocates a push.
    @inline(__always)
    mutating func place(_ push: Push) -> Handle<Push> {
        activities[push.activity].pushCount &+= 1
        let placed = pushes.take(push)
        if groups.isUsed { groups.links.begin(placed.number) }
        return placed
    }

    /// Frees the slot of a push once the sender, the phone and APNs have finished with it.
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
        if groups.isUsed {
            contentEnds(push)
            channelPushEnds(push)
        }
        push.isInUse = false
        pushes.giveBack(push)
    }

    /// `true` if the activity that the push was created for is still in its slot.
    @inline(__always)
    func isCurrent(_ push: Handle<Push>) -> Bool {
        let activity = activities[push.activity]
        return activity.isInUse && activity.ride == push.ride
    }

    // MARK: - Histories of rides

    /// Adds a line to the history of a watched ride.
    @inline(__always)
    mutating func log(_ activity: Handle<Activity>, _ happening: @autoclosure () -> StoryLine.Happening) {
        guard storyteller.watches(activity.ride) else { return }
        write(activity.ride, activity, happening())
    }

    /// Adds a line about a push, which may end after the activity has.
    @inline(__always)
    mutating func log(of push: Handle<Push>, _ happening: @autoclosure () -> StoryLine.Happening) {
        guard storyteller.watches(push.ride) else { return }
        write(push.ride, isCurrent(push) ? activities[push.activity] : nil, happening(), push.entity.pointee)
    }

    /// Sets the time at which the last line about a push takes effect.
    mutating func lastTakesEffect(at instant: Instant, of push: Handle<Push>) {
        if storyteller.watches(push.ride) { storyteller.lastTakesEffect(at: instant) }
    }

    @inline(never)
    private mutating func write(
        _ ride: UInt64,
        _ activity: Handle<Activity>?,
        _ happening: StoryLine.Happening,
        _ push: Push? = nil
    ) {
        guard storyteller.log == nil else {
            let isByApp = activity.map { $0.startPushes == 0 && $0.life <= 1 } ?? false
            storyteller.log?
                .add(
                    happening,
                    at: loop.now,
                    ride: ride,
                    push: push,
                    first: activity?.firstContent,
                    isByApp: isByApp
                )
            return
        }
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
