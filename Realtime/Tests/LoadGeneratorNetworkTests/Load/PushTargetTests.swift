import Evaluation
import FreshnessCore
import Histogram
import LiveActivityModel
import NIOCore
import NIOPosix
import Quantities
import Shell
import Synchronization
import TestSupport
import Testing
import Wire

@testable import LoadGenerator

/// Pushes of a load, alone and over real connections on the loopback address.
@Suite("Pushes of a load", .serialized)
struct PushTargetTests {
    private static let tokens = (0..<3).map { DeviceToken(ride: UInt64($0), number: 0) }

    private func id(arrival: UInt64, attempt: UInt64) -> RequestID {
        let request = LoadRequest(number: attempt << 56 | arrival, due: .now(), now: .now())
        return PushTarget.requestID(of: request, tokens: Self.tokens)
    }

    @Test("Other pushes to a token and retries have other draws")
    func luck() {
        let keys = (0..<4).flatMap { round in (0..<32).map { id(arrival: 3 * round + 1, attempt: $0) } }
        #expect(keys.allSatisfy { $0.ride == 1 })
        #expect(Set(keys.map(\.drawIndex)).count == 4 * 32)
    }

    @Test("Attempts after the 32nd have the draws of earlier ones, with their own ids")
    func manyAttempts() {
        #expect(id(arrival: 1, attempt: 33).drawIndex == id(arrival: 1, attempt: 1).drawIndex)
        #expect(Set((0..<256).map { id(arrival: 1, attempt: $0) }).count == 256)
    }

    @Test("Every push is sent, over all connections of all lanes")
    func everyPush() async throws {
        let server = try await SmallServer { _ in SmallServer.Answer() }
        let plan = try RatePlan.constant(perSecond: 500, for: .milliseconds(400))
        let progress = try await run(PushLoad(LoadSchedule(.open(plan)), tokens: 10), server, connections: 3, lanes: 2)
        let tally = progress.tally
        #expect(tally.firstAttempts == 200 && tally.statuses == [200: 200] && tally.learnt.missing == 0)
        // The statuses and reasons that did not occur.
        #expect(tally.statusesNotGiven == [400, 403, 404, 405, 410, 413, 429, 500, 503])
        #expect(tally.reasonsNotGiven.contains("TooManyRequests"))
        #expect(tally.latency.totalCount == 200 && tally.sendWait.totalCount == 200)
        #expect(progress.connections?.connections == 3 && progress.inFlight == 0 && progress.waiting == 0)
        try await server.stop()
    }

