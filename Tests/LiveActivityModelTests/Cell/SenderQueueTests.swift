import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

/// Handmade histories: one ride, one stream, updates at fixed instants, an end that finds an empty sender.
@Suite("The sender's queueing disciplines")
struct SenderQueueTests {
    private static func single(_ stages: Double..., requestTime: Double) -> Scenario {
        var scenario = Scenario.ride()
        scenario.rides.stages = stages.enumerated().map { Scenario.Stage(name: "s\($0)", duration: .seconds($1)) }
        scenario.sender.streams = 1
        scenario.sender.requestTime = .seconds(requestTime)
        scenario.sender.timeout = .hours(1)
        return scenario
    }

    private static func seconds(_ microseconds: Int64) -> Double { Double(microseconds) / 1e6 }

    // MARK: - Ranks

    @Test("Updates of a stage with a better rank go first, in order within each rank")
    func stageRanks() throws {
        var scenario = Self.single(20, 980, requestTime: 15)
        scenario.rides.stages[1].rank = 0
        scenario.update(at: 10, 12, 25)
        let waits = try FinishedCell(scenario).measurements.parts(of: .sendWait)
        // Rank 1: the update of 10 at once, that of 12 at 55. Rank 0: those of 20 and 25 at 25 and 40, and the end.
        #expect(waits.map(\.count) == [3, 2, 0, 0, 0, 0, 0, 0])
        #expect(waits.map { Self.seconds($0.sum) } == [20, 43, 0, 0, 0, 0, 0, 0])
    }

    // MARK: - A full queue

