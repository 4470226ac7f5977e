import FreshnessCore
public import LiveActivityModel
import Quantities
import SimulationKernel

/// Small scenarios for swarm testing: every section, each group of features in or out by a coin of its own.
///
/// What is always there hides what it works against: a limit of the queue that drops every push keeps it from ever being
/// preempted. With coins, features meet in all combinations, and each is also missing half of the time (A. Groce,
/// C. Zhang, E. Eide, Y. Chen and J. Regehr, "Swarm testing", ISSTA 2012).
///
/// Left out is what needs a file: traces and empirical distributions.
public enum ScenarioSwarm {
    /// The scenario of a seed.
    ///
    /// Some 300 rides at most are requested within ten minutes, and none of their activities lives longer than an hour.
    /// Half of the scenarios go on for so long after that that everything must have ended.
    public static func scenario(seed: UInt64) -> Scenario {
        var draws = SwarmDraws(seed: seed)
        var scenario = Scenario()
        scenario.name = "swarm-\(seed)"
        // A file holds what fits into 63 bits.
        scenario.seed = draws.next() >> 1
        scenario.clock.duration = draws.seconds(60...600)
        scenario.clock.drain = draws.coin() ? .hours(6) : draws.seconds(0...300)
        if draws.coin() { scenario.clock.warmUp = .milliseconds(draws.number(0...59_000)) }
        scenario.clock.window = draws.seconds(50...900)
        if draws.coin() { scenario.cells = draws.count(2...3) }
        scenario.replications = .swarm(&draws)
        scenario.rides = .swarm(&draws)
        scenario.content = .swarm(&draws, stages: scenario.rides.stages)
        scenario.devices = .swarm(&draws)
        scenario.apns = .swarm(&draws)
        scenario.sender = .swarm(&draws)
        if scenario.sender.preempt != .none {
            scenario.apns.latencyFrom = .response
            scenario.apns.capacity = nil
        }
        scenario.monitor = .swarm(&draws)
        if draws.coin() {
            for _ in 0..<draws.number(1...5) {
                scenario.faults.append(.swarm(&draws, scenario))
            }
        }
        if draws.coin() { scenario.measure = .swarm(&draws) }
        if draws.coin() { scenario.rides.addRematching(&draws) }
        if draws.coin() { scenario.monitor.endsAgainOnNewToken = false }
        return scenario
    }
}

extension Scenario.Replications {
    fileprivate static func swarm(_ draws: inout SwarmDraws) -> Scenario.Replications {
        var replications = Scenario.Replications()
        guard draws.coin(), draws.coin() else { return replications }
        replications.count = 2
        switch draws.number(0...2) {
        case 0: replications.antithetic = true
        case 1:
            var precision = Scenario.Precision()
            precision.halfWidth = 0.1
            precision.atMost = 4
            replications.until = precision
        default: break
        }
        return replications
    }
}

extension Scenario.Rides {
    fileprivate static func swarm(_ draws: inout SwarmDraws) -> Scenario.Rides {
        var rides = Scenario.Rides()
        if draws.coin() {
            rides.arrivals.ratesPerHour = [Double(draws.number(50...1000)), 0, Double(draws.number(1...500))]
            rides.arrivals.rateInterval = draws.seconds(10...600)
            rides.scale = draws.one(of: [1, 1, 0.5, 1.7])
        } else {
            rides.arrivals.process = .even
            rides.arrivals.count = draws.count(1...60)
            rides.arrivals.at = draws.seconds(0...20)
            rides.arrivals.spread = .seconds(draws.one(of: [0, 0, 30, 60]))
        }
        let hasRanks = draws.coin()
        let hasRefreshes = draws.coin()
        rides.stages = (0..<draws.number(1...4))
            .map { index in
                var stage = Scenario.Stage(
                    name: "s\(index)",
                    duration: draws.durations(seconds: draws.one(of: [20, 200, 400]))
                )
                if hasRanks { stage.rank = draws.count(0...7) }
                if hasRefreshes, draws.coin() { stage.refresh = draws.pauses(seconds: 60) }
                return stage
            }
        if draws.coin() {
            rides.cancellation.share = draws.share()
            rides.cancellation.after = draws.durations(seconds: 200)
            rides.cancellation.untilStage = draws.coin() ? "s0" : ""
        }
        return rides
    }

