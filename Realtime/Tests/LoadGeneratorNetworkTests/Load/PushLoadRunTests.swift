import Experiments
import FreshnessCore
import Histogram
import NIOCore
import NIOPosix
import Quantities
import Shell
import SimulationKernel
import Synchronization
import TestSupport
import Testing

@testable import LoadGenerator

/// Tests of loads over real connections on the loopback address.
@Suite(.serialized) struct PushLoadRunTests {
    @Test func everyPushIsSentAndCounted() async throws {
        let server = try await SmallServer { _ in SmallServer.Answer() }
        let load = PushLoad(arrivals: .open(try .constant(perSecond: 500, for: .milliseconds(400))), tokens: 10)
        let tally = try await run(load, port: server.port, connections: 3, lanes: 2)
        #expect(tally.firstAttempts == 200)
        #expect(tally.statuses == [200: 200])
        // The statuses and reasons that did not occur.
        #expect(tally.statusesNotGiven == [400, 403, 404, 405, 410, 413, 429, 500, 503])
        #expect(tally.reasonsNotGiven.contains("TooManyRequests"))
        #expect(tally.latency.totalCount == 200)
        #expect(tally.sendWait.totalCount == 200)
        #expect(tally.learnt.missing == 0)
        #expect(tally.seconds.map(\.learnt.total) == [200])
        #expect(tally.outcomes.reduce(0) { $0 + $1.accepted } == 200)
        try await server.stop()
    }

    /// A server with one stream stalls once, and the latencies include the waits of pushes that were due meanwhile.
    @Test func aStallIsChargedToAllWhoWereDue() async throws {
        let server = try await SmallServer {
            $0 == 0 ? SmallServer.Answer(delay: .milliseconds(1500)) : SmallServer.Answer()
        }
        let load = PushLoad(arrivals: .open(try .constant(perSecond: 100, for: .milliseconds(1000))), tokens: 10)
        let tally = try await run(load, port: server.port, connections: 1, lanes: 1, streams: 1)
        #expect(tally.firstAttempts == 100)
        // Of 100 pushes, those due in the first 400 ms waited at least 1.1 s; all except one were then served
        // immediately.
        #expect(tally.latency.valueAtPercentile(60) >= 1_090_000)
        #expect(tally.latency.max >= 1_490_000)
        #expect(tally.serviceTime.valueAtPercentile(50) < tally.latency.valueAtPercentile(50))
        // All were due in the first second. The server stalled through that second, so their answers are not all in it.
        #expect(tally.seconds.map(\.learnt.accepted) == [100])
        #expect(tally.outcomes.reduce(0) { $0 + $1.accepted } == 100)
        #expect(tally.outcomes.count > 1)
        try await server.stop()
    }

