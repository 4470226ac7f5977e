import APNsStandIn
import LiveActivityModel
import NIOCore
import Quantities
import SimulationKernel
import Studies
import Testing

/// Connections that close on purpose, by option or by a scenario's fault.
@Suite("GOAWAY on demand", .serialized)
struct GoAwayTests {
    private static let path = TestServer.path

    /// Returns the rules of a stand-in that responds to each request after 100 s.
    private func slow(_ change: (inout Scenario) -> Void = { _ in }) throws -> APNsRules {
        var scenario = Scenario()
        scenario.sender.requestTime = .constant(100e6)
        change(&scenario)
        return APNsRules(world: try ScenarioLoader.world(scenario))
    }

    @Test("GOAWAY comes after the given number of requests, and the provider connects again")
    func afterRequests() async throws {
        try await TestServer.running(with: Change(\.goAwayAfter, 3)) { server in
            let fields = try server.fields()
            for _ in 0..<2 {
                let provider = try await server.connect()
                for stream in [1, 3, 5] {
                    #expect(try await provider.request(stream, path: Self.path, fields).status == "200")
                }
                let state = try await provider.eventually { $0.isClosed ? $0 : nil }
                #expect(state.goAways == [""])
                #expect(state.lastStreams == [5])
            }
            #expect(try await server.metric("freshet_apns_goaways_total") == 2)
        }
    }

    @Test("Requests in flight get responses before the connection closes; later ones are excluded")
    func inFlight() async throws {
        let (wall, rules) = (TestWall(), try slow())
        let change = Change {
            $0.apns = rules
            $0.wall = wall.time
            $0.goAwayAfter = 3
        }
        try await TestServer.connected(with: change) { server, provider, fields in
            // Authenticates the provider, so that it may have many streams.
            _ = try await provider.request(1, path: Self.path, fields + [("apns-priority", "7")])
            for stream in [3, 5, 7] {
                provider.begin(stream, path: Self.path, fields)
                provider.body(stream, "{}")
            }
            _ = try await provider.eventually { $0.goAways == [""] ? true : nil }
            try await provider.roundTrip()
            #expect(try await server.metric("freshet_apns_requests_total") == 3)
            try await wall.advance(by: .seconds(100))
            let state = try await provider.eventually { $0.isClosed ? $0 : nil }
            #expect(state.lastStreams == [5])
            #expect([3, 5, 7].map { state.responses[$0]?.status } == ["200", "200", nil])
        }
    }

    @Test("GOAWAY comes when a connection is old")
    func byAge() async throws {
        try await TestServer.connected(with: Change(\.goAwayEvery, .milliseconds(100))) { _, provider, _ in
            let state = try await provider.eventually { $0.isClosed ? $0 : nil }
            #expect(state.goAways == [""])
            #expect(state.lastStreams == [0])
        }
    }

    @Test("A phone link is kept")
    func phonesStay() async throws {
        let wall = TestWall()
        let rules = try slow { $0.faults = [Scenario.Fault(kind: .connectionLost, at: .seconds(10))] }
        let change = Change {
            ($0.goAwayAfter, $0.goAwayEvery) = (1, .milliseconds(100))
            $0.apns = rules
            $0.wall = wall.time
        }
        try await TestServer.running(with: change) { server in
            let phones = try await server.connect()
            phones.begin(1, path: "/freshet/phones", [])
            phones.body(1, "begin 1 0\n", isLast: false)
            _ = try await phones.eventually { $0.responses[1]?.body == "begun\n" ? true : nil }
            let provider = try await server.connect()
            _ = try await provider.eventually { $0.isClosed ? true : nil }
            try await wall.advance(by: .seconds(11))
            try await phones.roundTrip()
            #expect(!phones.isClosed)
            #expect(try await server.metric("freshet_apns_goaways_total") == 1)
        }
    }

    @Test("The fault loses the connections that the scenario's chance picks, at its instant", arguments: [1, 3])
    func lostConnections(threads: Int) async throws {
        let wall = TestWall()
        let rules = try slow { scenario in
            var fault = Scenario.Fault(kind: .connectionLost, at: .seconds(10))
            fault.share = Probability(0.5)
            scenario.faults = [fault]
        }
        let change = Change {
            $0.apns = rules
            $0.wall = wall.time
            $0.threads = threads
        }
        try await TestServer.running(with: change) { server in
            let fields = try server.fields()
            var providers: [TestProvider] = []
            for _ in 0..<8 {
                let provider = try await server.connect()
                _ = try await provider.request(1, path: Self.path, fields + [("apns-priority", "7")])
                provider.begin(3, path: Self.path, fields)
                provider.body(3, "{}")
                try await provider.roundTrip()
                providers.append(provider)
            }
            try await wall.advance(by: .milliseconds(9999))
            for provider in providers { try await provider.roundTrip() }
            #expect(providers.allSatisfy { !$0.isClosed })
            try await wall.advance(by: .milliseconds(1))
            let lost = (0..<8).filter { rules.loses(0, connection: $0) }
            #expect(!lost.isEmpty && lost.count < 8)
            for number in lost {
                let state = try await providers[number].eventually { $0.isClosed ? $0 : nil }
                // The request in flight counts as not processed.
                #expect(state.lastStreams == [1])
                #expect(state.responses[3]?.status ?? "" == "")
            }
            try await server.eventually("freshet_apns_connections", is: 8 - lost.count)
            try await wall.advance(by: .seconds(100))
            for number in 0..<8 where !lost.contains(number) {
                #expect(try await providers[number].response(3).status == "200")
            }
        }
    }

    @Test("A provider that loses its own connections keeps them here")
    func keptConnections() async throws {
        let wall = TestWall()
        let rules = try slow { $0.faults = [Scenario.Fault(kind: .connectionLost, at: .seconds(10))] }
        let change = Change {
            $0.apns = rules
            $0.wall = wall.time
            $0.losesConnections = false
        }
        try await TestServer.connected(with: change) { _, provider, _ in
            try await provider.roundTrip()
            try await wall.advance(by: .seconds(20))
            try await provider.roundTrip()
            #expect(!provider.isClosed)
        }
    }
}
