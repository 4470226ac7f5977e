import LiveActivityModel
import Quantities
import SimulationKernel
import Statistics

/// Open-loop pushes: there is no queue, pushes overtake each other, and the newest content stays on the screen.
extension Translator {
    mutating func push() -> Translation {
        switch model {
        case "push_periodic": push(.constant("T"))
        case "push_poisson": push(.mean("rate_inv"))
        case "push_periodic_eta": push(.constant("T"), drift: parameters.number("drift", in: -1...1))
        default: unknownModel
        }
    }

    /// - Parameter drift: The drift of an estimate that changes each second; nil for content without an estimate.
    private mutating func push(_ pauses: ParameterRow.Times, drift: Double? = nil) -> Translation {
        var scenario = scenario(
            model.replacing("_", with: "-"),
            [
                .distribution(pauses, \.content.refresh), .share("p", \.apns.loss),
                .distribution("latency", \.apns.latency), .time("TTL", \.content.ttl, in: 0...1e9),
                .time("S", \.monitor.freshLimit, in: 0...1e9),
            ]
        )
        if let drift {
            var eta = Scenario.ETA()
            (eta.step, eta.drift, eta.timer) = (.seconds(1), drift, true)
            scenario.content.eta = eta
        }
        let pause = scenario.content.refresh?.mean ?? 0
        let limit = Double((scenario.content.ttl + scenario.monitor.freshLimit).microseconds)
        // The time after which the screen no longer depends on its past: several pushes in a row may be lost or late.
        let memory = limit + 20 * pause + 20 * scenario.apns.latency.mean
        guard (20 * memory + 1000 * pause) / pause < Self.mostEvents else { return tooLong }
        // Whole periods: without losses every period is the same.
        scenario.setSteadyState(
            warmUp: TimeSpan(bounded: ((memory / pause).rounded(.up) * pause).rounded()),
            length: TimeSpan(bounded: ((20 * memory / pause).rounded(.up) * pause + 1000 * pause).rounded())
        )
        return estimate(scenario, pushResponse)
    }

    private var pushResponse: Estimand? {
        switch quantity {
        case "fraction_not_fresh = P(age > TTL+S)":
            Estimand.ratio("fresh_time_ratio", { $0.time(.freshTime) }, per: { $0.time(.monitoredTime) }).complement
        case "fraction_past_stale_date = P(age > TTL)":
            .ratio("displayed_stale_time_ratio", { $0.time(.displayedStaleTime) }, per: { $0.time(.displayedTime) })
        case "aoi_mean":
            .meanAge(.second)
        case "eta_error_mean" where model == "push_periodic_eta":
            .mean("eta_error_us, mean", .second) { $0.etaError() }
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
