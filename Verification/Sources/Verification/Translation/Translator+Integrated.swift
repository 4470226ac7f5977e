import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel

/// Regular updates and the monitor together, up to the decision to end.
extension Translator {
    mutating func integrated() -> Translation {
        guard model == "integrated" else { return unknownModel }
        let unit = TimeUnit.second
        let period = parameters.positive("T")
        let loss = parameters.probability("p")
        let fresh = parameters.positive("x")
        let pause = parameters.positive("h")
        let attempts = parameters.whole("R", in: 0...100)
        let window = parameters.positive("V")
        let recovered = parameters.probability("q")
        // A life ends when all updates from its last content to the decision are lost, and all retries.
        let updates = Int(((fresh + window) / period).rounded(.up))
        let death = repeatedly(loss, updates) * repeatedly(1 - recovered, attempts)
        var scenario = Scenario.bare("integrated")
        scenario.setLives(count: 50, longest: unit.span(min(6 * (period + fresh) / death + 40 * (fresh + window), 1e8)))
        scenario.content.ttl = unit.span(fresh)
        scenario.content.refresh = .constant(period * unit.microseconds)
        // Updates have priority 5 and retries priority 10, with different loss probabilities.
        scenario.content.refreshPriority = .considerate
        scenario.apns.considerateLoss = Probability(loss)
        scenario.apns.loss = Probability(1 - recovered)
        scenario.monitor.recoveryWindow = unit.span(window)
        // In these cases an attempt that is due exactly at the decision is not made; the product would make it.
        let offsets = (0..<attempts).map { Double($0) * pause }.filter { $0 < window }
        scenario.monitor.retry.setSchedule(offsets.map(unit.span))
        return estimate(scenario, lifeResponse(unit))
    }
}
