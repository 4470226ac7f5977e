import APNsStandIn
import LiveActivityModel
import NIOCore
import Quantities
import SimulationKernel
import Studies
import Testing

/// Requests that wait for APNs' servers, and the events that can happen meanwhile.
@Suite("The queue of APNs' servers", .serialized)
struct ServerQueueTests {
    private static let path = TestServer.path
    private static let waiting = "freshet_apns_queue"

    /// Runs a stand-in whose only server takes a fixed time for each request.
    private func running(
        service: Double,
        threads: Int,
        wall: TestWall = TestWall(),
        _ body: (TestServer) async throws -> Void
    ) async throws {
        var scenario = Scenario()
        var capacity = Scenario.Capacity()
        capacity.serviceTime = .constant(service)
        scenario.apns.capacity = capacity
        let rules = APNsRules(world: try ScenarioLoader.world(scenario))
        let change = Change {
            $0.apns = rules
            $0.threads = threads
            $0.wall = wall.time
        }
        try await TestServer.running(with: change, body)
    }

    /// Returns a connection with requests that wait behind the first.
    private func waiting(_ count: Int, at server: TestServer, staysOpen: Bool = false) async throws -> TestProvider {
        let provider = try await server.connect(staysOpen: staysOpen)
        let fields = try server.fields()
        // Authenticates the provider, so that it may have many streams.
        _ = try await provider.request(1, path: Self.path, fields + [("apns-priority", "7")])
        for place in 0..<count {
            provider.begin(3 + 2 * place, path: Self.path, fields)
            provider.body(3 + 2 * place, "{}")
        }
        return provider
    }

    @Test(
        "A lost connection drops its waiting requests and the one in service; the server stays busy",
        arguments: [1, 3]
    )
    func lostConnections(threads: Int) async throws {
        try await running(service: 1e9, threads: threads) { server in
            let lost = try await waiting(5, at: server)
            try await server.eventually(Self.waiting, is: 5)
            let other = try await waiting(1, at: server)
            try await server.eventually(Self.waiting, is: 6)
            await lost.close()
            // The other provider's request still waits.
            try await server.eventually(Self.waiting, is: 1)
            #expect(try await server.metric("freshet_apns_unheard_total") == 5)
            await other.close()
            try await server.eventually(Self.waiting, is: 0)
        }
    }

    @Test("A run begins with an empty queue", arguments: [1, 3])
    func begins(threads: Int) async throws {
        let wall = TestWall()
        try await running(service: 1e9, threads: threads, wall: wall) { server in
            let provider = try await waiting(5, at: server)
            try await server.eventually(Self.waiting, is: 5)
            let phones = try await server.connect()
            phones.begin(1, path: "/freshet/phones", [])
            phones.body(1, "begin 1 0\n", isLast: false)
            let begun = try await phones.eventually { $0.responses[1]?.body.hasPrefix("begun") == true ? true : nil }
            #expect(begun)
            #expect(try await server.metric(Self.waiting) == 0)
            #expect(try await server.metric("freshet_apns_silenced_total") == 5)
            // The server is free.
            provider.begin(101, path: Self.path, try server.fields())
            provider.body(101, "{}")
            try await server.eventually(Self.waiting, is: 1)
            try await wall.advance(by: .seconds(1000))
            #expect(try await provider.response(101).status == "200")
        }
    }

    /// The clock is stopped, so no request is served and no timeout passes.
    @Test("The end does not wait for the queue", .timeLimit(.minutes(10)))
    func shutdown() async throws {
        try await running(service: 1e9, threads: 2) { server in
            _ = try await waiting(5, at: server, staysOpen: true)
            try await server.eventually(Self.waiting, is: 5)
        }
    }
}
