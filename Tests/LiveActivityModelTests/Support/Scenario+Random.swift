import FreshnessCore
import LiveActivityModel
import Quantities
import RandomStreams
import TestSupport

extension Scenario {
    /// A small scenario with about half of everything that a scenario can have, drawn from a seed.
    ///
    /// Its rides end within the hour, and nothing lives on for more than two hours after that.
    static func random(seed: UInt64) -> Scenario {
        var draws = TestStream(seed: seed)
        var scenario = Scenario()
        scenario.name = "random-\(seed)"
        scenario.seed = draws.next()
        scenario.clock.duration = .minutes(draws.number(1...10))
        scenario.clock.drain = .hours(6)
        scenario.clock.window = .seconds(draws.number(50...900))
        scenario.cells = Int(draws.number(1...3))
        scenario.rides = .random(&draws)
        scenario.content = .random(&draws, stages: scenario.rides.stages.count)
        scenario.devices = .random(&draws)
        scenario.apns = .random(&draws)
        scenario.sender = .random(&draws)
        if scenario.apns.capacity != nil, scenario.sender.preempt == .resume { scenario.sender.preempt = .replace }
        scenario.monitor = .random(&draws)
        for _ in 0..<draws.number(0...4) {
            scenario.faults.append(.random(&draws))
        }
        return scenario
    }
}

extension Distribution {
    /// Durations of up to a few times a number of seconds; now and then none at all.
    fileprivate static func random(_ draws: inout TestStream, seconds: Double) -> Distribution {
        let scale = seconds * 1e6
        switch draws.number(0...5) {
        case 0: return .constant(0)
        case 1: return .constant(scale)
        case 2: return .uniform(low: 0, high: scale * 2)
        case 3: return .exponential(mean: scale)
        case 4: return .lognormal(median: scale / 2, p95: scale * 2)
        // Whole seconds, so that there are ties.
        default:
            let ties = (0...5).map { Int64($0) * 1_000_000 }
            return .empirical(EmpiricalValues(file: "ties.csv", column: "seconds", unit: 1e6, sorted: ties))
        }
    }
}

extension Probability {
    fileprivate static func random(_ draws: inout TestStream) -> Probability {
        switch draws.number(0...9) {
        case 0...4: .never
        case 5: .always
        default: Probability(draws.fraction() / 2)
        }
    }
}

extension Scenario.Rides {
    fileprivate static func random(_ draws: inout TestStream) -> Scenario.Rides {
        var rides = Scenario.Rides()
        if draws.yes(50) {
            rides.arrivals.ratesPerHour = [Double(draws.number(20...200)), 0, Double(draws.number(1...300))]
            rides.arrivals.rateInterval = .seconds(draws.number(10...600))
        } else {
            rides.arrivals.process = .even
            rides.arrivals.count = Int(draws.number(1...12))
            rides.arrivals.spread = .seconds(draws.one(of: [0, 0, 30, 60]))
        }
        rides.stages = (0..<draws.number(1...4))
            .map { index in
                var stage = Scenario.Stage(name: "s\(index)", duration: .random(&draws, seconds: 200))
                stage.rank = draws.yes(30) ? Int(draws.number(0...7)) : nil
                stage.refresh = draws.yes(30) ? .random(&draws, seconds: 60) : nil
                // A refresh without pause would be one in each microsecond.
                if stage.refresh == .constant(0) { stage.refresh = .constant(7e6) }
                return stage
            }
        rides.cancellation.share = .random(&draws)
        rides.cancellation.after = .random(&draws, seconds: 200)
        rides.cancellation.untilStage = draws.yes(50) ? "s0" : ""
        if draws.yes(25) {
            var trace = Scenario.Trace(file: "rides.csv")
            let count = rides.stages.count
            trace.rides = (0..<draws.number(1...8))
                .map { _ in
                    let isCancelled = draws.yes(30)
                    let stages = isCancelled ? Int(draws.number(1...Int64(count))) : count
                    return TracedRide(
                        request: .start + .seconds(draws.number(0...100)),
                        stages: (0..<stages).map { _ in .seconds(draws.one(of: [0, 1, 30, 200, 600])) },
                        isCancelled: isCancelled
                    )
                }
            trace.rides.sort { $0.request < $1.request }
            rides.trace = trace
            rides.scale = draws.one(of: [1, 0.5, 1.7])
        }
        return rides
    }
}

