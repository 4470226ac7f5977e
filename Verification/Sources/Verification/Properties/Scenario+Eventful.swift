import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel

extension Scenario {
    /// Ten minutes of rides with occasional failures of every kind, for testing laws about histories.
    static var eventful: Scenario {
        var scenario = Scenario()
        scenario.name = "verify-eventful"
        scenario.cells = 3
        scenario.clock.duration = .minutes(10)
        scenario.clock.drain = .hours(1)
        scenario.rides.arrivals.ratesPerHour = [300]
        scenario.rides.stages = [
            .init(name: "pickup", duration: .exponential(mean: 120e6)),
            .init(name: "trip", duration: .lognormal(median: 300e6, p95: 900e6)),
        ]
        scenario.rides.cancellation.share = Probability(0.2)
        scenario.content.ttl = .seconds(40)
        scenario.content.refresh = .exponential(mean: 20e6)
        scenario.devices.start.background = Probability(0.3)
        scenario.devices.start.attempts = 3
        scenario.devices.token.delay = .exponential(mean: 2e6)
        scenario.devices.token.rotation = .exponential(mean: 400e6)
        scenario.devices.connectivity.online = .exponential(mean: 120e6)
        scenario.devices.connectivity.offline = .exponential(mean: 20e6)
        scenario.devices.swipe.share = Probability(0.1)
        scenario.apns.latency = .lognormal(median: 0.5e6, p95: 5e6)
        scenario.apns.loss = Probability(0.1)
        scenario.apns.reasons = [.init(reason: .tooManyRequests, share: Probability(0.05))]
        scenario.apns.expiredTokenLag = .exponential(mean: 30e6)
        scenario.sender.streams = 3
        scenario.sender.requestTime = .exponential(mean: 0.5e6)
        scenario.sender.timeout = .seconds(3)
        scenario.sender.attempts = 3
        scenario.sender.queueLimit = 20
        scenario.monitor.freshLimit = .seconds(10)
        scenario.monitor.recoveryWindow = .seconds(60)
        scenario.monitor.retry.maxAttempts = nil
        scenario.monitor.retry.backoff.base = .seconds(5)
        scenario.monitor.retry.jitter = .full
        var silence = Fault(kind: .apnsSilent, at: .seconds(200), duration: .seconds(60))
        silence.share = Probability(0.5)
        scenario.faults = [
            silence,
            Fault(kind: .connectionLost, at: .seconds(400)),
            Fault(kind: .devicesOffline, at: .seconds(450), duration: .seconds(40)),
        ]
        return scenario
    }
}
