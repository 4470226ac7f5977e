import FreshnessCore
public import LiveActivityModel
import Quantities
import ScenarioLanguage
import SimulationKernel

/// Small scenarios for swarm testing: each key of a scenario file is included or omitted at random.
///
/// A key that is always present hides its opposite: a queue limit that drops every push keeps pushes from ever being
/// preempted. With random choices, features occur in all combinations, and each is absent half of the time (A. Groce,
/// C. Zhang, E. Eide, Y. Chen and J. Regehr, "Swarm testing", ISSTA 2012).
///
/// The table of keys defines how each is drawn; this type keeps worlds small. Keys that need a file are omitted: traces
/// and empirical distributions.
public enum ScenarioSwarm {
    /// The scenario of a seed.
    ///
    /// It has at most about 300 rides within ten minutes, and no activity lives longer than an hour. Half of the
    /// scenarios continue long enough after that for everything to have ended.
    public static func scenario(seed: UInt64) -> Scenario {
        scenario(seed: seed, SwarmDraws(seed: seed), variedFrom: small)
    }

    /// The scenario of a seed in which durations are constants on a grid of five seconds and rides arrive evenly, so
    /// that events of one or several activities coincide.
    public static func gridScenario(seed: UInt64) -> Scenario {
        var base = small
        base.rides.stages[0].duration = .constant(90e6)
        base.rides.stages[1].duration = .constant(30e6)
        base.content.refresh = .constant(30e6)
        var scenario = scenario(seed: seed, SwarmDraws(seed: seed, onGrid: true), variedFrom: base)
        var draws = SwarmDraws(seed: seed).inner("grid")
        scenario.rides.arrivals.process = .even
        scenario.rides.arrivals.cities = []
        scenario.rides.arrivals.count = draws.count(1...60)
        scenario.rides.arrivals.at = .seconds(draws.one(of: [0, 5, 10]))
        // Every interval between rides is a multiple of a second, except that some rides are all requested at once.
        let distance: Int64 = draws.one(of: [0, 1, 5, 5, 10])
        scenario.rides.arrivals.spread = .seconds(distance * Int64(scenario.rides.arrivals.count))
        scenario.rides.scale = 1
        return scenario.keepingRules()
    }

    private static func scenario(seed: UInt64, _ draws: SwarmDraws, variedFrom base: Scenario) -> Scenario {
        var draws = draws
        var scenario = base.varied(draws)
        scenario.name = "swarm-\(seed)"
        // A scenario file can hold 63 bits.
        scenario.seed = draws.next() >> 1
        scenario.clock.drain = draws.coin() ? .hours(6) : draws.seconds(0...300)
        scenario.rides.trace = nil
        for stage in scenario.rides.stages.indices { scenario.rides.stages[stage].name = "s\(stage)" }
        scenario.fit(draws, besides: [])
        if draws.coin() {
            // The second threshold is the lower bound of a bucket, where the histogram of ages is exact.
            let bound = LogLinear.lowerBound(ofBucket: draws.count(1100...1300))
            scenario.measure.ageOver = [.zero, TimeSpan(microseconds: bound)]
        }
        return scenario.keepingRules()
    }

    /// A given scenario with other values for one key in twelve, in one replication.
    ///
    /// Half of the mutants continue long enough after the rides for everything to have ended.
    public static func mutant(of scenario: Scenario, seed: UInt64) -> Scenario {
        var draws = SwarmDraws(seed: seed, oneKeyIn: 12)
        var mutant = scenario.varied(draws)
        mutant.name = "swarm-\(seed)"
        mutant.seed = draws.next() >> 1
        mutant.replications = Scenario.Replications()
        mutant.rides.trace = scenario.rides.trace
        if mutant.rides.trace != nil {
            // A trace has its own stages, and no driver drops its rides.
            mutant.rides.stages = scenario.rides.stages
            mutant.rides.rematching = scenario.rides.rematching
        }
        if draws.coin() { mutant.clock.drain = max(mutant.clock.drain, mutant.devices.systemLimit + .hours(6)) }
        mutant.fit(draws, besides: Set(scenario.faults))
        return mutant.keepingRules()
    }

    /// The magnitudes of random values.
    private static var small: Scenario {
        var scenario = Scenario()
        scenario.clock.duration = .minutes(5)
        scenario.clock.window = .minutes(5)
        scenario.rides.arrivals.ratesPerHour = [400]
        scenario.rides.arrivals.rateInterval = .minutes(2)
        scenario.rides.arrivals.count = 30
        scenario.rides.stages = [
            Scenario.Stage(name: "s0", duration: .exponential(mean: 100e6)),
            Scenario.Stage(name: "s1", duration: .constant(400e6)),
        ]
        scenario.devices.connectivity.offline = .constant(40e6)
        scenario.devices.systemLimit = .minutes(30)
        // Few requests at a time, so that pushes have to wait.
        scenario.sender.streams = 1
        scenario.sender.requestTime = .constant(2e6)
        return scenario
    }
}

