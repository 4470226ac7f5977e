import LiveActivityModel
import Quantities
import SimulationKernel

/// Retried requests and their budget: a sequence of updates whose requests fail with a probability.
extension Translator {
    mutating func retry() -> Translation {
        let failure = parameters.probability("f")
        let attempts: Int
        var budget: Scenario.Budget?
        switch model {
        case "n_retries":
            attempts = parameters.whole("N", in: 0...30) + 1
        case "retry_bucket":
            attempts = 31
            budget = retryBudget()
        default:
            return unknownModel
        }
        // A request fails by silence. The next update comes when all retries of the previous one are over.
        //
        // If the budget earns about as much as is spent, its level is a random walk whose variance is about the share
        // of failures per update. It forgets its full initial state after the square of its height divided by that
        // variance.
        let height = (budget?.capacity ?? 0) + 1
        let relaxation = min(budget == nil ? 1 : height * height / max(failure, 0.01), 100_000)
        let warmUp = Int64(8 * relaxation) + 200
        let updates = Int64(max(2000, 10 * relaxation))
        let gap = TimeSpan.seconds(Int64(attempts) + 2)
        var scenario = Scenario.bare(model.replacing("_", with: "-"))
        scenario.rides.arrivals.process = .even
        scenario.content.refresh = .constant(Double(gap.microseconds))
        scenario.monitor.enabled = false
        scenario.sender.timeout = .seconds(1)
        scenario.sender.attempts = attempts
        scenario.sender.retryBudget = budget
        scenario.clock.warmUp = gap * warmUp - .seconds(1)
        scenario.setLength(gap * (updates + warmUp) - .seconds(1))
        var fault = Scenario.Fault(kind: .apnsSilent, at: .zero, duration: scenario.clock.duration)
        fault.share = Probability(failure)
        scenario.faults = [fault]
        func perFirst(_ metric: String, _ counter: Counter) -> Estimand {
            .ratio(
                "\(metric) / (pushes_offered_count - pushes_offered_count attempt:repeat)",
                { $0[counter] },
                per: { $0[.pushesOffered] - $0[.repeatsOffered] }
            )
        }
        let response: Estimand? =
            switch quantity {
            case "success": perFirst("apns_response_count status:200", .responsesAccepted)
            case "load": perFirst("pushes_sent_count kind:update", .updatesSent)
            default: nil
            }
        return estimate(scenario, response)
    }

    /// A bucket in whole tenths, or in the case's unit; a retry costs one token.
    private mutating func retryBudget() -> Scenario.Budget {
        let cost = parameters.positive("cost_tenths")
        var budget = Scenario.Budget()
        budget.capacity = parameters.positive("cap_tenths") / cost
        budget.perSecond = 0
        budget.perPush = parameters.number("deposit_tenths", in: 0...1e9) / cost
        // "More than a retry costs" means at least that plus the smallest possible amount.
        budget.reserve = parameters.flag("strict", default: false) ? 0.001 : 0
        return budget
    }
}
