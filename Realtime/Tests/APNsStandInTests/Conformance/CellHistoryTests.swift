import LoadGenerator
import ModelChecks
import Quantities
import SimulationKernel
import Studies
import Testing

@testable import LiveActivityModel

/// One station, two hosts: a cell with an external APNs that follows the scenario has the same history as alone.
@Suite("A cell with an external APNs")
struct CellHistoryTests {
    /// The compared results of a cell.
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
        var simulation = CellSimulation(world: world, cell: cell, replication: replication, remote: .observed)
        var apns = InProcessAPNs(APNsRules(world: world, replication: replication))
        let requests = apns.play(with: &simulation, through: world.horizon)
        simulation.finish()
        return Outcome(
            measurements: simulation.measurements.withoutCauses,
            fingerprint: simulation.fingerprint,
            inventory: simulation.inventory,
            requests: requests
        )
    }

    /// Compares all cells; returns the number of external requests.
    @discardableResult
    private func compare(_ world: World, _ name: String, replications: UInt32 = 1) -> Int {
        var requests = 0
        for replication in 0..<replications {
            for cell in 0..<world.scenario.cells {
                let alone = alone(world, cell: cell, replication: replication)
                let outside = outside(world, cell: cell, replication: replication)
                requests += outside.requests
                // A late decision may come before or after other events of the same instant.
                let isInOrder = world.scenario.apns.latencyFrom == .request
                let hasServers = world.scenario.apns.capacity != nil
                let isSame =
                    hasServers
                    ? alone.measurements.withoutEvents == outside.measurements.withoutEvents
                    : isInOrder ? alone == outside : alone.measurements == outside.measurements
                guard !isSame else { continue }
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

    @Test("A request whose connection is lost in the queue uses no server time")
    func lostInTheQueue() throws {
        var scenario = Scenario.updates(of: 3)
        scenario.content.updatesAt = [.seconds(10), .seconds(140)]
        scenario.sender.timeout = .seconds(200)
        var capacity = Scenario.Capacity()
        capacity.serviceTime = .constant(60e6)
        scenario.apns.capacity = capacity
        scenario.faults = [Scenario.Fault(kind: .connectionLost, at: .seconds(100), duration: .seconds(1))]
        #expect(compare(try ScenarioLoader.world(scenario), "lost in the queue") > 0)
    }

    /// The answer and the phone line are two connections, so the acceptance of the end may come first.
    @Test(
        "A channel's pushes reach its phones whichever comes first, the acceptance or the report",
        arguments: [true, false]
    )
    func eitherFirst(acceptanceIsFirst: Bool) throws {
        var scenario = Scenario.updates(of: 1)
        scenario.monitor.enabled = true
        scenario.groups = .byChannel(of: 2)
        scenario.rides.stages = [Scenario.Stage(name: "a", duration: .constant(100e6))]
        scenario.devices.localUpdates.enabled = false
        var cell = CellSimulation(world: try ScenarioLoader.world(scenario), cell: 0, remote: .observed)
        var isClosed = false
        while cell.step(through: .never) {
            for news in cell.takeOutbox() {
                switch news {
                case .request(let request):
                    #expect(request.isToChannel && !isClosed)
                    let report = IncomingNews.sentOn(request.id, to: [0, 1])
                    let answer = IncomingNews.answered(request.id, .accepted)
                    let copies: [IncomingNews] = [
                        .copyArrived(request.id, ride: 0), .copyLost(request.id, ride: 1),
                    ]
                    for news in (acceptanceIsFirst ? [answer, report] : [report, answer]) + copies {
                        cell.hear(news, at: cell.now)
                    }
                case .channel(.closed): isClosed = true
                default: break
                }
            }
        }
        cell.finish()
        #expect(isClosed)
        let counts = cell.measurements
        #expect(counts[.updatesSent] == 1 && counts[.endsSent] == 1 && counts[.responsesAccepted] == 2)
        #expect(counts[.pushesSentOn] == 4 && counts[.fateShown] == 1 && counts[.fateEnded] == 1)
        #expect(counts[.fateLost] == 2)
    }

    @Test("In random scenarios", arguments: 0..<20)
    func swarm(tenth: UInt64) throws {
        var requests = 0
        for seed in tenth * 10..<tenth * 10 + 10 {
            var scenario = ScenarioSwarm.scenario(seed: seed)
            // An external APNs cannot resume half a request.
            if scenario.sender.preempt == .resume { scenario.sender.preempt = .none }
            scenario.apns.script = nil
            // A start has no number of its token outside the cell.
            scenario.devices.start.tokenRotation = nil
            for index in scenario.cohorts.indices {
                scenario.cohorts[index].sections?.devices.start.tokenRotation = nil
            }
            if scenario.apns.latencyFrom == .response {
                // With an external APNs, answers that arrive too late are decided all the same.
                scenario.faults.removeAll { $0.kind == .senderPaused }
                // The cell's events order an answer and a token's end at one instant; hosts receive them in their own
                // order.
                scenario.sender.requestTime = .exponential(mean: 2e6)
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
    /// All measurements except the number of events: the end of a service is an event of the cell only if the cell has
    /// the servers.
    fileprivate var withoutEvents: Measurements {
        var rest = self
        rest.totals[Total.events.rawValue] = 0
        return rest
    }

    /// All measurements except the place of newer content and of the driver's photo: the model knows it once it is
    /// decided, an external APNs reports it later.
    fileprivate var withoutCauses: Measurements {
        var rest = self
        for total in [Total.staleTimeByCause, .wrongStageTimeByCause] {
            for part in parts(of: total).indices { rest.totals[part * Total.allCases.count + total.rawValue] = 0 }
        }
        func photos(_ photo: DriverPhoto) -> Int {
            Int(photo.rawValue) * Total.allCases.count + Total.photoTime.rawValue
        }
        rest.totals[photos(.lost)] += rest.totals[photos(.onItsWay)]
        rest.totals[photos(.onItsWay)] = 0
        return rest
    }
}
