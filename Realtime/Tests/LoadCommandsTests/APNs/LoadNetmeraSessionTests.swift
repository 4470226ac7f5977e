import APNsStandIn
import Quantities
import Shell
import TestSupport
import Testing

@testable import LoadCommands
@testable import LoadGenerator
@testable import ServiceLoad

@Suite("Loads with Netmera's calls")
struct LoadNetmeraSessionTests {
    @Test("Results have the names of a load on APNs; a rejected key is a temporary failure")
    func gateway() async throws {
        var configuration = StandInConfiguration(identity: try .throwAway())
        configuration.netmera = NetmeraConfiguration(port: 0, key: "secret")
        let standIn = try await StandIn.start(configuration)
        func session(key: String) throws -> LoadNetmeraSession {
            var load = NetmeraLoad(
                endpoint: "http://127.0.0.1:\(standIn.netmeraPort ?? 0)",
                key: key,
                plan: try .constant(perSecond: 100, for: .milliseconds(500)),
                operations: NetmeraOperations(groups: 5, seed: 1)
            )
            load.timeout = .seconds(Int64(Patience.seconds))
            load.connectionWait = load.timeout
            return LoadNetmeraSession(load: load, showsProgress: false)
        }
        let outcome = try await session(key: "secret").run()
        #expect(outcome.tally.statuses == [200: 50])
        #expect(outcome.kinds.map(\.name) == ["token", "start", "update", "end"])
        #expect(outcome.kinds.map(\.count).reduce(0, +) == 50)
        #expect(outcome.connections == nil && outcome.remarks.count == 2)
        #expect(outcome.remarks.last?.hasSuffix("not sent because too many earlier calls were in flight: 0.") == true)
        await #expect(throws: Failure.temporary) { try await session(key: "another").run() }
        await standIn.stop()
    }
}
