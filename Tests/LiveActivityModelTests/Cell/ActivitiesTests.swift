import FreshnessCore
import Quantities
import SimulationKernel
import Studies
import Testing

@testable import LiveActivityModel

@Suite("Packed activities")
struct ActivitiesTests {
    /// A world of many rides, with refreshes, token rotation, cancellations, swipes, and a monitor.
    private static func world() throws -> World {
        var scenario = Scenario.crowd()
        scenario.rides.cancellation.share = Probability(0.1)
        scenario.devices.start.time = .exponential(mean: 2e6)
        scenario.devices.token.delay = .seconds(2)
        scenario.devices.token.post = .seconds(5)
        scenario.devices.token.rotation = .exponential(mean: 200e6)
        scenario.devices.swipe.share = Probability(0.1)
        scenario.watch(retries: [0, 10])
        return try ScenarioLoader.world(scenario)
    }

    /// A cell of that world half-way, with its idle activities packed, or with none packed.
    private static func cell(_ world: World, restLimit: Int) -> CellSimulation {
        var cell = CellSimulation(
            world: world,
            cell: 0,
            replication: 0,
            speculation: .none,
            restLimit: restLimit
        )
        _ = cell.run(through: .start + .seconds(250))
        return cell
    }

    @Test("Nearly all activities are packed; their numbers and their states stay the same")
    func share() throws {
        let world = try Self.world()
        let awake = Self.cell(world, restLimit: .max)
        let resting = Self.cell(world, restLimit: 0)
        let (areRested, awakeCount, count) =
            (awake.activities.areRested, awake.activities.awakeCount, awake.activities.takenCount)
        let (restingAwakeCount, restingCount) = (resting.activities.awakeCount, resting.activities.takenCount)
        #expect(!areRested && awakeCount == count)
        #expect(restingCount == count)
        #expect(restingAwakeCount * 20 < restingCount)
        for number in 0..<awake.activities.count {
            let (one, other) = (awake.activities.activity(number), resting.activities.activity(number))
            #expect(one?.lasting == other?.lasting)
        }
    }

    @Test("Packing begins at the limit; existing activities keep their numbers", arguments: [1, 2, 50, 200])
    func limit(limit: Int) throws {
        let world = try Self.world()
        var awake = Self.cell(world, restLimit: .max)
        var resting = Self.cell(world, restLimit: limit)
        let areRested = resting.activities.areRested
        #expect(areRested)
        #expect(resting.inventory == awake.inventory)
        var (one, other): ([CellSimulation.Glance], [CellSimulation.Glance]) = ([], [])
        awake.census { one.append($0) }
        resting.census { other.append($0) }
        #expect(!one.isEmpty && one == other)
        for _ in 0..<2 {
            _ = awake.run(through: .never)
            _ = resting.run(through: .never)
        }
        awake.finish()
        resting.finish()
        #expect(resting.fingerprint == awake.fingerprint && resting.measurements == awake.measurements)
        #expect(resting.inventory == awake.inventory)
    }

    @Test("An activity is packed by the values of its cohort", arguments: Speculation.allCases)
    func cohorts(speculation: Speculation) throws {
        var scenario = try Self.world().scenario
        var own = scenario
        own.content.ttl = scenario.content.ttl + .seconds(37)
        own.watch(retries: [0, 20, 30])
        var cohort = Scenario.Cohort(name: "new", share: Probability(0.4))
        cohort.sections = Scenario.Cohort.Sections(own)
        scenario.cohorts = [cohort]
        scenario.rides.arrivals.cities = ["a", "b"].map { Scenario.City(name: $0, share: Probability(0.5)) }
        let world = try ScenarioLoader.world(scenario)
        let finished = [Int.max, 0]
            .map { restLimit in
                var cell = CellSimulation(
                    world: world,
                    cell: 0,
                    replication: 0,
                    speculation: speculation,
                    restLimit: restLimit
                )
                _ = cell.run(through: .start + .seconds(250))
                let isPacked = cell.activities.awakeCount * 4 < cell.activities.takenCount
                #expect(isPacked == (restLimit == 0))
                _ = cell.run(through: .never)
                cell.finish()
                return (cell.fingerprint, cell.measurements)
            }
        #expect(finished[0] == finished[1])
        #expect(finished[0].1.all(.displayedTime, in: .cohort(1)) > 0)
    }

