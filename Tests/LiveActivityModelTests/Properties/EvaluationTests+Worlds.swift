import FreshnessCore
import ModelChecks
import Quantities
import SimulationKernel
import Studies
import Testing

@testable import LiveActivityModel

/// Worlds in which the order of events matters, each with values that differ by seed.
extension EvaluationTests {
    /// Rides at regular intervals and constant spans cause ties; with few streams, a short queue and small budgets the
    /// order of ties matters.
    private static func tight(seed: UInt64) -> Scenario {
        var scenario = Scenario.ride(125, 400).times(40)
        scenario.seed = seed
        scenario.clock.duration = .seconds(21)
        scenario.rides.arrivals.spread = .seconds(20)
        scenario.content.refresh = .seconds(10)
        scenario.content.refreshRestartsAtStateChange = seed % 4 < 2
        scenario.sender.connections = 2
        scenario.sender.streams = [1, 2, 50][Int(seed % 3)]
        scenario.sender.requestTime = .seconds(0.5)
        scenario.sender.timeout = .seconds(2)
        scenario.sender.attempts = 2
        let budget = Scenario.Budget(capacity: 3, perSecond: 0.1)
        // Where connections are lost, or requests are retried on a budget, nothing runs ahead.
        scenario.sender.retryBudget = seed % 2 == 0 ? budget : nil
        scenario.sender.queueLimit = seed % 2 == 0 ? 3 : nil
        scenario.sender.coalesce = seed % 5 == 0
        scenario.apns.latency = .seconds(0.75)
        scenario.apns.latencyFrom = seed % 7 < 3 ? .response : .request
        scenario.apns.reorder = seed % 3 == 0
        scenario.apns.loss = Probability(0.05)
        scenario.apns.reasons = [.init(reason: .unregistered, share: Probability(0.05))]
        scenario.watch(retries: [0, 5])
        scenario.monitor.retry.budget = budget
        let kinds: [Scenario.Fault.Kind] = [
            seed % 2 == 0 ? .connectionLost : .tokenPostDown, .apnsSilent, .senderPaused, .apnsUnavailable, .apnsSlow,
            .devicesOffline, .contentDown,
        ]
        for (index, kind) in kinds.enumerated() {
            let from = Int64(101 + 40 * index + Int(seed % 8))
            let share = kind == .connectionLost || kind == .devicesOffline ? Probability(0.5) : .always
            scenario.fail(kind, from: from, to: kind == .connectionLost ? from : from + 7, share: share)
        }
        return scenario
    }

    @Test("If ties, few streams and faults make the order matter", arguments: 0..<24 as Range<UInt64>)
    func tight(seed: UInt64) throws {
        let saved = compare(try ScenarioLoader.world(Self.tight(seed: seed)), "tight seed \(seed)")
        #expect(saved.ahead > 0 || seed % 2 == 0 || seed % 3 < 2)
    }

    /// Phones that are offline for some seconds, occasionally for longer than the monitor waits, and pushes that are
    /// stored for the whole time, for about that time, or not at all.
    @Test("If pushes wait for their phones", arguments: 0..<12 as Range<UInt64>)
    func waiting(seed: UInt64) throws {
        var scenario = Scenario.ride(300, 600).times(20)
        scenario.seed = seed
        scenario.clock.duration = .seconds(21)
        scenario.rides.arrivals.spread = .seconds(20)
        scenario.content.refresh = .seconds(20)
        scenario.content.ttl = .seconds(seed % 2 == 0 ? 45 : 600)
        scenario.sender.requestTime = .seconds(0.5)
        scenario.sender.streams = 100
        scenario.apns.latency = .seconds(0.75)
        scenario.apns.latencyFrom = seed % 5 == 0 ? .response : .request
        scenario.apns.storage = [.one, .all, .none][Int(seed % 3)]
        scenario.apns.expiration = .seconds([300, 300, 300, 5][Int(seed % 4)])
        scenario.devices.connectivity.online = .exponential(mean: 30e6)
        scenario.devices.connectivity.offline = .exponential(mean: 8e6)
        scenario.watch(retries: [0, 5])
        let saved = compare(try ScenarioLoader.world(scenario), "waiting seed \(seed)")
        #expect(saved.ahead > 0 && saved.errors == 0)
    }

