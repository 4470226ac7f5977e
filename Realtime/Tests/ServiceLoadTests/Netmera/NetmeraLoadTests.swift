import APNsStandIn
import Histogram
import LoadGenerator
import Quantities
import ServiceLoad
import TestSupport
import Testing

/// A load on the stand-in's gateway, over real connections on the loopback address.
@Suite(.serialized) struct NetmeraLoadTests {
    @Test func everyCallIsMadeAndBecomesAPush() async throws {
        let standIn = try await standIn(key: "secret")
        var load = try load(standIn, key: "secret")
        load.startsAll = true
        let outcome = try await load.run { _, _ in }
        #expect(outcome.tally.statuses == [200: 400])
        #expect(outcome.tally.latency.totalCount == 400)
        #expect(outcome.tally.learnt.missing == 0)
        #expect(outcome.notSent == 0)
        #expect(outcome.kinds.map(\.kind) == [.token, .start, .update, .end])
        #expect(outcome.kinds.map(\.count) == [4, 4, 388, 4])
        // 40 by the bulk call, and one for each call except those with tokens.
        let line = "freshet_apns_responses_total{status=\"200\",reason=\"\"} 436\n"
        #expect(try await eventually { try await standIn.metrics().contains(line) })
        await standIn.stop()
    }

    @Test func whatIsDueInTheWarmUpIsNotMeasured() async throws {
        let standIn = try await standIn()
        var load = try load(standIn, key: "any")
        load.warmUp = .milliseconds(500)
        let outcome = try await load.run { _, _ in }
        #expect(outcome.tally.statuses == [200: 200], "\(outcome.tally.learnt), \(outcome.notSent) not sent")
        await standIn.stop()
    }

    @Test func aWrongKeyIsToldBeforeTheLoad() async throws {
        let standIn = try await standIn(key: "secret")
        let load = try load(standIn, key: "another")
        await #expect(throws: NetmeraLoadError.refused(call: "events", status: 401)) {
            try await load.run { _, _ in }
        }
        await standIn.stop()
    }

    /// Without registration the groups do not exist, which is a response like any other.
    @Test func refusalsAreCountedByStatus() async throws {
        let standIn = try await standIn()
        var load = try load(standIn, key: "any")
        load.registers = false
        load.operations = NetmeraOperations(groups: 40, isTurningOver: false, seed: 1)
        let outcome = try await load.run { _, _ in }
        #expect(outcome.tally.statuses == [404: 400])
        await standIn.stop()
        load.timeout = .seconds(1)
        load.connectionWait = .seconds(1)
        let after = try await load.run { _, _ in }
        let learnt = after.tally.learnt
        #expect(learnt.connectionLost + learnt.timedOut + learnt.notSent == 400)
    }

    private static let patience = TimeSpan.seconds(Int64(Patience.seconds))

    private func standIn(key: String? = nil) async throws -> StandIn {
        var configuration = StandInConfiguration(identity: try ServerIdentity.throwAway())
        configuration.netmera = NetmeraConfiguration(port: 0, key: key)
        return try await StandIn.start(configuration)
    }

    private func load(_ standIn: StandIn, key: String) throws -> NetmeraLoad {
        var load = NetmeraLoad(
            endpoint: "http://127.0.0.1:\(standIn.netmeraPort ?? 0)",
            key: key,
            plan: try .constant(perSecond: 400, for: .seconds(1)),
            operations: NetmeraOperations(groups: 40, seed: 1)
        )
        // The response time of the stand-in is not under test.
        load.timeout = Self.patience
        load.connectionWait = Self.patience
        return load
    }
}
