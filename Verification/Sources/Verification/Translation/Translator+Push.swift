import LiveActivityModel
import Quantities
import SimulationKernel
import Statistics

/// Open-loop pushes: there is no queue, pushes overtake each other, and the newest content stays on the screen.
extension Translator {
    mutating func push() -> Translation {
        let unit = TimeUnit.second
        let pause: Double
        let refresh: Distribution
        switch model {
        case "push_periodic":
            pause = parameters.positive("T")
            refresh = .constant(pause * unit.microseconds)
        case "push_poisson":
            pause = parameters.positive("rate_inv")
            refresh = .exponential(mean: pause * unit.microseconds)
        default:
            return unknownModel
        }
        let loss = parameters.probability("p")
        let latency = parameters.distribution("latency", unit: unit.microseconds)
        let ttl = parameters.number("TTL", in: 0...1e9)
        let limit = parameters.number("S", in: 0...1e9)
        // The time after which the screen no longer depends on its past: several pushes in a row may be lost or late.
        let memory = ttl + limit + 20 * pause + 20 * latency.mean / unit.microseconds
        var scenario = Scenario.steadyState(
            model.replacing("_", with: "-"),
            refresh: refresh,
            // Whole periods: without losses every period is the same.
            warmUp: unit.span((memory / pause).rounded(.up) * pause),
            length: unit.span(((20 * memory) / pause).rounded(.up) * pause + 1000 * pause)
        )
        scenario.content.ttl = unit.span(ttl)
        scenario.monitor.freshLimit = unit.span(limit)
        scenario.apns.loss = Probability(loss)
        scenario.apns.latency = latency
        guard (20 * memory + 1000 * pause) / pause < Self.mostEvents else { return tooLong }
        return estimate(scenario, pushResponse(unit))
    }

    private func pushResponse(_ unit: TimeUnit) -> Estimand? {
        switch quantity {
        case "fraction_not_fresh = P(age > TTL+S)":
            Estimand.ratio("fresh_time_ratio", { $0.time(.freshTime) }, per: { $0.time(.monitoredTime) }).complement
        case "fraction_past_stale_date = P(age > TTL)":
            .ratio("displayed_stale_time_ratio", { $0.time(.displayedStaleTime) }, per: { $0.time(.displayedTime) })
        case "aoi_mean":
            .meanAge(unit)
        default:
            nil
        }
    }
}

extension Estimand {
    /// The mean age of the content on the screen over time.
    static func meanAge(_ unit: TimeUnit) -> Estimand {
        .mean("age_of_information_us, mean", unit) { $0.age }
    }
}
