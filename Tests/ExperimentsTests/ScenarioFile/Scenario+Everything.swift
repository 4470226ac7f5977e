import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel

extension Scenario {
    /// A scenario in which no field has its default but `sender.preempt`, which excludes `apns.capacity`, and `rides.rematching.share`,
    /// which excludes `rides.trace`; every kind of distribution occurs.
    static var everything: Scenario {
        var scenario = Scenario()
        scenario.name = "every-field"
        scenario.description = "A \"quoted\" text: with # signs,\na second line and \u{1F695}."
        scenario.seed = .max
        scenario.replications.count = 6
        scenario.replications.until = Precision()
        scenario.replications.until?.metric = "age_of_information_us"
        scenario.replications.until?.halfWidth = 0.0125
        scenario.replications.until?.atMost = 100
        scenario.replications.antithetic = true
        scenario.clock.duration = .hours(20)
        scenario.clock.drain = .minutes(90)
        scenario.clock.warmUp = .milliseconds(61_500)
        scenario.clock.window = TimeSpan(microseconds: 60_000_001)
        scenario.clock.startsAt = .hours(6) + .seconds(7)
        scenario.rides = .everything
        scenario.content = .everything
        scenario.devices = .everything
        scenario.apns = .everything
        scenario.sender = .everything
        scenario.monitor = .everything
        var slow = Fault(kind: .apnsSlow, at: .minutes(5), duration: .minutes(10))
        slow.factor = 2.5
        var lost = Fault(kind: .connectionLost, at: .hours(1))
        lost.share = Probability(0.25)
        var halted = Fault(kind: .apnsCapacity, at: .hours(2), duration: .seconds(10))
        halted.factor = 0.125
        scenario.faults = [slow, halted, lost, Fault(kind: .contentDown, at: .zero, duration: .seconds(1))]
        scenario.measure.ageOver = [.seconds(15), .minutes(2)]
        scenario.measure.waitOver = [.zero, .milliseconds(250)]
        scenario.cells = 16
        return scenario
    }
}

extension Scenario.Rides {
    fileprivate static var everything: Self {
        var rides = Self()
        rides.scale = 0.125
        rides.arrivals.process = .even
        rides.arrivals.ratesPerHour = [0, 12.5, 1e-7, 1e9]
        rides.arrivals.rateInterval = .minutes(15)
        rides.arrivals.count = 1000
        rides.arrivals.at = .milliseconds(250)
        rides.arrivals.spread = .hours(30)
        rides.stages = [
            Scenario.Stage(name: "matching", duration: .exponential(mean: 1e6 / 3)),
            Scenario.Stage(
                name: "on_trip",
                duration: .quantiles([
                    QuantilePoint(probability: 0, value: 0),
                    QuantilePoint(probability: 0.05, value: 60e6),
                    QuantilePoint(probability: 0.999, value: 3600e6),
                    QuantilePoint(probability: 1, value: 7200e6),
                ]),
                refresh: .uniform(low: 5e6, high: 15e6)
            ),
        ]
        rides.stages[1].rank = 6
        rides.cancellation.share = Probability(0.0001)
        rides.cancellation.after = .gamma(shape: 3, scale: 1e6 / 3)
        rides.cancellation.untilStage = "matching"
        rides.rematching.after = .exponential(mean: 90e6)
        rides.rematching.fromStage = "on_trip"
        rides.rematching.toStage = "matching"
        var trace = Scenario.Trace(file: "data/rides.csv")
        trace.provider = "HV0005"
        trace.longestRide = .hours(3)
        trace.foldOntoOneDay = true
        rides.trace = trace
        return rides
    }
}

extension Scenario.Content {
    fileprivate static var everything: Self {
        var content = Self()
        content.ttl = .seconds(75)
        content.refresh = .weibull(shape: 0.7, scale: 30e6)
        content.refreshRestartsAtStateChange = false
        content.updatesAt = [.zero, .seconds(10)]
        content.staleDateMissing = Probability(0.001)
        content.undecodable = Probability(1e-9)
        content.timestampResolution = .seconds(1)
        content.timestampsRise = true
        content.timestampInMilliseconds = Probability(1.0 / 3)
        content.stateChangePriority = .considerate
        content.refreshPriority = .considerate
        content.payload.bytes = .lognormalOfLog(mu: 6.5, sigma: 0.25, unit: 1)
        content.payload.limit = 5120
        content.payload.photoStage = "on_trip"
        content.payload.photoBytes = .uniform(low: 2000, high: 3000)
        content.payload.smallPhotoBytes = .empirical(EmpiricalValues(file: "photos.csv", column: "bytes", sorted: []))
        content.payload.ladder = false
        return content
    }
}

