import FreshnessCore
import Histogram
import LiveActivityModel
import NIOCore
import NIOEmbedded
import Quantities
import SimulationKernel
import Testing

@testable import LoadGenerator

/// The loop of every load, by a clock of its own: each test knows to the microsecond what is sent and recorded.
@Suite("A lane of a load")
struct LoadLaneTests {
    /// A target that notes its requests and answers them as a test says.
    private final class Target: LoadTarget {
        var kinds: [String] = []
        var limit = Int.max
        var notesAll = false
        /// The outcome of a request and its delay; nil: no outcome.
        var answer: (LoadRequest) -> (APNsOutcome, TimeAmount)? = { _ in (.answered(APNsAnswer(status: 200)), .zero) }
        private(set) var requests: [LoadRequest] = []
        private(set) var noted: [Int] = []
        private(set) var concluded: [Int] = []
        private(set) var dispatches = 0

        func note(_ arrival: Int, due: Int64) { noted.append(arrival) }

        func submit(_ request: LoadRequest, for lane: LoadLane<Target>) {
            requests.append(request)
            guard let (outcome, delay) = answer(request) else { return }
            let done = request.now + delay
            lane.loop.scheduleTask(deadline: done) {
                let (number, due, now) = (request.number, request.due, request.now)
                lane.completed([APNsCompletion(number: number, outcome: outcome, due: due, sent: now, done: done)])
            }
        }

        func dispatch() { dispatches += 1 }
        func kind(of arrival: Int) -> Int? { kinds.isEmpty ? nil : arrival % kinds.count }
        func isWorthRetrying(_ outcome: APNsOutcome) -> Bool { outcome != .answered(APNsAnswer(status: 200)) }
        func concluded(_ arrival: Int) { concluded.append(arrival) }
    }

    private let loop = EmbeddedEventLoop()
    private let target = Target()

    /// A lane that has begun at zero.
    private func lane(_ schedule: LoadSchedule, _ target: Target? = nil, index: Int = 0, of count: Int = 1)
        -> LoadLane<Target>
    {
        let lane = LoadLane(schedule, target ?? self.target, on: loop, index: index, of: count)
        lane.start(at: loop.now, unixMicroseconds: 0)
        return lane
    }

    private func schedule(_ perSecond: Double, for duration: TimeSpan) throws -> LoadSchedule {
        LoadSchedule(.open(try .constant(perSecond: perSecond, for: duration)))
    }

    private static let unavailable = APNsOutcome.answered(APNsAnswer(status: 503, reason: "ServiceUnavailable"))

    private func retries(_ attempts: Int, base: TimeSpan = .milliseconds(20)) throws -> RetryPolicy {
        try RetryPolicy(maxAttempts: attempts, base: base, factorThousandths: 2000, cap: .hours(1))
    }

    // MARK: - Due times

    @Test("Each request is made at its due time, and its times are recorded")
    func open() throws {
        target.answer = { _ in (.answered(APNsAnswer(status: 200)), .microseconds(300)) }
        let lane = lane(try schedule(500, for: .milliseconds(400)))
        loop.advanceTime(by: .milliseconds(400))
        #expect(target.requests.map(\.arrival) == Array(0..<200))
        #expect(target.requests.allSatisfy { $0.due == $0.now })
        let tally = lane.progress.tally
        #expect(tally.firstAttempts == 200 && tally.statuses == [200: 200] && tally.learnt.missing == 0)
        for times in [tally.latency, tally.serviceTime, tally.timeToAcceptance] {
            #expect(times.totalCount == 200 && times.min == 300 && times.maxRecorded == 300)
        }
        #expect(tally.sendWait.maxRecorded == 0 && tally.lateness.maxRecorded == 0 && tally.lateness.totalCount == 200)
        #expect(tally.seconds.map(\.learnt.accepted) == [200] && tally.outcomes.map(\.accepted) == [200])
        #expect(lane.isDone && lane.progress.inFlight == 0)
    }