    @Test("The oldest waiting push can be dropped for a new one")
    func dropOldest() throws {
        var scenario = Self.single(1000, requestTime: 30)
        scenario.sender.queueLimit = 1
        scenario.sender.overflow = .dropOldest
        scenario.update(at: 10, 12, 14)
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.request).prefix(7) == [
                "10 queued update", "10 sent update", "12 queued update", "14 update not sent: displaced",
                "14 queued update", "40 accepted update", "40 sent update",
            ]
        )
        #expect(cell[.pushesDisplaced] == 1)
        #expect(cell.measurements[.sendWait].largest == 26_000_000)
    }

    @Test("No push is dropped for one of a worse rank", arguments: [0, 1])
    func worseRank(rank: Int) throws {
        var scenario = Self.single(20, 980, requestTime: 30)
        scenario.rides.stages[0].rank = rank
        scenario.sender.queueLimit = 1
        scenario.sender.overflow = .dropOldest
        scenario.update(at: 10, 15)
        #expect(
            try FinishedCell(scenario).log(.request)[3]
                == (rank == 0 ? "20 update not sent: queueFull" : "20 update not sent: displaced")
        )
    }

    @Test("Without waiting places no push waits", arguments: Scenario.Overflow.allCases)
    func noPlace(overflow: Scenario.Overflow) throws {
        var scenario = Self.single(1000, requestTime: 30)
        scenario.sender.queueLimit = 0
        scenario.sender.overflow = overflow
        scenario.update(at: 10, 12, 40)
        #expect(
            try FinishedCell(scenario).log(.request).prefix(6) == [
                "10 queued update", "10 sent update", "12 update not sent: queueFull", "40 accepted update",
                "40 queued update", "40 sent update",
            ]
        )
    }

    @Test("A push that finds the queue full is offered again until it gets in")
    func orbit() throws {
        var scenario = Self.single(1000, requestTime: 30)
        scenario.sender.queueLimit = 0
        scenario.sender.requeueAfter = .seconds(12)
        scenario.update(at: 10, 12)
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.request).prefix(9) == [
                "10 queued update", "10 sent update", "12 put off update until 24", "24 put off update until 36",
                "36 put off update until 48", "40 accepted update", "48 queued update", "48 sent update",
                "78 accepted update",
            ]
        )
        #expect(cell.measurements[.sendWait].sum == 36_000_000)
        #expect(cell.measurements[.sendTime].largest == 66_000_000)
        #expect(cell.measurements[.orbitTime] == 36_000_000)
        #expect(cell.measurements[.queuedTime] == 0)
        // Two updates and the end.
        #expect(cell.measurements[.busyTime] == 90_000_000)
        #expect(cell.measurements[.saturatedTime] == 90_000_000)
        #expect(cell[.pushesOffered] == 3)
    }

    @Test("Without a connection no stream is free, and with one stream of several taken one is")
    func saturation() throws {
        var scenario = Self.single(1000, requestTime: 30)
        scenario.sender.streams = 2
        scenario.sender.reconnectAfter = .seconds(7)
        scenario.update(at: 10)
        scenario.fail(.connectionLost, from: 200, to: 200)
        #expect(try FinishedCell(scenario).measurements[.saturatedTime] == 7_000_000)
        scenario.update(at: 10, 15)
        #expect(try FinishedCell(scenario).measurements[.saturatedTime] == 32_000_000)
    }

    @Test("Pushes in orbit at the end of the run are counted as such")
    func orbitAtHorizon() throws {
        var scenario = Self.single(1000, requestTime: 30)
        scenario.clock.drain = .seconds(29)
        scenario.sender.queueLimit = 0
        scenario.sender.requeueAfter = .seconds(12)
        scenario.update(at: 10, 12)
        let cell = try FinishedCell(scenario)
        #expect(cell[.inOrbitAtHorizon] == 1)
        #expect(cell.measurements[.orbitTime] == 18_000_000)
        #expect(cell.measurements[.measuredTime] == 30_000_000)
    }

    // MARK: - Patience

    @Test("A push leaves when its patience ends, unless its request begins at exactly that instant")
    func patience() throws {
        var scenario = Self.single(1000, requestTime: 10)
        scenario.sender.patience = .seconds(8)
        scenario.update(at: 10, 12, 13)
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.request).prefix(8) == [
                "10 queued update", "10 sent update", "12 queued update", "13 queued update", "20 accepted update",
                "20 sent update", "21 update not sent: outOfPatience", "30 accepted update",
            ]
        )
        #expect(cell.measurements[.queuedTime] == 16_000_000)
        #expect(cell.leftOver == .init())
    }

    @Test("A place freed by patience is free for a push at the same instant")
    func placeFreedByPatience() throws {
        var scenario = Self.single(1000, requestTime: 30)
        scenario.sender.patience = .seconds(8)
        scenario.sender.queueLimit = 1
        scenario.update(at: 10, 12, 20)
        let log = try FinishedCell(scenario).log(.request)
        #expect(log[3...4] == ["20 update not sent: outOfPatience", "20 queued update"])
    }

    @Test("Patience ends in orbit too, counted from the first offer")
    func patienceInOrbit() throws {
        var scenario = Self.single(1000, requestTime: 30)
        scenario.sender.queueLimit = 0
        scenario.sender.requeueAfter = .seconds(5)
        scenario.sender.patience = .seconds(8)
        scenario.update(at: 10, 12)
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.request).prefix(6) == [
                "10 queued update", "10 sent update", "12 put off update until 17", "17 put off update until 22",
                "20 update not sent: outOfPatience", "40 accepted update",
            ]
        )
        #expect(cell.leftOver == .init())
    }

    // MARK: - Preemption

    @Test("A push of a better rank interrupts a request, which later needs only its remaining time")
    func resume() throws {
        var scenario = Self.single(20, 980, requestTime: 15)
        scenario.rides.stages[1].rank = 0
        scenario.sender.preempt = .resume
        scenario.update(at: 10, 12, 21)
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.request).prefix(13) == [
                "10 queued update", "10 sent update", "12 queued update", "20 interrupted update", "20 queued update",
                "20 sent update", "21 queued update", "35 accepted update", "35 sent update", "50 accepted update",
                "50 resumed update", "55 accepted update", "55 sent update",
            ]
        )
        #expect(cell[.requestsInterrupted] == 1)
        // Rank 0: 20 to 35, 21 to 50, and the end. Rank 1: 10 to 55, 12 to 70.
        #expect(cell.measurements.parts(of: .sendTime).prefix(2).map { Self.seconds($0.sum) } == [59, 103])
        #expect(cell.measurements.parts(of: .sendTime).prefix(2).map(\.count) == [3, 2])
        #expect(cell.measurements[.busyTime] == 75_000_000)
        #expect(cell.leftOver == .init())
    }

    @Test("New content takes over the stream of older content of its activity")
    func replace() throws {
        var scenario = Self.single(1000, requestTime: 30)
        scenario.sender.preempt = .replace
        scenario.update(at: 10, 15)
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.request).prefix(6) == [
                "10 queued update", "10 sent update", "15 cancelled update", "15 queued update", "15 sent update",
                "45 accepted update",
            ]
        )
        #expect(cell[.requestsCancelled] == 1)
        #expect(cell.measurements[.busyTime] == 65_000_000)
        #expect(cell.leftOver == .init())
    }

    @Test("While a stream is free nothing is replaced, and never the content of others")
    func replaceOnlyOwn() throws {
        var scenario = Self.single(1000, requestTime: 30)
        scenario.sender.preempt = .replace
        scenario.sender.streams = 2
        scenario.update(at: 10, 15)
        #expect(try FinishedCell(scenario)[.requestsCancelled] == 0)
        scenario.sender.streams = 1
        scenario.update(at: 10)
        #expect(try FinishedCell(scenario.times(2))[.requestsCancelled] == 0)
    }

    @Test("An end in flight is not cancelled")
    func endsAreKept() throws {
        var scenario = Self.single(100, requestTime: 30)
        scenario.sender.preempt = .replace
        scenario.monitor.endSchedule = [.zero, .seconds(10)]
        scenario.devices.endReport = .seconds(3600)
        scenario.update(at: 90)
        #expect(
            try FinishedCell(scenario).log(.request).dropFirst(2) == [
                "100 cancelled update", "100 queued end", "100 sent end", "110 queued end", "130 accepted end",
                "130 end not sent: tokenGone",
            ]
        )
    }

    // MARK: - The rate limit

    private static func limited(_ excess: Scenario.Excess, _ refill: TokenBucket.Refill) -> Scenario {
        var scenario = single(1000, requestTime: 0)
        var limit = Scenario.RateLimit()
        limit.perSecond = 0.1
        limit.burst = 1
        limit.refill = refill
        limit.excess = excess
        scenario.sender.rateLimit = limit
        return scenario
    }

    @Test(
        "A push without a token is dropped if the limit polices",
        arguments: [(TokenBucket.Refill.continuous, ["15", "29.5"]), (.whole, ["15", "24"])]
    )
    func policing(refill: TokenBucket.Refill, sent: [String]) throws {
        var scenario = Self.limited(.drop, refill)
        scenario.update(at: 15, 16, 24, 24.5, 29.5)
        let cell = try FinishedCell(scenario)
        let log = cell.log(.request)
        #expect(log.filter { $0.hasSuffix("sent update") } == sent.map { "\($0) sent update" })
        #expect(log.contains("16 update not sent: rateLimited"))
        #expect(cell[.pushesRateLimited] == cell[.pushesOffered] - 3)
    }

    @Test("An admitted push that waits for a stream has taken its token")
    func policedAndWaiting() throws {
        var scenario = Self.limited(.drop, .continuous)
        scenario.sender.requestTime = .seconds(30)
        scenario.update(at: 15, 25, 26, 35)
        #expect(
            try FinishedCell(scenario).log(.request).prefix(5) == [
                "15 queued update", "15 sent update", "25 queued update", "26 update not sent: rateLimited",
                "35 queued update",
            ]
        )
    }

    @Test(
        "A push without a token waits for it if the limit shapes, and for a stream",
        arguments: [
            (TokenBucket.Refill.continuous, 0.0, ["15", "25", "35"]), (.whole, 0, ["15", "20", "30"]),
            (.continuous, 12, ["15", "27", "39"]), (.whole, 12, ["15", "27", "39"]),
            (.continuous, 9.5, ["15", "25", "35"]),
        ]
    )
    func shaping(refill: TokenBucket.Refill, requestTime: Double, sent: [String]) throws {
        var scenario = Self.limited(.wait, refill)
        scenario.sender.requestTime = .seconds(requestTime)
        scenario.update(at: 15, 16, 17)
        let cell = try FinishedCell(scenario)
        #expect(cell.log(.request).filter { $0.hasSuffix("sent update") } == sent.map { "\($0) sent update" })
        #expect(cell.leftOver == .init())
    }

    // MARK: - Retries

    private static func unanswered(_ budget: Scenario.Budget?) -> Scenario {
        var scenario = single(1000, requestTime: 0)
        scenario.sender.timeout = .seconds(5)
        scenario.sender.attempts = 31
        scenario.sender.retryBudget = budget
        scenario.fail(.apnsSilent, from: 0, to: 900)
        return scenario
    }

    @Test("Retries end when their budget is spent")
    func retryBudget() throws {
        var budget = Scenario.Budget()
        budget.capacity = 2
        budget.perSecond = 0
        var scenario = Self.unanswered(budget)
        scenario.update(at: 10)
        let cell = try FinishedCell(scenario)
        #expect(
            cell.log(.request).prefix(9) == [
                "10 queued update", "10 sent update", "15 unanswered update", "15 queued update", "15 sent update",
                "20 unanswered update", "20 queued update", "20 sent update", "25 unanswered update",
            ]
        )
        #expect(cell.log(.request)[9] == "25 update not repeated")
        #expect(cell[.repeatsWithheld] == 1)
        #expect(cell[.repeatsSent] == 2)
        #expect(cell[.repeatsOffered] == 2)
    }

    @Test("First requests earn retries; without a budget all attempts are made")
    func earnedRepeats() throws {
        var budget = Scenario.Budget()
        budget.capacity = 2
        budget.perSecond = 0
        budget.perPush = 0.5
        var scenario = Self.unanswered(budget)
        // Two retries at first, none at 200 with half a token, one at 400.
        scenario.update(at: 10, 200, 400)
        #expect(try FinishedCell(scenario)[.repeatsSent] == 3)
        scenario.sender.retryBudget = nil
        #expect(try FinishedCell(scenario)[.repeatsSent] == 90)
    }

    // MARK: - Pauses

    @Test("A paused sender begins nothing and receives nothing until the pause is over")
    func pause() throws {
        var scenario = Self.single(1000, requestTime: 5)
        scenario.fail(.senderPaused, from: 12, to: 20)
        scenario.fail(.senderPaused, from: 18, to: 22)
        scenario.update(at: 10, 14, 22)
        #expect(
            try FinishedCell(scenario).log(.request).prefix(8) == [
                "10 queued update", "10 sent update", "14 queued update", "22 accepted update", "22 sent update",
                "22 queued update", "27 accepted update", "27 sent update",
            ]
        )
    }

    @Test("With free streams, waiting pushes are sent as soon as the pause is over")
    func pauseWithFreeStreams() throws {
        var scenario = Self.single(1000, requestTime: 5)
        scenario.sender.streams = 2
        scenario.fail(.senderPaused, from: 12, to: 20)
        scenario.update(at: 12, 19)
        #expect(
            try FinishedCell(scenario).log(.request).prefix(4) == [
                "12 queued update", "19 queued update", "20 sent update", "20 sent update",
            ]
        )
    }

    // MARK: - Measurement

    @Test("Waits beyond a threshold are counted, but not waits equal to it")
    func waitsOver() throws {
        var scenario = Self.single(100, requestTime: 2).times(3)
        scenario.measure.waitOver = [.zero, .seconds(2), .seconds(4)]
        scenario.update(at: 10)
        // Updates and ends wait 0, 2 and 4 s.
        #expect(try FinishedCell(scenario).measurements.parts(of: .waitsOver) == [4, 2, 0])
    }

    @Test("The warm-up is excluded from the integrals")
    func warmUp() throws {
        var scenario = Self.single(1000, requestTime: 30)
        scenario.clock.warmUp = .seconds(25)
        scenario.clock.drain = .seconds(99)
        scenario.update(at: 10, 12)
        let run = try FinishedCell(scenario).measurements
        #expect(run[.busyTime] == 45_000_000)
        #expect(run[.queuedTime] == 15_000_000)
        #expect(run[.measuredTime] == 75_000_000)
    }
}
