import FreshnessCore
import LifecycleTraces
import ModelChecks
import Quantities
import SimulationKernel
import Studies
import TestSupport
import Testing

@testable import LiveActivityModel

/// The optimizations of a cell must not be visible: a reference host without them has the same history.
@Suite("A cell and its reference host have the same history")
struct EvaluationTests {
    /// The compared results of a cell: everything that is visible except its stories.
    private struct Outcome: Equatable {
        let fingerprint: Fingerprint
        let eventCount: UInt64
        let measurements: Measurements
        let inventory: CellSimulation.Inventory
        let story: [StoryLine]
        /// The number of events that came up, recorded or not.
        let steps: Int
        /// `true` if a speculative assumption was wrong; then nothing else counts.
        let hasMisspeculated: Bool

        /// Runs the cell itself.
        init(
            _ world: World,
            cell: Int,
            replication: UInt32,
            watch: Watch = .none,
            speculation: Speculation = .none,
            restLimit: Int = .max
        ) {
            var simulation = CellSimulation(
                world: world,
                cell: cell,
                replication: replication,
                watch: watch,
                speculation: speculation,
                restLimit: restLimit
            )
            var steps = 0
            while simulation.step(through: .never) { steps += 1 }
            simulation.finish()
            self.init(simulation, steps: steps)
        }

        /// Runs the cell with the reference host.
        init(plain world: World, cell: Int, replication: UInt32, watch: Watch = .none) {
            var host = PlainCell(world: world, cell: cell, replication: replication, watch: watch)
            host.run()
            self.init(host.cell, steps: host.steps)
        }

        private init(_ simulation: borrowing CellSimulation, steps: Int) {
            self.steps = steps
            hasMisspeculated = simulation.hasMisspeculated
            fingerprint = simulation.fingerprint
            eventCount = simulation.eventCount
            measurements = simulation.measurements
            inventory = simulation.inventory
            story = simulation.story
        }

        static func == (left: Outcome, right: Outcome) -> Bool {
            left.fingerprint == right.fingerprint && left.eventCount == right.eventCount
                && left.measurements == right.measurements && left.inventory == right.inventory
                && left.story == right.story
        }
    }

    /// Runs all cells in four ways: with the reference host, event by event, ahead of time, and ahead of time with
    /// packed activities.
    ///
    /// Returns the number of events that each way saves.
    @discardableResult
    func compare(_ world: World, _ name: String, replications: UInt32 = 1) -> Savings {
        var savings = Savings()
        for replication in 0..<replications {
            for cell in 0..<world.scenario.cells {
                let lazy = Outcome(world, cell: cell, replication: replication)
                let plain = Outcome(plain: world, cell: cell, replication: replication)
                savings.spared += plain.steps - lazy.steps
                // Only small cells, as all are at first, run ahead; others pack activities.
                let restLimit = replication % 2 == 0 && cell % 2 == 0 ? Int.max : 12
                let others: [(name: String, speculation: Speculation, restLimit: Int)] = [
                    ("handlers only", .handlersOnly, .max), ("accelerated", .accelerated, restLimit),
                    ("packed", .none, 2),
                ]
                for (way, speculation, restLimit) in others {
                    let other = Outcome(
                        world,
                        cell: cell,
                        replication: replication,
                        speculation: speculation,
                        restLimit: restLimit
                    )
                    if speculation == .handlersOnly {
                        savings.errors += other.hasMisspeculated ? 1 : 0
                        if !other.hasMisspeculated { savings.ahead += lazy.steps - other.steps }
                    }
                    if other != lazy, !other.hasMisspeculated {
                        Issue.record(
                            """
                            \(name), cell \(cell), replication \(replication), \(way): \(other.eventCount) and \
                            \(lazy.eventCount) events, same history: \(other.fingerprint == lazy.fingerprint), \
                            same inventory: \(other.inventory == lazy.inventory), different measurements: \
                            \(differences(other.measurements, lazy.measurements)), \
                            \(SpeculationCheck.firstDifference(in: world, cell: cell, replication: replication) ?? "same stories")
                            """
                        )
                    }
                }
                guard lazy != plain else { continue }
                let story = firstDifference(world, cell: cell, replication: replication)
                Issue.record(
                    """
                    \(name), cell \(cell), replication \(replication): \(lazy.eventCount) and \(plain.eventCount) events, \
                    same history: \(lazy.fingerprint == plain.fingerprint), \
                    same measurements: \(lazy.measurements == plain.measurements); \(story)
                    """
                )
            }
        }
        return savings
    }