    /// An activity, changed in one respect.
    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// `true` if the activity can still be packed.
        let isAtRest: Bool
        let apply: @Sendable (inout Activity) -> Void

        init(_ name: String, rests isAtRest: Bool, _ apply: @escaping @Sendable (inout Activity) -> Void) {
            (testDescription, self.isAtRest, self.apply) = (name, isAtRest, apply)
        }
    }

    private static let later = Instant.start + .hours(200)

    /// The activities of a cell in a phase and a registration state whose rides are not over.
    private static func activities(
        of cell: borrowing CellSimulation,
        _ phase: PhoneStation.Phase,
        _ registration: Activity.Registration
    ) -> [Activity] {
        var found: [Activity] = []
        for number in 0..<cell.activities.count {
            guard let activity = cell.activities.activity(number), !activity.isRideOver else { continue }
            if activity.phone.phase == phase && activity.registration == registration { found.append(activity) }
        }
        return found
    }

    /// An activity after packing, if it could be packed.
    private static func rested(
        _ activity: Activity,
        in cell: borrowing CellSimulation,
        _ world: World
    ) throws -> (isAtRest: Bool, woken: Activity) {
        var activities = Activities(restBeyond: 0, world)
        let taken = activities.take(activity, at: cell.now).number
        activities.rest(taken, at: cell.now)
        let isAtRest = activities.awakeCount == 0
        let woken = activities.wake(taken)?.entity.pointee
        return (isAtRest, try #require(woken))
    }

    /// The differences from an idle activity that is on the screen with a token.
    static let changes: [Change] = [
        Change("nothing", rests: true) { _ in },
        Change("a push is in flight", rests: false) { $0.pushCount = 1 },
        Change("a push waits", rests: false) { $0.waitingPush.waits(3) },
        Change("a push is expected", rests: false) { _ = $0.destination.arrival(notBefore: later) },
        Change("an end was sent", rests: false) { _ = $0.pushNumbers.takeIndex(for: .end) },
        Change("retries were sent", rests: true) { _ = $0.pushNumbers.takeIndex(for: .retry) },
        Change("starts were sent", rests: true) { _ = $0.pushNumbers.takeIndex(for: .start) },
        Change("the ride is over", rests: false) { $0.isRideOver = true },
        Change("the monitor has given up on it", rests: false) { $0.isGivenUp = true },
        Change("the monitor knows of the ride's end", rests: false) { _ = $0.monitor.rideOver(at: .start) },
        Change("its token is dead", rests: false) { $0.tokenDeadSince = .start },
        Change("the server has an older token", rests: false) { $0.tokenNumber += 1 },
        Change("an older token is invalid", rests: false) { $0.formerTokens = 1 },
        Change("an episode is counted", rests: false) { $0.countedEpisode = .start },
        Change("a start is due to be resent", rests: false) { $0.resendDue = later },
        Change("the server believes in newer content", rests: false) {
            $0.phone.show(ContentStamp(generatedAt: .start, staleDate: .start + .minutes(1)), timestamp: 1)
        },
        Change("its content has another stale date", rests: false) {
            $0.phone.show(ContentStamp(generatedAt: $0.phone.content.generatedAt, staleDate: later), timestamp: 1)
        },
        Change("a later timestamp was sent", rests: false) { $0.timestamps = RisingTimestamps(above: 1 << 38) },
        Change("a post of its token is in flight", rests: false) { $0.registration = .tokenPost },
        Change("its end is due to be reported", rests: false) { $0.registration = .endReport },
        Change("an event for its registration is left", rests: false) { _ = $0.registrationAlarm.set(for: later) },
        Change("its token changes when its ride does", rests: true) {
            $0.rotationAlarm = Alarm(due: $0.movesOnAt, next: $0.movesOnAt)
        },
        Change("its token changes after its ride has changed", rests: true) {
            $0.rotationAlarm = Alarm(due: $0.movesOnAt + .seconds(1), next: .never)
        },
        Change("the event for that is already scheduled", rests: false) {
            $0.rotationAlarm = Alarm(due: $0.movesOnAt + .seconds(1), next: $0.movesOnAt + .seconds(1))
        },
        Change("an earlier event for its rotation is left", rests: false) {
            $0.rotationAlarm = Alarm(due: later + .seconds(1), next: later)
        },
        Change("an earlier event for its refresh is left", rests: true) {
            $0.refreshAlarm = Alarm(due: later + .seconds(1), next: later)
        },
        Change("the second life", rests: false) { $0.life = 2 },
        Change("its age was measured for a shorter time", rests: false) { $0.age.time -= 1 },
        Change("its age was large", rests: true) { $0.age.largest = 1 << 39 },
        Change("its age has a large integral", rests: true) { $0.age.doubledIntegral = 1 << 79 },
        Change("its age has an integral that is too large", rests: false) { $0.age.doubledIntegral = 1 << 80 },
        Change("every allowed difference at once", rests: true) {
            $0.isToBeSwiped = true
            $0.isToBeCancelled = true
            $0.isPhotoSent.toggle()
            $0.isStageSeen.toggle()
            $0.isStageAnnounced.toggle()
            $0.connectivity = Activity.Connectivity(until: later, index: 65_535, isOnline: false)
            $0.nextMove = .rematching
            $0.rematchCount = 255
            $0.contentSource = .app
            $0.whereabouts = .undecodable
            $0.stage = 15
            $0.movesOnAt = later
            $0.rotationAlarm = $0.rotation(at: $0.rotationAlarm.due)
            $0.requeueCount = 65_535
            $0.postAttempts = 255
            $0.postCount = 65_535
            $0.appAliveUntil = .never
        },
        Change("many refreshes", rests: true) { $0.refreshCount = 65_535 },
        Change("too many refreshes", rests: false) { $0.refreshCount = 65_536 },
        Change("too many requests", rests: false) { $0.requestCount = 65_536 },
        Change("too many drivers", rests: false) { $0.rematchCount = 256 },
        Change("the last instant that fits", rests: true) {
            $0.accountedUntil = Instant(microseconds: 1 << 40 - 2)
        },
        Change("an instant that is too late", rests: false) { $0.accountedUntil = Instant(microseconds: 1 << 40 - 1) },
        Change("an instant that is far too late", rests: false) { $0.accountedUntil = Instant(microseconds: .max - 1) },
    ]

    @Test("An activity on the screen is packed if possible, and unpacks to the same state", arguments: changes)
    func change(change: Change) throws {
        let world = try Self.world()
        let cell = Self.cell(world, restLimit: .max)
        var activity = try #require(Self.activities(of: cell, .live, .idle).first)
        change.apply(&activity)
        let (isAtRest, woken) = try Self.rested(activity, in: cell, world)
        #expect(isAtRest == change.isAtRest)
        #expect(woken.lasting == activity.lasting)
        // Nothing is left to drop.
        let again = try Self.rested(woken, in: cell, world)
        #expect(again.isAtRest == isAtRest && again.woken == woken)
    }

    /// A state in which an activity without a token can be packed, and differences that prevent it.
    struct State: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let phase: PhoneStation.Phase
        let registration: Activity.Registration
        let disturb: @Sendable (inout Activity) -> Void
    }

    static let states = [
        State(testDescription: "before its start", phase: .waiting, registration: .startAttempt) { $0.startPushes = 1 },
        State(testDescription: "before its first token", phase: .live, registration: .tokenYield) { $0.life = 2 },
        State(testDescription: "while its token is posted", phase: .live, registration: .tokenPost) {
            $0.registrationAlarm = Alarm(due: later + .seconds(1), next: later)
        },
        State(testDescription: "off the screen", phase: .ended, registration: .idle) {
            _ = $0.rotationAlarm.set(for: later)
        },
    ]

    @Test("An activity without a token is packed if possible, and unpacks to the same state", arguments: states)
    func state(state: State) throws {
        let world = try Self.world()
        let cell = Self.cell(world, restLimit: .max)
        var restCount = 0
        for activity in Self.activities(of: cell, state.phase, state.registration) {
            let (isAtRest, woken) = try Self.rested(activity, in: cell, world)
            #expect(woken.lasting == activity.lasting)
            guard isAtRest else { continue }
            restCount += 1
            let again = try Self.rested(woken, in: cell, world)
            #expect(again.isAtRest && again.woken == woken)
            var disturbed = activity
            state.disturb(&disturbed)
            #expect(try !Self.rested(disturbed, in: cell, world).isAtRest)
        }
        #expect(restCount > 0)
    }

    @Test("An activity stays unpacked under its number, with all others unchanged")
    func wake() throws {
        let world = try Self.world()
        let cell = Self.cell(world, restLimit: .max)
        var activities = Activities(restBeyond: 0, world)
        for activity in Self.activities(of: cell, .live, .idle).prefix(2) {
            activities.rest(activities.take(activity, at: cell.now).number, at: cell.now)
        }
        let awakeCount = activities.awakeCount
        let number = activities.wake(1)?.number
        let (awakeCountThen, takenCount, isInUse) =
            (activities.awakeCount, activities.takenCount, activities[1].isInUse)
        #expect((awakeCount, number) == (0, 1))
        #expect((awakeCountThen, takenCount, isInUse) == (1, 2, true))
    }

    @Test("Slots are reused; a number without an activity refers to an unused one")
    func places() throws {
        let world = try Self.world()
        var activities = Activities(restBeyond: 0, world)
        let first = activities.take(Activity(ride: 1, requestedAt: .start, traceRow: -1), at: .start)
        let second = activities.take(Activity(ride: 2, requestedAt: .start, traceRow: -1), at: .start)
        #expect((first.number, second.number) == (0, 1))
        activities.giveBack(first)
        let (isInUse, isThere) = (activities[0].isInUse, activities.activity(0) != nil)
        let isWoken = activities.wake(0) != nil
        #expect((isInUse, isThere, isWoken) == (false, false, false))
        let (ride, count) = (activities[1].ride, activities.takenCount)
        #expect((ride, count) == (2, 1))
        activities.rest(0, at: .start)
        let third = activities.take(Activity(ride: 3, requestedAt: .start, traceRow: 7), at: .start)
        #expect((third.number, third.ride, third.traceRow) == (0, 3, 7))
        let again = activities[0].ride
        #expect(again == 3)
    }

    @Test("Slots are released once activities that ran ahead can be packed")
    func slotsAreReleased() throws {
        let world = try Self.world()
        let cell = Self.cell(world, restLimit: .max)
        let idle = try #require(Self.activities(of: cell, .live, .idle).first)
        var activities = Activities(restBeyond: 3000, world)
        for number in 0...3000 {
            let activity = activities.take(idle, at: cell.now)
            activity.hasUnscheduledTimers = number < 3000
        }
        let unpacked = (activities.areRested, activities.awakeSlotCount)
        #expect(unpacked == (true, 3002))
        for number in 0..<3000 as Range<UInt32> {
            activities[number].hasUnscheduledTimers = false
            activities.rest(number, at: cell.now)
        }
        let packed = (activities.takenCount, activities.awakeCount, activities.awakeSlotCount)
        #expect(packed.0 == 3001 && packed.1 == 1 && packed.2 <= 258)
        let rides = (0...3000 as ClosedRange<UInt32>).map { activities.activity($0)?.ride }
        #expect(rides.allSatisfy { $0 == idle.ride })
    }

    @Test("A packed activity takes two and a half cache lines and never touches more than three")
    func layout() {
        #expect(MemoryLayout<RestingActivity>.stride == 160)
        for index in 0..<2 {
            let (first, last) = (index * 160 / 64, (index * 160 + 159) / 64)
            #expect(last - first < 3)
        }
    }
}

