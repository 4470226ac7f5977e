import LiveActivityModel
import Quantities
import SimulationKernel

/// Retried requests and their budget: a sequence of updates whose requests fail with a probability.
extension Translator {
    mutating func retry() -> Translation {
        switch model {
        case "n_retries":
            retry(
                ParameterRow { parameters, scenario, _ in
                    scenario.sender.attempts = parameters.whole("N", in: 0...30) + 1
                }
            )
        case "retry_bucket":
            // A bucket in whole tenths, or in the case's unit; a retry costs one token.
            retry(
                ParameterRow { parameters, scenario, _ in
                    let cost = parameters.positive("cost_tenths")
                    var budget = Scenario.Budget()
                    budget.capacity = parameters.positive("cap_tenths") / cost
                    budget.perSecond = 0
                    budget.perPush = parameters.number("deposit_tenths", in: 0...1e9) / cost
                    // "More than a retry costs" means at least that plus the smallest possible amount.
                    budget.reserve = parameters.flag("strict", default: false) ? 0.001 : 0
                    scenario.sender.retryBudget = budget
                    scenario.sender.attempts = 31
                }
            )
        default: unknownModel
        }
    }

    private mutating func retry(_ limit: ParameterRow) -> Translation {
        // A request fails by silence. The next update comes when all retries of the previous one are over.
        var scenario = scenario(
            model.replacing("_", with: "-"),
            [
                limit, .fixed(\.sender.timeout, .seconds(1)),
                .fixed(\.faults, [.init(kind: .apnsSilent, at: .zero, duration: .zero)]),
                .share("f", \.faults[0].share),
            ]
        )
        // If the budget earns about as much as is spent, its level is a random walk whose variance is about the share
        // of failures per update. It forgets its full initial state after the square of its height divided by that
        // variance.
        let height = (scenario.sender.retryBudget?.capacity ?? 0) + 1
        let variance = max(scenario.faults[0].share.fraction, 0.01)
        let relaxation = min(scenario.sender.retryBudget == nil ? 1 : height * height / variance, 100_000)
        let warmUp = Int64(8 * relaxation) + 200
        let updates = Int64(max(2000, 10 * relaxation))
        let gap = TimeSpan.seconds(Int64(scenario.sender.attempts) + 2)
        scenario.content.refresh = .constant(Double(gap.microseconds))
        scenario.setSteadyState(warmUp: gap * warmUp - .seconds(1), length: gap * updates)
        scenario.faults[0].duration = scenario.clock.duration
        return estimate(scenario, retryResponse)
    }

    private var retryResponse: Estimand? {
        func perFirst(_ metric: String, _ counter: Counter) -> Estimand {
            .ratio(
                "\(metric) / (pushes_offered_count - pushes_offered_count attempt:repeat)",
                { $0[counter] },
                per: { $0[.pushesOffered] - $0[.repeatsOffered] }
            )
        }
        return switch quantity {
        case "success": perFirst("apns_response_count status:200", .responsesAccepted)
        case "load": perFirst("pushes_sent_count kind:update", .updatesSent)
        default: nil
        }
    }
}
