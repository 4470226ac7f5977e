import APNsStandIn
import Histogram
import LoadGenerator
import Quantities
import ServiceLoad
import Shell
import TestSupport
import Testing

/// Tests against the stand-in's gateway, over real connections on the loopback address.
@Suite(.serialized) struct NetmeraLoadTests {
    @Test func everyCallIsMadeAndBecomesAPush() async throws {
        let standIn = try await standIn(key: "secret")
        var load = try load(standIn, key: "secret")
        load.startsAll = true
        let tally = try await load.run(endingWith: EarlyEnd()) { _ in }.tally
        #expect(tally.statuses == [200: 400])
        #expect(tally.latency.totalCount == 400)
        #expect(tally.learnt.missing == 0)
        #expect(tally.notBegun == 0)
        #expect(tally.kinds.map(\.name) == ["token", "start", "update", "end"])
        #expect(tally.kinds.map(\.sent) == [4, 4, 388, 4])
        // 40 pushes by the bulk call, and one for each call except those with tokens.
        let line = "freshet_apns_responses_total{status=\"200\",reason=\"\"} 436\n"
        #expect(try await eventually { try await standIn.metrics().contains(line) })
        await standIn.stop()
    }

    @Test func whatIsDueInTheWarmUpIsNotMeasured() async throws {
        let standIn = try await standIn()
        var load = try load(standIn, key: "any")
        load.schedule.warmUp = .milliseconds(500)
        let tally = try await load.run(endingWith: EarlyEnd()) { _ in }.tally
        #expect(tally.statuses == [200: 200], "\(tally.learnt), \(tally.notBegun) not begun")
        await standIn.stop()
    }

    @Test func aWrongKeyIsToldBeforeTheLoad() async throws {
        let standIn = try await standIn(key: "secret")
        let load = try load(standIn, key: "another")
        await #expect(throws: NetmeraLoadError.refused(call: "events", status: 401)) {
            try await load.run(endingWith: EarlyEnd()) { _ in }
        }
        await standIn.stop()
    }

    /// Without registration the groups do not exist, and the status of that answer is counted like any other.
    @Test func refusalsAreCountedByStatus() async throws {
        let standIn = try await standIn()
        var load = try load(standIn, key: "any")
        load.registers = false
        load.operations = NetmeraOperations(groups: 40, isTurningOver: false, seed: 1)
        let tally = try await load.run(endingWith: EarlyEnd()) { _ in }.tally
        #expect(tally.statuses == [404: 400])
        await standIn.stop()
        load.timeout = .seconds(1)
        load.connectionWait = .seconds(1)
        let learnt = try await load.run(endingWith: EarlyEnd()) { _ in }.tally.learnt
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
            schedule: LoadSchedule(.open(try .constant(perSecond: 400, for: .seconds(1)))),
            operations: NetmeraOperations(groups: 40, seed: 1)
        )
        // Long enough for any machine, because timeouts are not tested here.
        load.timeout = Self.patience
        load.connectionWait = Self.patience
        return load
    }
}