extension Scenario.Devices {
    fileprivate static var everything: Self {
        var devices = Self()
        devices.activitiesEnabled = Probability(0.9)
        devices.start.by = .appThenPush
        devices.start.time = .lognormal(median: 0.6e6, p95: 2e6)
        devices.start.background = Probability(0.01)
        devices.start.atSystemLimit = Probability(0.002)
        devices.start.tooLarge = Probability(0.003)
        devices.start.retryAfter = .constant(5e6)
        devices.start.attempts = 3
        devices.pushToStart.hasToken = Probability(0.8)
        devices.pushToStart.dead = Probability(0.1)
        devices.pushToStart.budgetExhausted = Probability(0.05)
        devices.pushToStart.resendAfter = .seconds(45)
        devices.pushToStart.attempts = 2
        devices.token.never = Probability(0.001)
        devices.token.delay = .lognormalOfLog(mu: -0.5, sigma: 1.2, unit: 1e6)
        devices.token.post = .shifted(by: 0.3e6, .exponential(mean: 0.2e6))
        devices.token.postFailure = Probability(0.02)
        devices.token.postRetryAfter = .constant(1)
        devices.token.postAttempts = 4
        devices.token.rotation = .exponential(mean: 86_400e6)
        devices.initialContentLimit = nil
        devices.staleContentLimit = .minutes(4)
        devices.localUpdates.enabled = true
        devices.localUpdates.aliveFor = .constant(30e6)
        devices.connectivity.online = .mixture([
            MixtureComponent(weight: 0.9, distribution: .constant(60e6)),
            MixtureComponent(weight: 0.1, distribution: .shifted(by: 1, .uniform(low: 0, high: 2))),
        ])
        devices.connectivity.offline = .empirical(
            EmpiricalValues(file: "stalls.csv", column: "stall s", unit: 1e6, sorted: [])
        )
        devices.connectivity.initiallyOffline = Probability(0.03)
        devices.budget.limit = 120
        devices.budget.window = .minutes(30)
        devices.budget.endsExempt = false
        devices.consideratePriorityDelay = .constant(60e6)
        devices.swipe.share = Probability(0.04)
        devices.swipe.after = .constant(120e6)
        devices.swipe.recreated = Probability(0.5)
        devices.systemLimit = .hours(4)
        devices.endReport = .constant(2e6)
        return devices
    }
}

extension Scenario.APNs {
    fileprivate static var everything: Self {
        var apns = Self()
        apns.latency = .constant(350_000)
        apns.latencyFrom = .response
        apns.loss = Probability(0.005)
        apns.considerateLoss = Probability(0.01)
        var capacity = Scenario.Capacity()
        capacity.servers = 3
        capacity.serviceTime = .exponential(mean: 2500)
        capacity.order = .lifo
        capacity.dropExpired = true
        apns.capacity = capacity
        apns.reasons = [
            Scenario.ReasonShare(reason: .badDeviceToken, share: Probability(0.001)),
            Scenario.ReasonShare(reason: .tooManyRequests, share: Probability(0.0025)),
        ]
        apns.expiredTokenLag = .constant(3600e6)
        apns.expiration = .zero
        apns.endExpiration = .hours(1)
        apns.storage = .all
        apns.reorder = false
        apns.script = [.delivered(after: .milliseconds(1500)), .lost, .tokenDead(after: .milliseconds(200))]
        return apns
    }
}

extension Scenario.Sender {
    fileprivate static var everything: Self {
        var sender = Self()
        sender.connections = 4
        sender.streams = 100
        sender.requestTime = .constant(20_000)
        sender.timeout = .seconds(3)
        sender.attempts = 2
        sender.reconnectAfter = .milliseconds(1250)
        sender.queueLimit = 0
        sender.coalesce = true
        sender.ranks.start = 7
        sender.ranks.end = 2
        sender.ranks.retry = 3
        sender.ranks.update = 0
        sender.overflow = .dropOldest
        sender.requeueAfter = .exponential(mean: 2e6)
        sender.patience = .constant(30e6)
        var limit = Scenario.RateLimit()
        limit.perSecond = 0.125
        limit.burst = 2.5
        limit.refill = .whole
        limit.excess = .drop
        sender.rateLimit = limit
        var budget = Scenario.Budget()
        budget.capacity = 20
        budget.perSecond = 0.25
        budget.perPush = 0.1
        budget.reserve = 5
        sender.retryBudget = budget
        sender.minimumInterval = .seconds(1)
        return sender
    }
}

extension Scenario.Monitor {
    fileprivate static var everything: Self {
        var monitor = Self()
        monitor.enabled = false
        monitor.feedback = .delivery
        monitor.freshLimit = .zero
        monitor.recoveryWindow = .seconds(60)
        monitor.scanInterval = .seconds(15)
        monitor.scanPhase = .milliseconds(1)
        monitor.retry.maxAttempts = 5
        monitor.retry.schedule = [.zero, .seconds(5), .seconds(15)]
        monitor.retry.backoff.base = .seconds(1)
        monitor.retry.backoff.factor = 1.625
        monitor.retry.backoff.cap = .seconds(30)
        monitor.retry.jitter = .decorrelated
        monitor.retry.priorities = [.considerate, .immediate]
        var budget = Scenario.Budget()
        budget.capacity = 10
        budget.perSecond = 0.5
        budget.perPush = 0.125
        budget.reserve = 1.5
        monitor.retry.budget = budget
        monitor.retry.obeysFifteenMinutes = true
        monitor.endSchedule = [.zero, .seconds(10)]
        monitor.endsAgainOnNewToken = false
        return monitor
    }
}