    @Test("A stall is charged to every request that was due in it")
    func stall() throws {
        target.answer = { (.answered(APNsAnswer(status: 200)), .milliseconds(1500) - ($0.now - .uptimeNanoseconds(0))) }
        let lane = lane(try schedule(100, for: .seconds(1)))
        loop.advanceTime(by: .seconds(1))
        #expect(lane.progress.inFlight == 100 && !lane.isDone)
        loop.advanceTime(by: .seconds(1))
        let tally = lane.progress.tally
        #expect(tally.latency.maxRecorded == 1_500_000 && tally.latency.min == 510_000)
        // All were due in the first second, and all answers came in the next one.
        #expect(tally.seconds.map(\.learnt.accepted) == [100] && tally.outcomes.map(\.accepted) == [0, 100])
    }

    @Test("Requests that are due close together are sent together, at most 100 µs late")
    func gathered() throws {
        let lane = lane(try schedule(100_000, for: .milliseconds(10)))
        loop.advanceTime(by: .milliseconds(11))
        #expect(target.requests.count == 1000 && target.dispatches <= 101)
        #expect((90...100).contains(lane.progress.tally.lateness.maxRecorded))
    }

    @Test("Requests that were due before the lane begins are sent at once, and their lateness is the generator's")
    func late() throws {
        loop.advanceTime(by: .milliseconds(30))
        let lane = LoadLane(try schedule(100, for: .milliseconds(100)), target, on: loop)
        lane.start(at: .uptimeNanoseconds(0), unixMicroseconds: 0)
        #expect(target.requests.map(\.arrival) == [0, 1, 2, 3] && target.dispatches == 1)
        loop.advanceTime(by: .milliseconds(100))
        #expect(lane.progress.tally.lateness.maxRecorded == 30_000 && lane.progress.tally.latency.maxRecorded == 30_000)
    }

    @Test("Requests that are due in the warm-up are sent and not measured")
    func warmUp() throws {
        var schedule = try schedule(100, for: .seconds(1))
        schedule.warmUp = .milliseconds(500)
        let lane = lane(schedule)
        loop.advanceTime(by: .seconds(1))
        #expect(target.requests.count == 100 && lane.progress.tally.requests == 50)
        #expect(lane.progress.tally.lateness.totalCount == 50)
    }

    @Test("Beyond the limit of open requests, those that are due count as never sent")
    func limit() throws {
        target.kinds = ["even", "odd"]
        target.limit = 3
        target.answer = { _ in nil }
        let lane = lane(try schedule(10, for: .seconds(1)))
        loop.advanceTime(by: .seconds(1))
        let progress = lane.progress
        #expect(target.requests.count == 3 && progress.inFlight == 3 && progress.tally.notBegun == 7)
        #expect(progress.tally.learnt.notSent == 7 && progress.tally.sent == 0 && progress.tally.requests == 7)
        #expect(progress.tally.kinds.map(\.learnt.notSent) == [3, 4] && progress.tally.kinds.map(\.sent) == [0, 0])
    }

    @Test("Results are recorded by kind")
    func kinds() throws {
        target.kinds = ["even", "odd"]
        target.answer = {
            $0.arrival.isMultiple(of: 2)
                ? (.answered(APNsAnswer(status: 202, isAccepted: true)), .milliseconds(1))
                : $0.arrival % 3 == 0 ? (.timedOut, .milliseconds(2)) : (Self.unavailable, .milliseconds(3))
        }
        let lane = lane(try schedule(10, for: .seconds(1)))
        loop.advanceTime(by: .seconds(2))
        let kinds = lane.progress.tally.kinds
        #expect(kinds.map(\.name) == ["even", "odd"] && kinds.map(\.sent) == [5, 5])
        #expect(kinds.map(\.statuses) == [[202: 5], [503: 3]])
        #expect(kinds.map(\.learnt.accepted) == [5, 0] && kinds.map(\.learnt.timedOut) == [0, 2])
        #expect(kinds.map(\.latency.maxRecorded) == [1000, 3000])
    }

