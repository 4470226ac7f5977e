import FreshnessCore
import LifecycleTraces
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
        #expect(cell.measurements.time(.busyTime) == 75_000_000)
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
        #expect(cell.measurements.time(.busyTime) == 65_000_000)
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

    // MARK: - Histories

    @Test("A cell produces the log of each history", arguments: histories)
    func history(_ history: History) throws { try history.expectInCell() }

    private static let histories = History.read(
        """
        The oldest waiting push can be dropped for a new one
            rides.stages.0.duration=1000s
            sender={streams: 1, request_time: 30s, timeout: 1h, queue_limit: 1, overflow: drop_oldest}
            content.updates_at=[10s, 12s, 14s]
            request: 10 queued update, sent update; 12 queued update; 14 update not sent: displaced, queued update
            40 accepted update, sent update …
            values: pushesDisplaced 1; sendWait.largest 26s

        # Two updates and the end.
        A push that finds the queue full is offered again until it gets in
            rides.stages.0.duration=1000s
            sender={streams: 1, request_time: 30s, timeout: 1h, queue_limit: 0, requeue_after: 12s}
            content.updates_at=[10s, 12s]
            request: 10 queued update, sent update; 12 put off update until 24; 24 put off update until 36
            36 put off update until 48; 40 accepted update; 48 queued update, sent update; 78 accepted update …
            values: sendWait.sum 36s; sendTime.largest 66s; orbitTime 36s; queuedTime 0; busyTime 90s; saturatedTime 90s
            values: pushesOffered 3

        Pushes in orbit at the end of the run are counted as such
            rides.stages.0.duration=1000s
            sender={streams: 1, request_time: 30s, timeout: 1h, queue_limit: 0, requeue_after: 12s}; clock.drain=29s
            content.updates_at=[10s, 12s]
            values: inOrbitAtHorizon 1; orbitTime 18s; measuredTime 30s

        A push leaves when its patience ends, unless its request begins at exactly that instant
            rides.stages.0.duration=1000s; sender={streams: 1, request_time: 10s, timeout: 1h, patience: 8s}
            content.updates_at=[10s, 12s, 13s]
            request: 10 queued update, sent update; 12 queued update; 13 queued update; 20 accepted update, sent update
            21 update not sent: outOfPatience; 30 accepted update …
            values: queuedTime 16s; leftOver 0

        Patience ends in orbit too, counted from the first offer
            rides.stages.0.duration=1000s
            sender={streams: 1, request_time: 30s, timeout: 1h, queue_limit: 0, requeue_after: 5s, patience: 8s}
            content.updates_at=[10s, 12s]
            request: 10 queued update, sent update; 12 put off update until 17; 17 put off update until 22
            20 update not sent: outOfPatience; 40 accepted update …
            values: leftOver 0

        An admitted push that waits for a stream has taken its token
            rides.stages.0.duration=1000s; sender={streams: 1, request_time: 30s, timeout: 1h}
            sender.rate_limit={per_second: 0.1, burst: 1, refill: continuous, excess: drop}
            content.updates_at=[15s, 25s, 26s, 35s]
            request: 15 queued update, sent update; 25 queued update; 26 update not sent: rateLimited
            35 queued update …

        A paused sender begins nothing and receives nothing until the pause is over
            rides.stages.0.duration=1000s; sender={streams: 1, request_time: 5s, timeout: 1h}
            faults.0={kind: sender_paused, at: 12s, duration: 8s}; faults.1={kind: sender_paused, at: 18s, duration: 4s}
            content.updates_at=[10s, 14s, 22s]
            request: 10 queued update, sent update; 14 queued update; 22 accepted update, sent update, queued update
            27 accepted update, sent update …

        With free streams, waiting pushes are sent as soon as the pause is over
            rides.stages.0.duration=1000s; sender={streams: 2, request_time: 5s, timeout: 1h}
            faults.0={kind: sender_paused, at: 12s, duration: 8s}; content.updates_at=[12s, 19s]
            request: 12 queued update; 19 queued update; 20 sent update, sent update …

        A push of the best rank is not dropped for a later one
            rides.stages=[{name: s0, duration: 20s, rank: 0}, {name: s1, duration: 980s}]; content.updates_at=[10s, 15s]
            sender={streams: 1, request_time: 30s, timeout: 1h, queue_limit: 1, overflow: drop_oldest}
            request: 10 queued update, sent update; 15 queued update; 20 update not sent: queueFull …

        A push is dropped for a later one of its rank
            rides.stages=[{name: s0, duration: 20s, rank: 1}, {name: s1, duration: 980s}]; content.updates_at=[10s, 15s]
            sender={streams: 1, request_time: 30s, timeout: 1h, queue_limit: 1, overflow: drop_oldest}
            request: 10 queued update, sent update; 15 queued update; 20 update not sent: displaced …

        Without a connection no stream is free, and with one stream of two taken one is
            rides.stages.0.duration=1000s; content.updates_at=[10s]; faults.0={kind: connection_lost, at: 200s}
            sender={streams: 2, request_time: 30s, timeout: 1h, reconnect_after: 7s}
            values: saturatedTime 7s

        With both streams taken no stream is free
            rides.stages.0.duration=1000s; content.updates_at=[10s, 15s]; faults.0={kind: connection_lost, at: 200s}
            sender={streams: 2, request_time: 30s, timeout: 1h, reconnect_after: 7s}
            values: saturatedTime 32s

        A place freed by patience is free for a push at the same instant
            rides.stages.0.duration=1000s; content.updates_at=[10s, 12s, 20s]
            sender={streams: 1, request_time: 30s, timeout: 1h, patience: 8s, queue_limit: 1}
            request: 10 queued update, sent update; 12 queued update
            20 update not sent: outOfPatience, queued update …

        Retries end when their budget is spent
            rides.stages.0.duration=1000s; content.updates_at=[10s]
            faults.0={kind: apns_silent, at: 0s, duration: 900s}
            sender={streams: 1, request_time: 0s, timeout: 5s, attempts: 31, retry_budget: {capacity: 2, per_second: 0}}
            request: 10 queued update, sent update; 15 unanswered update, queued update, sent update
            20 unanswered update, queued update, sent update; 25 unanswered update, update not repeated …
            values: repeatsWithheld 1; repeatsSent 2; repeatsOffered 2

        # Two retries at first, none at 200 with half a token, one at 400.
        First requests earn retries
            rides.stages.0.duration=1000s; content.updates_at=[10s, 200s, 400s]
            faults.0={kind: apns_silent, at: 0s, duration: 900s}; sender={streams: 1, request_time: 0s, timeout: 5s}
            sender.attempts=31; sender.retry_budget={capacity: 2, per_second: 0, per_push: 0.5}
            values: repeatsSent 3

        Without a budget all attempts are made
            rides.stages.0.duration=1000s; content.updates_at=[10s, 200s, 400s]
            faults.0={kind: apns_silent, at: 0s, duration: 900s}
            sender={streams: 1, request_time: 0s, timeout: 5s, attempts: 31}
            values: repeatsSent 90

        The warm-up is excluded from the integrals
            rides.stages.0.duration=1000s; content.updates_at=[10s, 12s]; clock.warm_up=25s; clock.drain=74s
            clock.duration=26s; sender={streams: 1, request_time: 30s, timeout: 1h}
            values: busyTime 45s; queuedTime 15s; measuredTime 75s

        # Updates and ends wait 0, 2 and 4 s.
        Waits beyond a threshold are counted, but not waits equal to it
            rides.arrivals.count=3; sender={streams: 1, request_time: 2s, timeout: 1h}; content.updates_at=[10s]
            measure.wait_over=[0s, 2s, 4s]
            parts: waitsOver 4 2 0
        """
    )
}