    /// Lets drivers drop rides, if there are stages to go back to.
    fileprivate mutating func addRematching(_ draws: inout SwarmDraws) {
        guard stages.count > 1 else { return }
        rematching.share = Probability(draws.one(of: [0.1, 0.5]))
        rematching.after = draws.durations(seconds: 100)
        let from = draws.number(1...Int64(stages.count) - 1)
        rematching.fromStage = "s\(from)"
        rematching.toStage = "s\(draws.number(0...from - 1))"
    }
}

extension Scenario.Content {
    fileprivate static func swarm(_ draws: inout SwarmDraws, stages: [Scenario.Stage]) -> Scenario.Content {
        var content = Scenario.Content()
        content.ttl = .seconds(draws.one(of: [0, 1, 20, 60, 180]))
        if draws.coin() || draws.coin() { content.refresh = draws.pauses(seconds: draws.number(5...90)) }
        if draws.coin() { content.refreshRestartsAtStateChange = false }
        if draws.coin(), draws.coin() { content.updatesAt = [.seconds(10), .seconds(20), .seconds(120)] }
        if draws.coin() { content.staleDateMissing = draws.share() }
        if draws.coin() { content.undecodable = draws.share() }
        if draws.coin() { content.timestampResolution = draws.one(of: [.seconds(1), .seconds(60)]) }
        if draws.coin() { content.timestampsRise = true }
        if draws.coin() { content.timestampInMilliseconds = draws.share() }
        if draws.coin() {
            content.stateChangePriority = draws.one(of: PushPriority.allCases)
            content.refreshPriority = draws.one(of: PushPriority.allCases)
        }
        if draws.coin() {
            content.payload.bytes = .uniform(low: 500, high: 4500)
            content.payload.photoStage = draws.coin() ? draws.one(of: stages).name : ""
            content.payload.ladder = draws.coin()
        }
        return content
    }
}

extension Scenario.Devices {
    fileprivate static func swarm(_ draws: inout SwarmDraws) -> Scenario.Devices {
        var devices = Scenario.Devices()
        if draws.coin() { devices.activitiesEnabled = Probability(0.7) }
        devices.start.by = draws.one(of: Scenario.Starter.allCases)
        if draws.coin() {
            devices.start.time = draws.durations(seconds: 10)
            devices.start.background = draws.share()
            devices.start.atSystemLimit = draws.share()
            devices.start.tooLarge = draws.share()
            devices.start.retryAfter = draws.durations(seconds: 30)
            devices.start.attempts = draws.count(1...5)
        }
        if draws.coin() {
            devices.pushToStart.hasToken = draws.coin() ? .always : Probability(0.5)
            devices.pushToStart.dead = draws.share()
            devices.pushToStart.budgetExhausted = draws.share()
            devices.pushToStart.resendAfter = draws.coin() ? draws.seconds(1...60) : nil
            devices.pushToStart.attempts = draws.count(1...4)
        }
        if draws.coin() {
            devices.token.never = draws.share()
            devices.token.delay = draws.durations(seconds: 10)
            devices.token.post = draws.durations(seconds: 5)
            devices.token.postFailure = draws.share()
            devices.token.postRetryAfter = draws.durations(seconds: 10)
            devices.token.postAttempts = draws.count(1...5)
        }
        if draws.coin() { devices.token.rotation = .uniform(low: 20e6, high: 400e6) }
        devices.initialContentLimit = draws.coin() ? draws.seconds(10...200) : nil
        if draws.coin() { devices.staleContentLimit = draws.seconds(0...200) }
        if draws.coin() {
            devices.localUpdates.enabled = true
            devices.localUpdates.aliveFor = draws.coin() ? draws.durations(seconds: 200) : nil
        }
        if draws.coin() {
            devices.connectivity.online = .exponential(mean: 60e6)
            devices.connectivity.offline = .exponential(mean: 40e6)
            devices.connectivity.initiallyOffline = draws.share()
        }
        if draws.coin() {
            devices.budget.limit = draws.count(0...6)
            devices.budget.endsExempt = draws.coin()
            devices.budget.window = draws.seconds(1...300)
        }
        if draws.coin() { devices.consideratePriorityDelay = draws.durations(seconds: 20) }
        if draws.coin() {
            devices.swipe.share = draws.share()
            devices.swipe.after = draws.durations(seconds: 100)
            devices.swipe.recreated = draws.share()
        }
        devices.systemLimit = .seconds(draws.one(of: [300, 1800, 3600]))
        if draws.coin() { devices.endReport = draws.durations(seconds: 20) }
        return devices
    }
}