    @Test("Two runs of a Poisson process with one seed have the same requests, whose number is not the plan's")
    func random() throws {
        let plan = try RatePlan.constant(perSecond: 500, for: .milliseconds(400))
        var schedule = LoadSchedule(.open(plan, .poisson))
        schedule.seed = 5
        var arrivals = ArrivalTimes(plan, process: .poisson, random: RandomSource(seed: 5, replication: 0), purpose: 1)
        var dues: [Int64] = []
        while let due = arrivals.next() { dues.append(due) }
        #expect(dues.count != plan.total)
        for count in 1...2 {
            let targets = (0..<count).map { _ in Target() }
            let begin = loop.now
            for (index, target) in targets.enumerated() { _ = lane(schedule, target, index: index, of: count) }
            loop.advanceTime(by: .milliseconds(401))
            let sent = targets.flatMap(\.requests).sorted { $0.arrival < $1.arrival }
            #expect(sent.map { ($0.due - begin).nanoseconds } == dues, "\(count) lanes")
        }
    }

    @Test("A target that needs the due times of all lanes gets them, in order and before each request")
    func noted() throws {
        target.notesAll = true
        _ = lane(try schedule(10, for: .seconds(1)), index: 1, of: 3)
        loop.advanceTime(by: .seconds(1))
        #expect(target.requests.map(\.arrival) == [1, 4, 7])
        #expect(target.noted == Array(0..<10))
    }

    @Test("Phases begin and end at the instants of the fault: a silence leaves none of its requests answered")
    func phases() throws {
        var fault = Scenario.Fault(kind: .apnsSilent, at: .milliseconds(300))
        fault.duration = .milliseconds(450)
        let start: Int64 = 1_700_000_000_000_000
        var schedule = try schedule(100, for: .seconds(1))
        schedule.faults = [ReadyFile.Fault(fault, since: start, speed: 1)]
        let begin = loop.now
        target.answer = { request in
            let isSilent = (300..<750).contains((request.due - begin).nanoseconds / 1_000_000)
            return isSilent ? (.timedOut, .seconds(5)) : (.answered(APNsAnswer(status: 200)), .milliseconds(2))
        }
        let lane = LoadLane(schedule, target, on: loop)
        lane.start(at: begin, unixMicroseconds: start)
        loop.advanceTime(by: .seconds(10))
        let tally = lane.progress.tally
        let phases = FaultPeriods.Phase.allCases.map { tally.phases[$0]?.learnt }
        #expect(phases.map { $0?.accepted } == [30, 0, 25] && phases.map { $0?.timedOut } == [0, 45, 0])
        #expect(tally.phases[.before]?.latency.totalCount == 30 && tally.phases[.during]?.latency.totalCount == 0)
        var sum = LoadTally()
        for _ in 0..<2 { sum.add(tally) }
        #expect(sum.phases[.during]?.learnt.timedOut == 90 && sum.faults == tally.faults)
    }

    // MARK: - Retries

    @Test("Without retries a request has one attempt and is given up")
    func givenUp() throws {
        target.answer = { ($0.arrival < 5 ? Self.unavailable : .answered(APNsAnswer(status: 200)), .zero) }
        let lane = lane(try schedule(200, for: .milliseconds(100)))
        loop.advanceTime(by: .seconds(1))
        let tally = lane.progress.tally
        #expect(tally.statuses == [200: 15, 503: 5] && tally.givenUp == 5 && tally.retries == 0)
        #expect(tally.notAccepted == 5 && tally.notAcceptedWaits == 0...0)
        #expect(target.concluded == Array(0..<20))
    }