    /// Slow and failing starts, tokens and ends, with short stages, postponed changes, and swipes.
    @Test("If the first and last steps of an activity overlap with others", arguments: 0..<24 as Range<UInt64>)
    func firstAndLastSteps(seed: UInt64) throws {
        var scenario = Scenario.ride(20, 60, 30).times(300)
        scenario.seed = seed
        scenario.clock.duration = .seconds(301)
        scenario.rides.arrivals.spread = .seconds(300)
        scenario.content.refresh = .exponential(mean: 15e6)
        scenario.content.ttl = .seconds(seed % 2 == 0 ? 45 : 600)
        scenario.sender.minimumInterval = .seconds(seed % 3 == 0 ? 0 : 12)
        scenario.sender.requestTime = .exponential(mean: 1e6)
        scenario.sender.streams = 400
        scenario.apns.latency = .exponential(mean: 0.5e6)
        scenario.apns.latencyFrom = seed % 5 == 0 ? .response : .request
        scenario.apns.loss = Probability(0.05)
        scenario.devices.start.time = .exponential(mean: 4e6)
        scenario.devices.start.background = Probability(0.2)
        scenario.devices.start.retryAfter = .exponential(mean: 5e6)
        scenario.devices.start.attempts = 3
        scenario.devices.token.delay = .exponential(mean: 3e6)
        scenario.devices.token.post = .exponential(mean: 2e6)
        scenario.devices.token.postFailure = Probability(0.2)
        scenario.devices.token.postRetryAfter = .seconds(3)
        scenario.devices.token.postAttempts = 3
        scenario.devices.token.rotation = .exponential(mean: 60e6)
        scenario.devices.connectivity.online = .exponential(mean: 15e6)
        scenario.devices.connectivity.offline = .exponential(mean: 5e6)
        scenario.devices.swipe.share = Probability(0.5)
        scenario.devices.swipe.after = .exponential(mean: 40e6)
        scenario.devices.swipe.recreated = Probability(0.5)
        scenario.devices.endReport = .exponential(mean: 10e6)
        scenario.devices.localUpdates.enabled = seed % 4 == 0
        scenario.devices.localUpdates.aliveFor = .exponential(mean: 20e6)
        scenario.devices.budget.limit = seed % 6 == 1 ? 4 : nil
        scenario.devices.budget.window = .minutes(2)
        scenario.devices.budget.endsExempt = false
        scenario.watch(retries: [0, 5], ends: [0, 2])
        // A warm-up that ends within a second, faults, and a horizon that truncates rides.
        if seed % 4 == 1 { scenario.clock.warmUp = .milliseconds(100_300) }
        if seed % 4 == 2 {
            scenario.fail(.apnsUnavailable, from: 150, to: 160)
            scenario.fail(.monitorPaused, from: 200, to: 215)
            scenario.fail(.contentDown, from: 250, to: 255)
        }
        if seed % 4 == 3 { scenario.clock.drain = .milliseconds(20_500) }
        let saved = compare(try ScenarioLoader.world(scenario), "steps seed \(seed)")
        #expect(saved.ahead > 0 && saved.errors == 0)
    }

    /// Ends that are lost, and riders who book again at once, so that nearly all phones have several cards.
    @Test("If riders meet the cards of their earlier rides", arguments: 0..<24 as Range<UInt64>)
    func ridersAgain(seed: UInt64) throws {
        var scenario = Scenario.ride(20, 60).times(60)
        scenario.seed = seed
        scenario.clock.duration = .seconds(900)
        scenario.rides.arrivals.spread = .seconds(60)
        scenario.rides.again = Scenario.Again(share: Probability(0.8))
        scenario.rides.again?.after = seed % 2 == 0 ? .exponential(mean: 2e6) : .exponential(mean: 40e6)
        scenario.rides.again?.most = 6
        scenario.content.refresh = .exponential(mean: 10e6)
        scenario.sender.requestTime = .exponential(mean: 0.5e6)
        scenario.sender.streams = 400
        scenario.sender.timeout = .seconds(5)
        scenario.apns.latency = .exponential(mean: 0.5e6)
        scenario.apns.loss = Probability(0.4)
        scenario.apns.storage = seed % 3 == 0 ? .onePerPhone : .one
        scenario.devices.start.time = .exponential(mean: 3e6)
        scenario.devices.start.attempts = 3
        scenario.devices.start.retryAfter = .exponential(mean: 10e6)
        scenario.devices.start.comparesRides = seed % 4 == 1
        scenario.devices.start.mostCards = seed % 4 == 3 ? 2 : nil
        scenario.devices.systemLimit = .seconds(120)
        scenario.devices.swipe.share = Probability(0.3)
        scenario.devices.swipe.after = .exponential(mean: 60e6)
        scenario.devices.budget.limit = seed % 5 == 1 ? 6 : nil
        scenario.devices.budget.window = .minutes(2)
        scenario.devices.budget.isShared = seed % 5 == 1 && seed % 2 == 0
        scenario.devices.connectivity.online = .exponential(mean: 40e6)
        scenario.devices.connectivity.offline = .exponential(mean: 8e6)
        scenario.watch(retries: [0, 5], ends: [0, 2])
        let saved = compare(try ScenarioLoader.world(scenario), "riders seed \(seed)")
        #expect(saved.ahead > 0 && saved.errors == 0)
    }
}
