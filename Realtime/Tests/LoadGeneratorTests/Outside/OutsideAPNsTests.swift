import Experiments
import LoadGenerator
import Quantities
import SimulationKernel
import Testing
import Verification

@testable import LiveActivityModel

/// One brain, two bodies: with an APNs outside that does what the scenario says, a cell has the history that it has alone.
@Suite("A cell with its APNs outside")
struct OutsideAPNsTests {
    /// What is compared of a cell.
    private struct Outcome: Equatable {
        var measurements: Measurements
        var fingerprint: Fingerprint
        var inventory: CellSimulation.Inventory
        var requests = 0

        static func == (left: Outcome, right: Outcome) -> Bool {
            left.measurements == right.measurements && left.fingerprint == right.fingerprint
                && left.inventory == right.inventory
        }
    }

    private func alone(_ world: World, cell: Int, replication: UInt32) -> Outcome {
        var simulation = CellSimulation(world: world, cell: cell, replication: replication)
        _ = simulation.run(through: .never)
        simulation.finish()
        return Outcome(
            measurements: simulation.measurements.withoutCauses,
            fingerprint: simulation.fingerprint,
            inventory: simulation.inventory
        )
    }

    private func outside(_ world: World, cell: Int, replication: UInt32) -> Outcome {
        var simulation = CellSimulation(world: world, cell: cell, replication: replication, outside: .observed)
        var apns = ConductedAPNs(APNsConduct(world: world, replication: replication))
        var happenings: [ConductedAPNs.Happening] = []
        var requests = 0
        while true {
            while apns.nextDue <= simulation.now {
                apns.proceed(to: simulation.now) { happenings.append($0) }
            }
            for happening in happenings {
                simulation.hear(happening.news, at: happening.at)
            }
            happenings.removeAll(keepingCapacity: true)
            let border = apns.nextDue == .never ? Instant.never : Instant(microseconds: apns.nextDue.microseconds - 1)
            if simulation.step(through: border) {
                for news in simulation.takeOutbox() {
                    if case .request = news { requests += 1 }
                    apns.hear(news, at: simulation.now) { happenings.append($0) }
                }
            } else if apns.nextDue == .never || apns.nextDue > world.horizon {
                break
            } else {
                let due = apns.nextDue
                apns.proceed(to: due) { happenings.append($0) }
            }
        }
        simulation.finish()
        return Outcome(
            measurements: simulation.measurements.withoutCauses,
            fingerprint: simulation.fingerprint,
            inventory: simulation.inventory,
            requests: requests
        )
    }

    /// Compares all cells; returns how many requests went outside.
    @discardableResult
    private func compare(_ world: World, _ name: String, replications: UInt32 = 1) -> Int {
        var requests = 0
        for replication in 0..<replications {
            for cell in 0..<world.scenario.cells {
                let alone = alone(world, cell: cell, replication: replication)
                let outside = outside(world, cell: cell, replication: replication)
                requests += outside.requests
                // Who decides later may come before or after others of the same instant.
                let isInOrder = world.scenario.apns.latencyFrom == .request
                guard isInOrder ? alone != outside : alone.measurements != outside.measurements else { continue }
                let counters = Counter.allCases.filter { alone.measurements[$0] != outside.measurements[$0] }
                    .map { "\($0): \(alone.measurements[$0]) and \(outside.measurements[$0])" }
                Issue.record(
                    """
                    \(name), cell \(cell), replication \(replication): same history \
                    \(alone.fingerprint == outside.fingerprint), same measurements \
                    \(alone.measurements == outside.measurements); \(counters.joined(separator: ", "))
                    """
                )
            }
        }
        return requests
    }

    @Test("In random scenarios", arguments: 0..<20)
    func swarm(tenth: UInt64) throws {
        var requests = 0
        for seed in tenth * 10..<tenth * 10 + 10 {
            var scenario = ScenarioSwarm.scenario(seed: seed)
            // Nobody outside can go on with half a request, and the queue's order among ties is its own.
            if scenario.sender.preempt == .resume { scenario.sender.preempt = .none }
            scenario.apns.capacity = nil
            scenario.apns.script = nil
            scenario.faults.removeAll { $0.kind == .apnsCapacity }
            if scenario.apns.latencyFrom == .response {
                // What is not heard in time is decided all the same when APNs is outside.
                scenario.faults.removeAll { $0.kind == .senderPaused }
            }
            requests += compare(
                try ScenarioLoader.world(scenario),
                "swarm seed \(seed)",
                replications: UInt32(scenario.replications.count)
            )
        }
        #expect(requests > 0)
    }
}

extension Measurements {
    /// All but where newer content was: the model knows that as soon as it is decided, an APNs outside tells it later.
    fileprivate var withoutCauses: Measurements {
        var rest = self
        for total in [Total.staleTimeByCause, .wrongStageTimeByCause] {
            for part in parts(of: total).indices { rest.totals[part * Total.allCases.count + total.rawValue] = 0 }
        }
        return rest
    }
}