    /// With a dead endpoint, pushes count as given up, whether there are retries or not.
    @Test func withoutRetriesAPushHasOneAttempt() async throws {
        let server = try await SmallServer { number in
            number < 5
                ? SmallServer.Answer(status: 503, body: #"{"reason":"ServiceUnavailable"}"#) : SmallServer.Answer()
        }
        let load = PushLoad(arrivals: .open(try .constant(perSecond: 200, for: .milliseconds(100))), tokens: 4)
        let tally = try await run(load, port: server.port, connections: 1, lanes: 1, streams: 1)
        #expect(tally.statuses == [200: 15, 503: 5])
        #expect(tally.givenUp == 5 && tally.retries == 0)
        try await server.stop()
    }

    @Test func refusalsThatMayPassAreRetried() async throws {
        let server = try await SmallServer { number in
            number < 5
                ? SmallServer.Answer(status: 503, body: #"{"reason":"ServiceUnavailable"}"#)
                : number < 8
                    ? SmallServer.Answer(status: 410, body: #"{"reason":"Unregistered"}"#) : SmallServer.Answer()
        }
        var load = PushLoad(arrivals: .open(try .constant(perSecond: 200, for: .milliseconds(100))), tokens: 4)
        load.retries = try retries(3, base: .milliseconds(20), cap: .milliseconds(100))
        let tally = try await run(load, port: server.port, connections: 1, lanes: 1, streams: 1)
        #expect(tally.firstAttempts == 20)
        #expect(tally.retries == 5)
        #expect(tally.statuses == [200: 17, 410: 3, 503: 5])
        #expect(tally.learnt.reasons == ["ServiceUnavailable": 5, "Unregistered": 3])
        #expect(tally.givenUp == 0)
        #expect(tally.timeToAcceptance.totalCount == 17)
        try await server.stop()
    }

    /// Two lanes send three tokens 30 pushes each in one second.
    ///
    /// Each push is rejected once and repeated unchanged.
    @Test func timestampsRiseAndStayTheirPushs() async throws {
        let seen = Mutex<[SmallServer.Request: Int]>([:])
        let server = try await SmallServer { _, request in
            let times = seen.withLock { seen in
                seen[request, default: 0] += 1
                return seen[request, default: 0]
            }
            return times == 1 ? Self.unavailable : SmallServer.Answer()
        }
        var load = PushLoad(arrivals: .open(try .constant(perSecond: 90, for: .seconds(1))), tokens: 3)
        load.retries = try retries(1)
        let tally = try await run(load, port: server.port, connections: 2, lanes: 2)
        #expect(tally.firstAttempts == 90 && tally.retries == 90)
        let requests = seen.withLock { $0 }
        #expect(requests.count == 90 && requests.values.allSatisfy { $0 == 2 })
        let tokens = Dictionary(grouping: requests.keys) { $0.path }
        #expect(tokens.count == 3)
        for bodies in tokens.values.map({ $0.map(\.body) }) {
            for second in 0..<30 {
                #expect(bodies.count { $0.contains("\"timestamp\":\(1_700_000_000 + second),") } == 1)
            }
        }
        try await server.stop()
    }

    /// All pushes of two lanes are rejected for the time being, so there are as many retries as the shared budget allows.
    @Test func aBudgetLimitsRetriesOfAllLanesTogether() async throws {
        let server = try await SmallServer { _ in Self.unavailable }
        var load = PushLoad(arrivals: .open(try .constant(perSecond: 200, for: .milliseconds(200))), tokens: 4)
        load.retries = try retries(3)
        load.retryBudget = try RetryBudget(capacityThousandths: 7000, thousandthsPerSecond: 0)
        let tally = try await run(load, port: server.port, connections: 2, lanes: 2)
        #expect(tally.firstAttempts == 40)
        #expect(tally.retries == 7)
        // Each push has ended: it was given up after its last attempt, or its retry was withheld.
        #expect(tally.withheld + tally.givenUp == 40)
        #expect(tally.learnt.reasons == ["ServiceUnavailable": 47])
        #expect(tally.outcomes.reduce(0) { $0 + ($1.reasons["ServiceUnavailable"] ?? 0) } == 47)
        try await server.stop()
    }

    /// The bucket holds four tokens, and each first attempt earns one more before its own retry.
    @Test func firstAttemptsEarnRetries() async throws {
        let server = try await SmallServer { _ in Self.unavailable }
        var load = PushLoad(arrivals: .closed(concurrency: 1, duration: .hours(1)), tokens: 4)
        load.retries = try retries(1)
        load.retryBudget = try RetryBudget(
            capacityThousandths: 4000,
            thousandthsPerSecond: 0,
            thousandthsPerPush: 1000
        )
        let end = EarlyEnd()
        let tally = try await progress(load, port: server.port, connections: 1, lanes: 1, endingWith: end) {
            if $0.tally.retries >= 20 || $0.tally.withheld > 0 { _ = end.ask(.interrupted) }
        }
        .tally
        #expect(tally.retries >= 20 && tally.withheld == 0)
        // Each retry is the last attempt of its push, except for the last one if the load ended before it.
        #expect((tally.retries - 1...tally.retries).contains(tally.givenUp))
        try await server.stop()
    }

    /// Two runs of a Poisson process with one seed have the same number of pushes, which is not the plan's.
    @Test func randomArrivalsAreTheSeeds() async throws {
        let server = try await SmallServer { _ in SmallServer.Answer() }
        let plan = try RatePlan.constant(perSecond: 500, for: .milliseconds(400))
        var arrivals = ArrivalTimes(
            plan,
            process: .poisson,
            random: RandomSource(seed: 5, replication: 0),
            purpose: 1
        )
        var count = 0
        while arrivals.next() != nil { count += 1 }
        for lanes in 1...2 {
            let load = PushLoad(arrivals: .open(plan, .poisson), tokens: 10, seed: 5)
            let tally = try await run(load, port: server.port, connections: 2, lanes: lanes)
            #expect(tally.firstAttempts == count)
        }
        try await server.stop()
    }

    private static let unavailable = SmallServer.Answer(status: 503, body: #"{"reason":"ServiceUnavailable"}"#)

    /// On a machine slower than the timeout, answers are too late as well; requests without an answer always time out.
    @Test func whatIsNotAnsweredTimesOut() async throws {
        let server = try await SmallServer { SmallServer.Answer(isMissing: $0.isMultiple(of: 2)) }
        let load = PushLoad(arrivals: .open(try .constant(perSecond: 100, for: .milliseconds(100))), tokens: 4)
        let tally = try await run(load, port: server.port, connections: 1, lanes: 1, timeout: .milliseconds(700))
        #expect(tally.learnt.timedOut >= 5)
        #expect(tally.learnt.timedOut + tally.learnt.accepted == 10)
        try await server.stop()
    }

    @Test func aClosedLoadKeepsItsStreamsBusy() async throws {
        let server = try await SmallServer { _ in SmallServer.Answer() }
        let load = PushLoad(
            arrivals: .closed(concurrency: 8, duration: .hours(1)),
            warmUp: .milliseconds(50),
            tokens: 4
        )
        let end = EarlyEnd()
        let tally = try await progress(load, port: server.port, connections: 2, lanes: 2, endingWith: end) {
            if $0.tally.requests > 8 { _ = end.ask(.interrupted) }
        }
        .tally
        #expect(tally.learnt.accepted == tally.requests)
        #expect(tally.requests > 8)
        try await server.stop()
    }

    /// Eight pushes are rejected and their retries never answered, so a ninth push would exceed the concurrency.
    @Test func aPushThatWaitsForItsRetryKeepsItsPlaceInAClosedLoad() async throws {
        let server = try await SmallServer { $0 < 8 ? Self.unavailable : SmallServer.Answer(isMissing: true) }
        var load = PushLoad(arrivals: .closed(concurrency: 8, duration: .milliseconds(500)), tokens: 4)
        load.retries = try retries(1)
        let tally = try await run(load, port: server.port, connections: 1, lanes: 1, timeout: .milliseconds(1500))
        #expect(tally.firstAttempts == 8)
        #expect(tally.retries == 8)
        try await server.stop()
    }

    /// After an early end, answers are awaited, and neither pushes nor retries are sent.
    @Test func anEarlyEndKeepsWhatWasSent() async throws {
        let server = try await SmallServer { number in
            number.isMultiple(of: 2)
                ? SmallServer.Answer(delay: .milliseconds(300)) : SmallServer.Answer(status: 503)
        }
        var load = PushLoad(arrivals: .open(try .constant(perSecond: 50, for: .minutes(5))), tokens: 10)
        load.retries = try retries(3, base: .minutes(1), cap: .minutes(1))
        let end = EarlyEnd()
        var stopped: TimeSpan?
        let progress = try await progress(load, port: server.port, connections: 2, lanes: 2, endingWith: end) {
            if $0.tally.requests >= 20 { _ = end.ask(.interrupted) }
            if $0.earlyEnd != nil { stopped = stopped ?? $0.elapsed }
        }
        let mark = try #require(progress.earlyEnd)
        #expect(mark.cause == .interrupted && mark.unanswered == 0 && mark.planned == .minutes(5))
        #expect(mark.ran > .zero && mark.ran < .minutes(5))
        // Each arrival up to the end has its outcome, and no arrival after all lanes had stopped.
        let plan = try #require(load.plan)
        let latest = try #require(stopped)
        #expect(progress.tally.firstAttempts >= plan.dueCount(at: mark.ran.microseconds * 1000))
        #expect(progress.tally.firstAttempts <= plan.dueCount(at: latest.microseconds * 1000))
        try await server.stop()
    }

    private func retries(
        _ attempts: Int,
        base: TimeSpan = .milliseconds(5),
        cap: TimeSpan = .seconds(1)
    ) throws -> RetryPolicy {
        try RetryPolicy(maxAttempts: attempts, base: base, factorThousandths: 2000, cap: cap)
    }

    private func run(
        _ load: PushLoad,
        port: Int,
        connections: Int,
        lanes: Int,
        streams: Int = 100,
        timeout: TimeAmount = .seconds(Int64(Patience.seconds))
    ) async throws -> PushTally {
        try await progress(
            load,
            port: port,
            connections: connections,
            lanes: lanes,
            streams: streams,
            timeout: timeout
        )
        .tally
    }

    private func progress(
        _ load: PushLoad,
        port: Int,
        connections: Int,
        lanes: Int,
        streams: Int = 100,
        timeout: TimeAmount = .seconds(Int64(Patience.seconds)),
        endingWith end: EarlyEnd = EarlyEnd(),
        tell: (PushLoadRun.Progress) -> Void = { _ in }
    ) async throws -> PushLoadRun.Progress {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: lanes)
        let pool = try await APNsPool(
            endpoint: APNsEndpoint(host: "127.0.0.1", port: port, trust: nil),
            configuration: APNsPoolConfiguration(
                connections: connections,
                lanes: lanes,
                streamsPerConnection: streams,
                timeout: timeout
            ),
            group: group
        )
        try await pool.connected(within: Patience.limit)
        let progress = try await PushLoadRun(load, over: pool)
            .run(unixSeconds: 1_700_000_000, endingWith: end, every: .milliseconds(20), tell: tell)
        await pool.close()
        try await group.shutdownGracefully()
        return progress
    }
}