extension Activities {
    /// The activity under a number, packed or not; nil if there is none.
    fileprivate func activity(_ number: UInt32) -> Activity? {
        let scratch = UnsafeMutablePointer<Activity>.allocate(capacity: 1)
        defer { scratch.deallocate() }
        return look(number, in: scratch)?.entity.pointee
    }
}

extension Activity {
    /// The state that packing must preserve: everything that still matters when no push is in flight.
    fileprivate var lasting: Lasting {
        var activity = self
        activity.destination = APNsDestination()
        activity.newestPush = Activity.noPush
        if life > 0 { activity.startAttempts = 0 }
        activity.startPushes = 0
        if phone.phase == .ended {
            activity.tokenDeadSince = .never
            activity.rotationAlarm = Alarm()
            activity.registrationAlarm = Alarm()
            if life == 0 { activity.postAttempts = 0 }
        }
        activity.monitor = MonitorStation()
        return Lasting(
            activity: activity,
            token: monitor.token,
            watch: monitor.watch,
            wakeCount: monitor.wakeCount,
            isKnown: monitor.freshness != nil
        )
    }
}

/// An activity without its monitor station, and the state of the station that packing must preserve.
private struct Lasting: Equatable {
    var activity: Activity
    var token: UInt32
    var watch: UInt8
    var wakeCount: UInt32
    var isKnown: Bool
}