extension Scenario.Content {
    fileprivate static func random(_ draws: inout TestStream, stages: Int) -> Scenario.Content {
        var content = Scenario.Content()
        content.ttl = .seconds(draws.one(of: [0, 1, 20, 60, 180]))
        content.refresh = draws.yes(60) ? .exponential(mean: Double(draws.number(5...90)) * 1e6) : nil
        content.refreshRestartsAtStateChange = draws.yes(50)
        content.staleDateMissing = .random(&draws)
        content.undecodable = .random(&draws)
        content.timestampResolution = draws.one(of: [.zero, .seconds(1), .seconds(60)])
        content.timestampsRise = draws.yes(50)
        content.timestampInMilliseconds = .random(&draws)
        content.stateChangePriority = draws.one(of: PushPriority.allCases)
        content.refreshPriority = draws.one(of: PushPriority.allCases)
        if draws.yes(50) {
            content.payload.bytes = .uniform(low: 500, high: 4500)
            content.payload.photoStage = "s\(draws.number(0...Int64(stages - 1)))"
            content.payload.ladder = draws.yes(70)
        }
        return content
    }
}

extension Scenario.Devices {
    fileprivate static func random(_ draws: inout TestStream) -> Scenario.Devices {
        var devices = Scenario.Devices()
        devices.activitiesEnabled = draws.yes(80) ? .always : Probability(0.7)
        devices.start.by = draws.one(of: Scenario.Starter.allCases)
        devices.start.time = .random(&draws, seconds: 10)
        devices.start.background = .random(&draws)
        devices.start.atSystemLimit = .random(&draws)
        devices.start.tooLarge = .random(&draws)
        devices.start.attempts = Int(draws.number(1...5))
        devices.pushToStart.hasToken = draws.yes(70) ? .always : Probability(0.5)
        devices.pushToStart.dead = .random(&draws)
        devices.pushToStart.budgetExhausted = .random(&draws)
        devices.pushToStart.resendAfter = draws.yes(60) ? .seconds(draws.number(1...60)) : nil
        devices.pushToStart.attempts = Int(draws.number(1...4))
        devices.token.never = .random(&draws)
        devices.token.delay = .random(&draws, seconds: 10)
        devices.token.post = .random(&draws, seconds: 5)
        devices.token.postFailure = .random(&draws)
        devices.token.postAttempts = Int(draws.number(1...5))
        devices.token.rotation = draws.yes(40) ? .uniform(low: 20e6, high: 400e6) : nil
        devices.initialContentLimit = draws.yes(60) ? .seconds(draws.number(10...200)) : nil
        devices.staleContentLimit = draws.yes(40) ? .seconds(draws.number(0...200)) : nil
        devices.localUpdates.enabled = draws.yes(40)
        devices.localUpdates.aliveFor = draws.yes(50) ? .random(&draws, seconds: 200) : nil
        if draws.yes(50) {
            devices.connectivity.online = .exponential(mean: 60e6)
            devices.connectivity.offline = .exponential(mean: 40e6)
            devices.connectivity.initiallyOffline = .random(&draws)
        }
        devices.budget.limit = draws.yes(40) ? Int(draws.number(0...6)) : nil
        devices.budget.endsExempt = draws.yes(50)
        devices.budget.window = .seconds(draws.number(1...300))
        devices.consideratePriorityDelay = .random(&draws, seconds: 20)
        devices.swipe.share = .random(&draws)
        devices.swipe.after = .random(&draws, seconds: 100)
        devices.swipe.recreated = .random(&draws)
        devices.systemLimit = .seconds(draws.one(of: [300, 1800, 3600]))
        devices.endReport = .random(&draws, seconds: 20)
        return devices
    }
}

extension Scenario.APNs {
    fileprivate static func random(_ draws: inout TestStream) -> Scenario.APNs {
        var apns = Scenario.APNs()
        apns.latency = .random(&draws, seconds: 5)
        apns.loss = .random(&draws)
        for _ in 0..<draws.number(0...3) {
            apns.reasons.append(.init(reason: draws.one(of: APNsReason.allCases), share: Probability(0.05)))
        }
        apns.expiredTokenLag = .random(&draws, seconds: 60)
        apns.expiration = .seconds(draws.one(of: [0, 10, 60, 3600]))
        apns.endExpiration = .seconds(draws.one(of: [0, 60, 3600]))
        apns.storage = draws.one(of: Scenario.PushStorage.allCases)
        apns.reorder = draws.yes(50)
        apns.latencyFrom = draws.one(of: Scenario.LatencyOrigin.allCases)
        apns.considerateLoss = draws.yes(30) ? .random(&draws) : nil
        if draws.yes(40) {
            var capacity = Scenario.Capacity()
            capacity.servers = Int(draws.number(1...3))
            capacity.serviceTime = .random(&draws, seconds: 2)
            capacity.order = draws.one(of: Scenario.QueueOrder.allCases)
            capacity.dropExpired = draws.yes(50)
            apns.capacity = capacity
        }
        return apns
    }
}