    @Test("A rejected request is made again after a pause, with the number of its arrival; times count from the first")
    func retried() throws {
        target.answer = { request in
            let isRefused = request.attempt < 2 && request.arrival < 5
            return (isRefused ? Self.unavailable : .answered(APNsAnswer(status: 200)), .zero)
        }
        var schedule = try schedule(200, for: .milliseconds(100))
        schedule.retries = try retries(3)
        let lane = lane(schedule)
        loop.advanceTime(by: .seconds(1))
        let tally = lane.progress.tally
        #expect(tally.firstAttempts == 20 && tally.retries == 10 && tally.givenUp == 0)
        #expect(tally.statuses == [200: 20, 503: 10] && tally.learnt.reasons == ["ServiceUnavailable": 10])
        // The first retry is immediate, the second follows after the base.
        let first = target.requests.filter { $0.arrival == 0 }
        #expect(first.map(\.attempt) == [0, 1, 2])
        #expect(first.map { ($0.due - first[0].due).nanoseconds } == [0, 0, 20_000_000])
        #expect(tally.timeToAcceptance.maxRecorded == 20_000 && tally.latency.maxRecorded == 0)
        // Each push was accepted in the end.
        #expect(tally.notAccepted == 0 && tally.notAcceptedWaits == nil)
        #expect(target.concluded.sorted() == Array(0..<20) && lane.isDone)
    }

    @Test("A push that is never accepted has waited from its first due time to its last outcome, also in a closed load")
    func neverAccepted() throws {
        var schedule = try schedule(10, for: .milliseconds(200))
        schedule.retries = try retries(2)
        target.answer = {
            ($0.arrival == 0 ? .timedOut : .answered(APNsAnswer(status: 200)), .milliseconds($0.arrival == 0 ? 100 : 1))
        }
        let lane = lane(schedule)
        loop.advanceTime(by: .seconds(1))
        // Three attempts of 100 ms; the second retry follows after 20 ms.
        #expect(lane.progress.tally.notAccepted == 1 && lane.progress.tally.notAcceptedWaits == 320_000...320_000)
        #expect(lane.progress.tally.learnt.missing == 3 && lane.progress.tally.timeToAcceptance.totalCount == 1)

        var closed = LoadSchedule(.closed(concurrency: 1, duration: .milliseconds(50)))
        closed.retries = try retries(2)
        let other = Target()
        other.answer = {
            ($0.attempt < 2 ? Self.unavailable : .answered(APNsAnswer(status: 200)), .milliseconds(100))
        }
        let closedLane = self.lane(closed, other)
        loop.advanceTime(by: .seconds(1))
        let tally = closedLane.progress.tally
        #expect(tally.timeToAcceptance.totalCount == 1 && tally.timeToAcceptance.maxRecorded == 320_000)
        #expect(tally.notAccepted == 0)
    }

    @Test("One budget limits the retries of all lanes")
    func budget() throws {
        var schedule = try schedule(200, for: .milliseconds(200))
        schedule.retries = try retries(3)
        let budget = SharedRetryBudget(try RetryBudget(capacityThousandths: 7000, thousandthsPerSecond: 0))
        target.answer = { _ in (Self.unavailable, .zero) }
        let lanes = (0..<2).map { LoadLane(schedule, target, on: loop, index: $0, of: 2, budget: budget) }
        for lane in lanes { lane.start(at: loop.now, unixMicroseconds: 0) }
        loop.advanceTime(by: .seconds(2))
        var tally = lanes[0].progress.tally
        tally.add(lanes[1].progress.tally)
        #expect(tally.firstAttempts == 40 && tally.retries == 7)
        // Each request was given up after its last attempt, or its retry was withheld.
        #expect(tally.withheld + tally.givenUp == 40)
        #expect(tally.outcomes.reduce(0) { $0 + ($1.reasons["ServiceUnavailable"] ?? 0) } == 47)
    }

    @Test("First attempts earn retries")
    func earned() throws {
        var schedule = LoadSchedule(.closed(concurrency: 1, duration: .seconds(10)))
        schedule.retries = try retries(1)
        let budget = try RetryBudget(capacityThousandths: 4000, thousandthsPerSecond: 0, thousandthsPerPush: 1000)
        target.answer = { _ in (Self.unavailable, .milliseconds(100)) }
        let lane = LoadLane(schedule, target, on: loop, budget: SharedRetryBudget(budget))
        lane.start(at: loop.now, unixMicroseconds: 0)
        loop.advanceTime(by: .seconds(11))
        let tally = lane.progress.tally
        #expect(tally.retries == 50 && tally.withheld == 0 && tally.givenUp == 50)
    }