extension Scenario {
    /// Makes the drawn values valid: the cities' shares must add up to one, preemption excludes other keys, and faults
    /// must fit into the run, except for some that are valid already.
    fileprivate mutating func fit(_ draws: SwarmDraws, besides old: Set<Fault>) {
        rides.arrivals.divideAmongCities()
        if sender.preempt != .none {
            apns.latencyFrom = .response
            apns.capacity = nil
        }
        if content.wakeApp != nil {
            (content.refreshPriority, content.stateChangePriority) = (.considerate, .considerate)
            monitor.retry.priorities = [.considerate]
            for stage in rides.stages.indices { rides.stages[stage].alert = false }
        }
        if groups != nil {
            // Fewer requests, because each has several rides.
            rides.arrivals.ratesPerHour = rides.arrivals.ratesPerHour.map { $0 / 4 }
            rides.arrivals.count = max(1, rides.arrivals.count / 4)
            allowGroups()
            if hasChannels {
                (devices.pictures, content.payload.photoStage) = (nil, "")
                (devices.pushToStart.resendAfter, monitor.feedback) = (nil, .acceptance)
            }
        }
        // Some riders return within the time of arrivals.
        if rides.again != nil { clock.duration = max(clock.duration, .minutes(15)) }
        if content.renewBefore.map({ $0 >= devices.systemLimit }) ?? false { content.renewBefore = nil }
        if !hasPushStarts {
            (devices.start.pushBudget, devices.start.tokenRotation, devices.start.presentsStale) = (nil, nil, true)
            devices.start.withoutAlert = .never
            devices.token.neverAfterPush = nil
        }
        if content.payload.carPhotoBytes != nil { content.payload.photoPolicy = .once }
        if let file = content.eta?.file, !file.isEmpty { content.eta?.record(in: file) }
        var policy = draws.inner("refresh_when_moved")
        if content.eta != nil, policy.coin() {
            var moved = RefreshWhenMoved()
            moved.whenMoved = policy.seconds(1...60)
            moved.atMostEvery = policy.seconds(1...30)
            moved.atLeastEvery = policy.coin() ? moved.atMostEvery + policy.seconds(0...60) : nil
            content.refreshing = .whenMoved(moved)
        }
        for index in faults.indices where !old.contains(faults[index]) {
            faults[index].fit(into: self, draws.inner("faults").inner("\(index)"))
        }
    }
}

extension Scenario {
    /// Removes settings that groups exclude.
    public mutating func allowGroups() {
        (rides.trace, content.eta, content.renewBefore, content.wakeApp) = (nil, nil, nil, nil)
        (rides.again, rides.stops, rides.booked, content.endpoint) = (nil, nil, nil, nil)
    }
}

extension Scenario.Arrivals {
    /// Makes the shares of all cities add up to one, and their names distinct.
    fileprivate mutating func divideAmongCities() {
        let sum = cities.reduce(0) { $0 + $1.share.fraction }
        if sum == 0 { cities = [] }
        for index in cities.indices {
            cities[index].name = "c\(index)"
            cities[index].share = Probability(cities[index].share.fraction / sum)
        }
    }
}

extension Scenario.Fault {
    /// Moves the fault into the run, and gives it the length and the factor of its kind.
    fileprivate mutating func fit(into scenario: Scenario, _ draws: SwarmDraws) {
        var draws = draws
        let runLength = scenario.clock.duration + scenario.clock.drain
        if kind == .apnsCapacity, scenario.apns.capacity == nil { kind = .connectionLost }
        if kind == .contentSlow, scenario.content.endpoint == nil { kind = .contentDown }
        at = min(draws.seconds(0...600), runLength - .seconds(1))
        duration = kind == .connectionLost ? .zero : min(.seconds(draws.one(of: [1, 5, 60, 600])), runLength - at)
        switch kind {
        case .apnsSlow, .contentSlow: factor = Double(draws.number(1...10))
        case .apnsCapacity: factor = Double(draws.number(0...10)) / 10
        default: factor = 1
        }
    }
}

extension Scenario.ETA {
    /// Takes the estimates of a file instead of generated ones.
    public mutating func record(in file: String) {
        let generated = Scenario.ETA()
        self.file = file
        (step, drift, noise, jumpShare) = (generated.step, 0, nil, .never)
    }
}