    /// A closed load with retries, at a server with one stream; each first answer of a push is a rejection.
    @Test("Rejections that may pass are retried, others are not; a closed load goes on meanwhile")
    func rejections() async throws {
        let server = try await SmallServer { number in
            number < 5
                ? Self.unavailable
                : number < 8
                    ? SmallServer.Answer(status: 410, body: #"{"reason":"Unregistered"}"#) : SmallServer.Answer()
        }
        var load = PushLoad(LoadSchedule(.closed(concurrency: 20, duration: .milliseconds(1))), tokens: 4)
        load.schedule.retries = try retries(3)
        let tally = try await run(load, server, streams: 1).tally
        #expect(tally.retries == 5 && tally.givenUp == 0 && tally.firstAttempts >= 20)
        #expect(tally.learnt.reasons == ["ServiceUnavailable": 5, "Unregistered": 3])
        #expect(tally.learnt.accepted == tally.firstAttempts - 3)
        try await server.stop()
    }

    /// Two lanes send three tokens 30 pushes each in one second.
    ///
    /// Each push is rejected once and repeated unchanged.
    @Test("Timestamps of a token rise by a second from push to push, and a retry keeps its push's")
    func timestamps() async throws {
        let seen = Requests()
        let server = try await seen.rejectingOnce()
        var load = PushLoad(LoadSchedule(.open(try .constant(perSecond: 90, for: .seconds(1)))), tokens: 3)
        load.schedule.retries = try retries(1)
        let tally = try await run(load, server, connections: 2, lanes: 2).tally
        #expect(tally.firstAttempts == 90 && tally.retries == 90)
        let requests = seen.all
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

    /// Each push is rejected once and repeated unchanged.
    @Test("A replay sends the log's pushes with their kinds, priorities and lengths, each ride's to its one token")
    func replay() async throws {
        let seen = Requests()
        let server = try await seen.rejectingOnce()
        var builder = try PushReplayBuilder(speed: 1, seed: 1)
        for number in 0..<60 {
            try builder.add(
                at: Int64(number) * 5000,
                ride: UInt64(number % 3),
                kind: [.start, .update, .retry, .end][number / 15],
                priority: number.isMultiple(of: 2) ? 5 : 10,
                payloadBytes: number < 30 ? 600 + number : nil
            )
        }
        let replay = try builder.finish()
        var load = PushLoad(LoadSchedule(.replay(replay)), tokens: 1)
        load.payload = .update(byteCount: 400)
        load.schedule.retries = try retries(1)
        let tally = try await run(load, server, connections: 2, lanes: 2).tally
        #expect(tally.firstAttempts == 60 && tally.retries == 60 && tally.learnt.accepted == 60)
        let requests = seen.all
        #expect(requests.count == 60 && requests.values.allSatisfy { $0 == 2 })
        for number in 0..<60 {
            let push = try #require(replay.push(number))
            let path = "/3/device/" + DeviceToken(ride: push.ride, number: 0).hexadecimal
            let event = ["start", "update", "update", "end"][number / 15]
            let found = requests.keys.filter { request in
                request.path == path && request.priority == (number.isMultiple(of: 2) ? "5" : "10")
                    && request.body.contains("\"timestamp\":\(1_700_000_000 + number / 3),")
            }
            #expect(found.count == 1 && found.allSatisfy { $0.body.contains("\"event\":\"\(event)\"") })
            #expect(found.allSatisfy { $0.body.utf8.count == (number < 30 ? 600 + number : 400) })
            #expect(found.allSatisfy { ActivityPayload(Array($0.body.utf8))?.missingPart == nil })
        }
        try await server.stop()
    }

    /// On a machine slower than the timeout, answers are too late as well; requests without an answer always time out.
    @Test("Without an answer in time, a push has timed out")
    func timeout() async throws {
        let server = try await SmallServer { SmallServer.Answer(isMissing: $0.isMultiple(of: 2)) }
        let plan = try RatePlan.constant(perSecond: 100, for: .milliseconds(100))
        let load = PushLoad(LoadSchedule(.open(plan)), tokens: 4)
        let learnt = try await run(load, server, timeout: .milliseconds(700)).tally.learnt
        #expect(learnt.timedOut >= 5 && learnt.timedOut + learnt.accepted == 10)
        try await server.stop()
    }

    /// The requests that a server received, with their numbers.
    private final class Requests: Sendable {
        private let seen = Mutex<[SmallServer.Request: Int]>([:])

        var all: [SmallServer.Request: Int] { seen.withLock { $0 } }

        /// Returns a server that rejects each request once.
        func rejectingOnce() async throws -> SmallServer {
            try await SmallServer { [self] _, request in
                let times = seen.withLock { seen in
                    seen[request, default: 0] += 1
                    return seen[request, default: 0]
                }
                return times == 1 ? PushTargetTests.unavailable : SmallServer.Answer()
            }
        }
    }

    private static let unavailable = SmallServer.Answer(status: 503, body: #"{"reason":"ServiceUnavailable"}"#)

    private func retries(_ attempts: Int) throws -> RetryPolicy {
        try RetryPolicy(maxAttempts: attempts, base: .milliseconds(5), factorThousandths: 2000, cap: .seconds(1))
    }

    private func run(
        _ load: PushLoad,
        _ server: SmallServer,
        connections: Int = 1,
        lanes: Int = 1,
        streams: Int = 100,
        timeout: TimeAmount = .seconds(Int64(Patience.seconds))
    ) async throws -> LoadProgress {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: lanes)
        let pool = try await APNsPool(
            endpoint: APNsEndpoint(host: "127.0.0.1", port: server.port, trust: nil),
            configuration: APNsPoolConfiguration(
                connections: connections,
                lanes: lanes,
                streamsPerConnection: streams,
                timeout: timeout
            ),
            group: group
        )
        try await pool.connected(within: Patience.limit)
        let progress = try await LoadRun(load, over: pool)
            .run(unixMicroseconds: 1_700_000_000_000_000, every: .milliseconds(20))
        await pool.close()
        try await group.shutdownGracefully()
        return progress
    }
}
