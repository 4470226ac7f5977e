import FreshnessCore
import Quantities
import Studies
import Testing

@testable import LiveActivityModel

@Suite("The census of all activities at an instant")
struct CensusTests {
    /// The census of the only ride at some seconds; "none" while nothing is on the screen.
    private static func glances(_ scenario: Scenario, at seconds: [Int64]) throws -> [String] {
        var cell = CellSimulation(world: try ScenarioLoader.world(scenario), cell: 0, replication: 0)
        return seconds.map { second in
            let instant = Instant.start + .seconds(second)
            while cell.run(through: instant, atMost: 1000) {}
            cell.look(at: instant)
            var told = "none"
            cell.census { told = "\($0.screen), \($0.belief.map { "\($0)" } ?? "no belief")" }
            return told
        }
    }

    @Test("fresh until the stale date, believed fresh until the limit after it, left behind after the ride")
    func oneRide() throws {
        var scenario = Scenario.ride(1000)
        scenario.content.ttl = .seconds(60)
        scenario.monitor.freshLimit = .seconds(30)
        scenario.update(at: 10)
        #expect(
            try Self.glances(scenario, at: [20, 69, 71, 99, 101])
                == ["fresh, fresh", "fresh, fresh", "stale, fresh", "stale, fresh", "stale, recoverable"]
        )
        scenario.apns.loss = .always
        #expect(try Self.glances(scenario, at: [1001]) == ["leftBehind, no belief"])
    }

    @Test("an earlier stage is distinguished from stale content")
    func wrongStage() throws {
        var scenario = Scenario.ride(100, 900)
        scenario.apns.loss = .always
        #expect(
            try Self.glances(scenario, at: [50, 101]).map { $0.split(separator: ",")[0] } == ["fresh", "wrongStage"]
        )
    }

    @Test("a census changes nothing")
    func unchanged() throws {
        let world = try ScenarioLoader.world(Scenario.ride(100).times(20))
        var plain = CellSimulation(world: world, cell: 0, replication: 0)
        while plain.run(through: world.horizon, atMost: 1000) {}
        var watched = CellSimulation(world: world, cell: 0, replication: 0)
        for second in stride(from: Int64(0), to: 400, by: 7) {
            let instant = Instant.start + .seconds(second)
            while watched.run(through: instant, atMost: 3) {}
            watched.look(at: instant)
            watched.census { _ in }
        }
        while watched.run(through: world.horizon, atMost: 1000) {}
        plain.finish()
        watched.finish()
        #expect(plain.fingerprint == watched.fingerprint && plain.measurements == watched.measurements)
    }
}