    // MARK: - Closed loops

    @Test("A closed load keeps its number of requests in flight until its end", arguments: 1...3)
    func closed(lanes count: Int) throws {
        let schedule = LoadSchedule(.closed(concurrency: 8, duration: .milliseconds(95)))
        target.answer = { _ in (.answered(APNsAnswer(status: 200)), .milliseconds(10)) }
        let lanes = (0..<count).map { lane(schedule, index: $0, of: count) }
        for _ in 0..<9 {
            loop.advanceTime(by: .milliseconds(10))
            #expect(lanes.map(\.progress.inFlight).reduce(0, +) == 8)
        }
        loop.advanceTime(by: .milliseconds(10))
        #expect(lanes.allSatisfy(\.isDone) && target.requests.count == 80)
    }

    @Test("A request that waits for its retry keeps its place in a closed load")
    func place() throws {
        var schedule = LoadSchedule(.closed(concurrency: 8, duration: .seconds(1)))
        schedule.retries = try retries(2)
        target.answer = { $0.attempt < 2 ? (Self.unavailable, .milliseconds(1)) : nil }
        let lane = lane(schedule)
        loop.advanceTime(by: .seconds(1))
        #expect(target.requests.count == 24 && Set(target.requests.map(\.arrival)) == Set(0..<8))
        #expect(
            lane.progress.tally.firstAttempts == 8 && lane.progress.tally.retries == 8 && lane.progress.inFlight == 8
        )
    }

    // MARK: - The end

    @Test("After an early end, requests that were due are awaited, and neither requests nor retries are made")
    func stop() throws {
        target.answer = { ($0.arrival == 0 ? Self.unavailable : .answered(APNsAnswer(status: 200)), .milliseconds(25)) }
        var schedule = try schedule(100, for: .minutes(1))
        schedule.retries = try retries(3, base: .minutes(1))
        let lane = lane(schedule)
        loop.advanceTime(by: .milliseconds(24))
        lane.stop()
        #expect(target.requests.count == 3 && lane.progress.inFlight == 3 && !lane.isDone)
        loop.advanceTime(by: .minutes(5))
        #expect(target.requests.count == 3 && lane.isDone)
        #expect(lane.progress.tally.statuses == [200: 2, 503: 1])
        #expect(lane.progress.tally.notAccepted == 1 && lane.progress.tally.notAcceptedWaits == 25_000...25_000)
    }

    @Test("A push that waits for its retry at an early end was not accepted, and has waited until then")
    func stopBetweenAttempts() throws {
        target.answer = { ($0.arrival == 0 ? Self.unavailable : .answered(APNsAnswer(status: 200)), .milliseconds(1)) }
        var schedule = try schedule(100, for: .minutes(1))
        // The first retry is immediate, and the second follows after a minute.
        schedule.retries = try retries(3, base: .minutes(1))
        let lane = lane(schedule)
        loop.advanceTime(by: .milliseconds(25))
        #expect(lane.progress.tally.notAccepted == 0)
        lane.stop()
        loop.advanceTime(by: .seconds(1))
        #expect(lane.isDone && lane.progress.tally.statuses == [200: 2, 503: 2])
        #expect(lane.progress.tally.notAccepted == 1 && lane.progress.tally.notAcceptedWaits == 25_000...25_000)
    }

    @Test("A lane that is stopped before its beginning sends nothing")
    func stoppedBefore() throws {
        let lane = LoadLane(try schedule(100, for: .seconds(1)), target, on: loop)
        lane.stop()
        lane.start(at: loop.now, unixMicroseconds: 0)
        loop.advanceTime(by: .seconds(2))
        #expect(target.requests.isEmpty && lane.isDone)
    }
}