    /// The number of events that each way saves, and the number of times that a cell's assumption of a free sender was
    /// wrong.
    struct Savings {
        var spared = 0
        var ahead = 0
        var errors = 0
    }

    /// The parts of the measurements that differ, with both values.
    private func differences(_ left: Measurements, _ right: Measurements) -> [String] {
        zip(Mirror(reflecting: left).children, Mirror(reflecting: right).children)
            .filter { "\($0.value)" != "\($1.value)" }
            .map { "\($0.label ?? "?"): \("\($0.value)".prefix(200)) and \("\($1.value)".prefix(200))" }
    }

    /// The first difference between the stories of all rides.
    private func firstDifference(_ world: World, cell: Int, replication: UInt32) -> String {
        let lazy = Outcome(world, cell: cell, replication: replication, watch: .all).story
        let plain = Outcome(plain: world, cell: cell, replication: replication, watch: .all).story
        let index = zip(lazy, plain).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        guard let index = index ?? (lazy.count == plain.count ? nil : min(lazy.count, plain.count)) else {
            return "the stories are the same"
        }
        func line(_ story: [StoryLine]) -> String {
            index < story.count ? "ride \(story[index].ride): \(story[index].words)" : "nothing"
        }
        return "line \(index + 1) of the stories is \"\(line(lazy))\" and \"\(line(plain))\""
    }

    @Test("In random scenarios", .enabled(if: Loop.isFull), arguments: 0..<30)
    func swarm(tenth: UInt64) throws {
        var spared = 0
        for seed in tenth * 10..<tenth * 10 + 10 {
            let scenario = ScenarioSwarm.scenario(seed: seed)
            spared +=
                compare(
                    try ScenarioLoader.world(scenario),
                    "swarm seed \(seed)",
                    replications: UInt32(scenario.replications.count)
                )
                .spared
        }
        // Otherwise the reference host would have avoided them, too.
        #expect(spared > 0)
    }

    /// In most random scenarios, faults, servers of APNs and the like keep cells from running ahead.
    @discardableResult
    private func compareAhead(_ seeds: Range<UInt64>) throws -> Int {
        var ahead = 0
        for seed in seeds {
            var scenario = ScenarioSwarm.scenario(seed: seed)
            scenario.allowSpeculation(seed: seed)
            // After content without a stale date no timer is set until one is needed again.
            if seed % 3 == 0 { scenario.content.staleDateMissing = Probability(0.2) }
            ahead += compare(try ScenarioLoader.world(scenario), "swarm seed \(seed)").ahead
        }
        return ahead
    }

