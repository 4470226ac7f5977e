import LiveActivityModel
import Quantities
import SimulationKernel
import Statistics

/// The age of information behind the sender's queue.
extension Translator {
    mutating func age() -> Translation {
        switch model {
        case "fcfs_gg1":
            let (arrival, service) = renewalSystem()
            return ageEstimate(arrival, service) { _ in }
        case "mm11":
            let (arrival, service) = markovSystem()
            return ageEstimate(arrival, service, capacity: 1) { $0.sender.queueLimit = 0 }
        case "mm12":
            let (arrival, service) = markovSystem()
            return ageEstimate(arrival, service, capacity: 2) { $0.sender.queueLimit = 1 }
        case "mm12s":
            let (arrival, service) = markovSystem()
            return ageEstimate(arrival, service, capacity: 2) { $0.sender.coalesce = true }
        case "lcfsp":
            let (arrival, service) = markovSystem()
            return ageEstimate(arrival, service, capacity: 1) { $0.sender.preempt = .replace }
        case "lcfsp_md1":
            let rate = parameters.positive("lam")
            let service = parameters.positive("D")
            let unit = TimeUnit(shortest: min(1 / rate, service))
            let arrival = Distribution.exponential(mean: unit.microseconds / rate)
            return ageEstimate((arrival, unit), .constant(service * unit.microseconds), capacity: 1) {
                $0.sender.preempt = .replace
            }
        case "mm1_loss":
            let (arrival, service) = markovSystem()
            let loss = Probability(parameters.probability("p"))
            return ageEstimate(arrival, service) { $0.apns.loss = loss }
        case "multi_mm1":
            return severalSources()
        default:
            return unknownModel
        }
    }

    private typealias Arrival = (gap: Distribution, unit: TimeUnit)

    private mutating func renewalSystem() -> (Arrival, Distribution) {
        let unit = TimeUnit(
            shortest: min(
                parameters.distribution("arrival", unit: 1).mean,
                parameters.distribution("service", unit: 1).mean
            )
        )
        let arrival = parameters.distribution("arrival", unit: unit.microseconds)
        return ((arrival, unit), parameters.distribution("service", unit: unit.microseconds))
    }

    private mutating func markovSystem() -> (Arrival, Distribution) {
        let arrivals = parameters.positive("lam")
        let services = parameters.positive("mu")
        let unit = TimeUnit(shortest: min(1 / arrivals, 1 / services))
        return (
            (.exponential(mean: unit.microseconds / arrivals), unit), .exponential(mean: unit.microseconds / services)
        )
    }

    private mutating func ageEstimate(
        _ arrival: Arrival,
        _ service: Distribution,
        capacity: Int? = nil,
        adjust: (inout Scenario) -> Void
    ) -> Translation {
        let unit = arrival.unit
        let gap = arrival.gap.mean
        guard capacity != nil || service.mean < gap else { return unsteady }
        let plan = QueueLength(gap: gap, service: service.mean, capacity: capacity)
        var scenario = Scenario.queue(
            "age-\(model.replacing("_", with: "-"))",
            sources: [.init(gap: arrival.gap)],
            streams: 1,
            service: service,
            warmUp: TimeSpan(bounded: plan.warmUp),
            length: TimeSpan(bounded: plan.length)
        )
        adjust(&scenario)
        let response: Estimand
        switch quantity {
        case "aoi_mean":
            response = .meanAge(unit)
        case "paoi_mean":
            response = .mean("peak_age_us, mean", unit) { $0[.peakAge] }
        case "P(age>x)":
            scenario.measure.ageOver = [unit.span(parameters.number("x", in: 0...1e9))]
            response = .ratio(
                "age_violation_time_ratio",
                { $0.timeOverAge(threshold: 0) },
                per: { $0.time(.displayedTime) }
            )
        default:
            return unknownQuantity
        }
        return estimate(scenario, response)
    }

    /// Two sources share the sender; the age is that of one of them.
    private mutating func severalSources() -> Translation {
        let own = parameters.positive("lam_i")
        let other = parameters.positive("lam_other")
        let unit = TimeUnit(shortest: min(1 / own, 1 / other, parameters.distribution("service", unit: 1).mean))
        let service = parameters.distribution("service", unit: unit.microseconds)
        guard quantity == "aoi_mean_i" else { return unknownQuantity }
        guard (own + other) * service.mean / unit.microseconds < 1 else { return unsteady }
        let plan = QueueLength(gap: unit.microseconds / (own + other), service: service.mean)
        let scenario = Scenario.queue(
            "age-of-one-source",
            sources: [own, other].map { .init(gap: .exponential(mean: unit.microseconds / $0)) },
            streams: 1,
            service: service,
            warmUp: TimeSpan(bounded: plan.warmUp),
            // The age of a source that rarely sends needs more time.
            length: TimeSpan(bounded: max(plan.length, 500 * unit.microseconds / own))
        )
        let stage = scenario.rides.stages.count - 1
        let response = Estimand.mean("age_of_information_us, mean, scope stage:source-0", unit) {
            $0.ageByStage[stage]
        }
        return estimate(scenario, response)
    }
}