extension Scenario.APNs {
    fileprivate static func swarm(_ draws: inout SwarmDraws) -> Scenario.APNs {
        var apns = Scenario.APNs()
        if draws.coin() { apns.latency = draws.durations(seconds: 5) }
        if draws.coin() { apns.latencyFrom = .response }
        if draws.coin() { apns.loss = draws.share() }
        if draws.coin() { apns.considerateLoss = draws.share() }
        if draws.coin() {
            for reason in APNsReason.allCases where draws.number(0...3) == 0 {
                apns.reasons.append(.init(reason: reason, share: Probability(0.05)))
            }
        }
        if draws.coin() { apns.expiredTokenLag = draws.durations(seconds: 60) }
        if draws.coin() {
            apns.expiration = .seconds(draws.one(of: [0, 10, 60, 3600]))
            apns.endExpiration = .seconds(draws.one(of: [0, 60, 3600]))
            apns.storage = draws.one(of: Scenario.PushStorage.allCases)
        }
        if draws.coin() { apns.reorder = false }
        if draws.coin() {
            var capacity = Scenario.Capacity()
            capacity.servers = draws.count(1...3)
            capacity.serviceTime = draws.durations(seconds: 2)
            capacity.order = draws.one(of: Scenario.QueueOrder.allCases)
            capacity.dropExpired = draws.coin()
            apns.capacity = capacity
        }
        if draws.number(0...15) == 0 {
            apns.script = [
                .delivered(after: .seconds(2)), .lost, .tokenDead(after: .seconds(1)), .delivered(after: .zero),
            ]
        }
        return apns
    }
}

extension Scenario.Sender {
    fileprivate static func swarm(_ draws: inout SwarmDraws) -> Scenario.Sender {
        var sender = Scenario.Sender()
        if draws.coin() { sender.connections = draws.count(2...4) }
        sender.streams = draws.one(of: [1, 1, 3, 1000])
        if draws.coin() { sender.requestTime = draws.durations(seconds: 6) }
        sender.timeout = draws.seconds(1...15)
        if draws.coin() { sender.attempts = draws.count(2...4) }
        if draws.coin() { sender.retryBudget = .swarm(&draws) }
        sender.reconnectAfter = draws.seconds(0...30)
        if draws.coin() {
            sender.queueLimit = draws.count(0...5)
            sender.overflow = draws.one(of: Scenario.Overflow.allCases)
            sender.requeueAfter = draws.coin() ? draws.pauses(seconds: 20) : nil
        }
        if draws.coin() { sender.patience = draws.durations(seconds: 10) }
        if draws.coin() { sender.coalesce = true }
        if draws.coin() {
            sender.ranks.start = draws.count(0...2)
            sender.ranks.end = draws.count(0...2)
            sender.ranks.retry = draws.count(0...2)
            sender.ranks.update = draws.count(0...2)
        }
        if draws.coin() { sender.preempt = draws.one(of: [.replace, .resume]) }
        if draws.coin() {
            var limit = Scenario.RateLimit()
            limit.perSecond = Double(draws.number(50...2000)) / 1000
            limit.burst = Double(draws.number(1000...5000)) / 1000
            limit.refill = draws.one(of: [.continuous, .whole])
            limit.excess = draws.one(of: Scenario.Excess.allCases)
            sender.rateLimit = limit
        }
        if draws.coin() { sender.minimumInterval = .seconds(15) }
        return sender
    }
}