    @Test("In a few random scenarios in which most events can be processed ahead")
    func ahead() throws { #expect(try compareAhead(300..<306) > 0) }

    @Test(
        "In random scenarios in which most events can be processed ahead",
        .enabled(if: Loop.isFull),
        arguments: 0..<30
    )
    func aheadSwarm(tenth: UInt64) throws { try compareAhead(tenth * 10..<tenth * 10 + 10) }

    @Test("In worlds of constants on a grid", .enabled(if: Loop.isFull), arguments: 0..<20)
    func grid(twentieth: UInt64) throws {
        for seed in twentieth * 20..<twentieth * 20 + 20 {
            let scenario = ScenarioSwarm.gridScenario(seed: seed)
            compare(
                try ScenarioLoader.world(scenario),
                "grid seed \(seed)",
                replications: UInt32(scenario.replications.count)
            )
        }
    }

    /// The refresh of the first stage, which the second stage postpones, is due when the second stage ends, and so is
    /// its own.
    @Test("A stage change precedes a refresh at the same instant", arguments: [true, false])
    func refreshAtTheEndOfAStage(hasLatency: Bool) throws {
        var scenario = Scenario.ride(90, 30, 20)
        scenario.rides.stages[0].refresh = .constant(60e6)
        scenario.rides.stages[1].refresh = .constant(30e6)
        scenario.devices.token.delay = .seconds(1)
        if hasLatency {
            scenario.sender.requestTime = .seconds(0.2)
            scenario.apns.latency = .seconds(1)
        }
        let world = try ScenarioLoader.world(scenario)
        compare(world, "refresh at the end of a stage")
        let cell = Outcome(world, cell: 0, replication: 0, speculation: .accelerated)
        // One refresh after a minute, and both changes of stage.
        #expect(cell.measurements[.updatesSent] == 3)
    }

    /// Refreshes of several rides start to wait for two streams at one instant.
    @Test("Of two pushes at one instant, the one of the earlier ride is first in the queue")
    func queueOrder() throws {
        var scenario = Scenario.ride(30, 95).times(5)
        scenario.rides.arrivals.spread = .seconds(25)
        scenario.rides.stages[0].refresh = .constant(35e6)
        scenario.rides.stages[1].refresh = .constant(15e6)
        scenario.sender.streams = 2
        scenario.sender.requestTime = .seconds(20)
        compare(try ScenarioLoader.world(scenario), "order of the queue")
    }

    /// Every token comes at the timeout of a request that began while APNs was slow, and precedes it in the queue.
    @Test("If an update begins at the instant of a timeout")
    func timeOuts() throws {
        var scenario = Scenario.ride(2, 60).times(60)
        scenario.clock.duration = .seconds(61)
        scenario.rides.arrivals.spread = .seconds(60)
        scenario.devices.token.post = .seconds(5)
        scenario.sender.requestTime = .seconds(0.5)
        scenario.sender.timeout = .seconds(2)
        scenario.sender.streams = 100
        scenario.apns.latency = .seconds(0.75)
        scenario.watch(retries: [0])
        var slow = Scenario.Fault(kind: .apnsSlow, at: .seconds(20), duration: .seconds(10))
        slow.factor = 10
        scenario.faults = [slow]
        let saved = compare(try ScenarioLoader.world(scenario), "time-outs")
        #expect(saved.ahead > 0)
    }

    @Test("A push that waits for its phone, or is not stored for it, has no events of its own")
    func waitsAhead() throws {
        var scenario = Scenario.ride(600).times(5)
        scenario.content.refresh = .seconds(20)
        scenario.sender.requestTime = .seconds(0.5)
        scenario.apns.latency = .seconds(0.75)
        scenario.devices.connectivity.online = .constant(15e6)
        scenario.devices.connectivity.offline = .constant(6e6)
        let kept = compare(try ScenarioLoader.world(scenario), "kept").ahead
        scenario.devices.connectivity.online = nil
        let connected = compare(try ScenarioLoader.world(scenario), "connected").ahead
        scenario.devices.connectivity.online = .constant(15e6)
        scenario.apns.storage = .none
        let notKept = compare(try ScenarioLoader.world(scenario), "not kept").ahead
        // A push that waits has a second delivery.
        #expect(notKept == connected && connected < kept, "\(notKept), \(connected), \(kept)")
    }

    /// Requests that are lost together end in the order in which they began: of two, the one that began first takes the
    /// only retry, regardless of its push's slot.
    @Test("Of requests that are lost together the first takes the only retry")
    func lostTogether() throws {
        var scenario = Scenario.ride(1800).times(2)
        scenario.rides.arrivals.spread = .milliseconds(100)
        scenario.content.refresh = .seconds(10)
        scenario.sender.requestTime = .seconds(0.1)
        scenario.apns.latency = .seconds(0.05)
        scenario.sender.attempts = 2
        scenario.sender.retryBudget = Scenario.Budget(capacity: 1, perSecond: 0)
        scenario.watch(retries: [])
        scenario.faults = [Scenario.Fault(kind: .connectionLost, at: .milliseconds(20_080), duration: .zero)]
        let world = try ScenarioLoader.world(scenario)
        compare(world, "lost together")
        let story = Outcome(world, cell: 0, replication: 0, watch: .all).story.map { "\($0.ride): \($0.words)" }
        let repeats = story.filter { $0.contains("repeat") }
        #expect(repeats.count == 1, "\(story)")
        #expect(repeats.first?.hasPrefix("1") ?? false)
    }

    @Test("A push that a full queue has put off, and that begins once the sender is free, has waited")
    func putOff() throws {
        var scenario = Scenario.ride(300, 300).times(20)
        scenario.rides.arrivals.spread = .seconds(60)
        scenario.content.refresh = .seconds(7)
        scenario.sender.requestTime = .seconds(0.2)
        scenario.sender.queueLimit = 0
        scenario.sender.requeueAfter = .constant(30e6)
        scenario.fail(.senderPaused, from: 100, to: 110)
        #expect(compare(try ScenarioLoader.world(scenario), "put off").ahead > 0)
    }

    @Test("Requests that time out at the end of the run, and their repeats, are counted")
    func repeatsAtTheEnd() throws {
        var scenario = Scenario.ride(700).times(10)
        scenario.clock.duration = .seconds(600)
        scenario.clock.drain = .zero
        scenario.content.refresh = .seconds(10)
        scenario.sender.requestTime = .seconds(20)
        scenario.sender.attempts = 2
        #expect(compare(try ScenarioLoader.world(scenario), "repeats at the end").ahead > 0)
    }

    /// A stage change is put off, the rider swipes, and the activity is created again before the interval is over.
    @Test("A change that was put off is obsolete in an activity that was created again")
    func putOffBeforeSwipe() throws {
        var scenario = Scenario.ride(10, 60, 200).times(10)
        scenario.rides.arrivals.spread = .seconds(100)
        scenario.content.refresh = .seconds(40)
        scenario.sender.minimumInterval = .seconds(60)
        scenario.sender.requestTime = .seconds(0.2)
        scenario.devices.token.delay = .seconds(1)
        scenario.devices.swipe.share = .always
        scenario.devices.swipe.after = .constant(20e6)
        scenario.devices.swipe.recreated = .always
        #expect(compare(try ScenarioLoader.world(scenario), "put off before a swipe").ahead > 0)
    }

    /// The scenarios in which nothing can be processed ahead: two send no push, one has a queue at APNs, one loses
    /// connections, one has an endpoint of content, two have groups, and two are short of streams.
    private static let neverAhead: Set = [
        "bike-computer", "content-endpoint", "fan-out-collapse", "go-taxi", "live-trouble", "metastable",
        "sports-final", "tokens-or-channels", "two-arms",
    ]

    @Test("In the shipped scenarios, scaled down", .enabled(if: Loop.isFull), arguments: ShippedScenario.all)
    func shipped(shipped: ShippedScenario) throws {
        let world = try ScenarioLoader.load(file: shipped.path, settings: shipped.smallSettings)
        let saved = compare(world, shipped.name)
        #expect(saved.spared > 0)
        #expect(saved.ahead > 0 || Self.neverAhead.contains(shipped.name))
        if shipped.name == "nyc-lyft-day" { #expect(saved.ahead > 0 && saved.errors == 0) }
    }

    @Test("In the golden traces")
    func goldenTraces() throws {
        var more = 0
        for golden in History.goldenTraces {
            more += compare(try ScenarioLoader.world(.life(LifecycleScript(golden))), golden.name).spared
        }
        #expect(more > 0)
    }
}

extension Scenario {
    /// The life of one instance with the policy and the network of a script.
    fileprivate static func life(_ script: LifecycleScript) -> Scenario {
        var scenario = Scenario.ride(1000)
        scenario.clock.duration = TimeSpan(microseconds: script.until)
        scenario.clock.window = scenario.clock.duration
        scenario.clock.drain = .zero
        scenario.content.ttl = TimeSpan(microseconds: script.timeToLive)
        scenario.content.updatesAt = script.updates.map(TimeSpan.init(microseconds:))
        scenario.sender.timeout = .longest
        scenario.monitor.enabled = true
        scenario.monitor.feedback = .delivery
        scenario.monitor.freshLimit = TimeSpan(microseconds: script.freshLimit)
        scenario.monitor.recoveryWindow = TimeSpan(microseconds: script.recoveryWindow)
        scenario.monitor.retry.schedule = script.retryOffsets.map(TimeSpan.init(microseconds:))
        scenario.monitor.retry.maxAttempts = script.retryOffsets.count
        scenario.monitor.endSchedule = script.endOffsets.map(TimeSpan.init(microseconds:))
        scenario.apns.expiration = .zero
        scenario.apns.script = script.fates.map { fate in
            switch fate {
            case .shown(let latency): .delivered(after: TimeSpan(microseconds: latency))
            case .tokenDead(let latency): .tokenDead(after: TimeSpan(microseconds: latency))
            case .lost, .refused: .lost
            }
        }
        return scenario
    }
}