extension Scenario.Sender {
    fileprivate static func random(_ draws: inout TestStream) -> Scenario.Sender {
        var sender = Scenario.Sender()
        sender.connections = Int(draws.number(1...4))
        sender.streams = draws.one(of: [1, 1, 3, 1000])
        sender.requestTime = .random(&draws, seconds: 6)
        sender.timeout = .seconds(draws.number(1...15))
        sender.attempts = Int(draws.number(1...4))
        sender.retryBudget = draws.yes(30) ? .random(&draws) : nil
        sender.reconnectAfter = .seconds(draws.number(0...30))
        sender.queueLimit = draws.yes(30) ? Int(draws.number(0...5)) : nil
        sender.coalesce = draws.yes(50)
        sender.overflow = draws.one(of: Scenario.Overflow.allCases)
        sender.requeueAfter = draws.yes(30) ? .random(&draws, seconds: 20) : nil
        // Away from a full queue for no time at all would be to come again each microsecond.
        if sender.requeueAfter == .constant(0) { sender.requeueAfter = .constant(3e6) }
        sender.patience = draws.yes(30) ? .random(&draws, seconds: 10) : nil
        sender.ranks.end = Int(draws.number(0...2))
        sender.ranks.retry = Int(draws.number(0...2))
        sender.ranks.update = Int(draws.number(0...2))
        sender.preempt = draws.one(of: Scenario.Preemption.allCases)
        if draws.yes(30) {
            var limit = Scenario.RateLimit()
            limit.perSecond = Double(draws.number(50...2000)) / 1000
            limit.burst = Double(draws.number(1000...5000)) / 1000
            limit.refill = draws.one(of: [.continuous, .whole])
            limit.excess = draws.one(of: Scenario.Excess.allCases)
            sender.rateLimit = limit
        }
        sender.minimumInterval = .seconds(draws.one(of: [0, 0, 15]))
        return sender
    }
}

extension Scenario.Budget {
    fileprivate static func random(_ draws: inout TestStream) -> Scenario.Budget {
        var budget = Scenario.Budget()
        budget.capacity = Double(draws.number(0...5))
        budget.perSecond = Double(draws.number(0...100)) / 1000
        budget.perPush = Double(draws.number(0...500)) / 1000
        budget.reserve = Double(draws.number(0...2000)) / 1000
        return budget
    }
}

extension Scenario.Monitor {
    fileprivate static func random(_ draws: inout TestStream) -> Scenario.Monitor {
        var monitor = Scenario.Monitor()
        monitor.enabled = draws.yes(80)
        monitor.feedback = draws.one(of: Scenario.Feedback.allCases)
        monitor.freshLimit = .seconds(draws.one(of: [0, 10, 60]))
        monitor.recoveryWindow = .seconds(draws.one(of: [0, 30, 120]))
        monitor.scanInterval = draws.yes(40) ? .seconds(draws.number(1...60)) : nil
        monitor.scanPhase = .seconds(draws.number(0...30))
        monitor.retry.maxAttempts = draws.yes(85) ? Int(draws.number(0...6)) : nil
        monitor.retry.schedule = draws.yes(50) ? [.zero, .seconds(5), .seconds(5), .seconds(40)] : nil
        monitor.retry.jitter = draws.one(of: Jitter.allCases)
        monitor.retry.priorities = draws.one(of: [[.immediate], [.considerate, .immediate]])
        monitor.retry.obeysFifteenMinutes = draws.yes(30)
        if draws.yes(40) {
            monitor.retry.budget = .random(&draws)
        }
        monitor.endSchedule = draws.one(of: [[.zero], [.zero, .seconds(30), .minutes(2)], [.seconds(3), .seconds(3)]])
        return monitor
    }
}

extension Scenario.Fault {
    fileprivate static func random(_ draws: inout TestStream) -> Scenario.Fault {
        var fault = Scenario.Fault(
            kind: draws.one(of: Kind.allCases),
            at: .seconds(draws.number(0...300)),
            duration: .seconds(draws.one(of: [0, 5, 60, 600]))
        )
        fault.share = draws.yes(50) ? .always : Probability(draws.fraction())
        fault.factor = Double(draws.number(1...10)) / (fault.kind == .apnsCapacity ? 10 : 1)
        return fault
    }
}