extension Scenario.Budget {
    fileprivate static func swarm(_ draws: inout SwarmDraws) -> Scenario.Budget {
        var budget = Scenario.Budget()
        budget.capacity = Double(draws.number(1000...5000)) / 1000
        budget.perSecond = Double(draws.number(0...100)) / 1000
        budget.perPush = Double(draws.number(0...500)) / 1000
        budget.reserve = Double(draws.number(0...Int64(budget.capacity * 1000) - 1000)) / 1000
        return budget
    }
}

extension Scenario.Monitor {
    fileprivate static func swarm(_ draws: inout SwarmDraws) -> Scenario.Monitor {
        var monitor = Scenario.Monitor()
        if draws.coin(), draws.coin() { monitor.enabled = false }
        monitor.feedback = draws.one(of: Scenario.Feedback.allCases)
        monitor.freshLimit = .seconds(draws.one(of: [0, 5, 60, 120]))
        monitor.recoveryWindow = .seconds(draws.one(of: [0, 30, 120, 300]))
        if draws.coin() {
            monitor.scanInterval = draws.seconds(1...60)
            monitor.scanPhase = draws.seconds(0...30)
        }
        monitor.retry.maxAttempts = draws.coin() ? draws.count(0...6) : nil
        if draws.coin() {
            monitor.retry.schedule = [.zero, .seconds(5), .seconds(11), .seconds(40)]
        } else {
            monitor.retry.backoff.base = draws.seconds(2...30)
            monitor.retry.backoff.factor = draws.one(of: [1, 1.5, 3])
        }
        if draws.coin() { monitor.retry.jitter = draws.one(of: Jitter.allCases) }
        if draws.coin() { monitor.retry.priorities = [.considerate, .immediate] }
        if draws.coin() { monitor.retry.obeysFifteenMinutes = true }
        if draws.coin() { monitor.retry.budget = .swarm(&draws) }
        monitor.endSchedule = draws.one(of: [[.zero], [.zero, .seconds(30), .minutes(2)], [.seconds(3), .seconds(4)]])
        return monitor
    }
}

extension Scenario.Fault {
    fileprivate static func swarm(_ draws: inout SwarmDraws, _ scenario: Scenario) -> Scenario.Fault {
        let kinds = Kind.allCases.filter { scenario.apns.capacity != nil || $0 != .apnsCapacity }
        let runLength = scenario.clock.duration + scenario.clock.drain
        let at = min(draws.seconds(0...600), runLength - .seconds(1))
        let length = min(TimeSpan.seconds(draws.one(of: [1, 5, 60, 600])), runLength - at)
        let kind = draws.one(of: kinds)
        var fault = Scenario.Fault(kind: kind, at: at, duration: kind == .connectionLost ? .zero : length)
        switch kind {
        case .apnsSilent, .apnsUnavailable, .connectionLost, .devicesOffline:
            if draws.coin() { fault.share = Probability(Double(draws.number(1...99)) / 100) }
        case .apnsSlow: fault.factor = Double(draws.number(1...10))
        case .apnsCapacity: fault.factor = Double(draws.number(0...10)) / 10
        case .senderPaused, .monitorPaused, .contentDown, .tokenPostDown: break
        }
        return fault
    }
}

extension Scenario.Measure {
    fileprivate static func swarm(_ draws: inout SwarmDraws) -> Scenario.Measure {
        var measure = Scenario.Measure()
        // The second threshold is the lower bound of a bucket, where the histogram of ages is exact.
        let bound = TimeSpan(microseconds: LogLinear.lowerBound(ofBucket: draws.count(1100...1300)))
        measure.ageOver = [.zero, bound]
        measure.waitOver = [.zero, draws.seconds(1...30)]
        return measure
    }
}
