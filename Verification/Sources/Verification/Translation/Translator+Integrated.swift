import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel
import Statistics

/// Regular updates and the monitor together, up to the decision to end.
extension Translator {
    mutating func integrated() -> Translation {
        guard model == "integrated" else { return unknownModel }
        var scenario = scenario(
            "integrated",
            [
                .time("x", \.content.ttl), .distribution(.constant("T"), \.content.refresh),
                // Updates have priority 5 and retries priority 10, with different loss probabilities.
                .fixed(\.content.refreshPriority, .considerate), .share("p", \.apns.considerateLoss),
                .complement("q", \.apns.loss), .time("V", \.monitor.recoveryWindow), .attempts("R", every: "h"),
            ]
        )
        let period = Double(scenario.content.refresh?.mean ?? 0)
        let (fresh, window) = (scenario.content.ttl, scenario.monitor.recoveryWindow)
        let loss = scenario.apns.considerateLoss?.fraction ?? 0
        // A life ends when all updates from its last content to the decision are lost, and all retries.
        let death =
            repeatedly(loss, Int((Double((fresh + window).microseconds) / period).rounded(.up)))
            * repeatedly(scenario.apns.loss.fraction, scenario.monitor.retry.maxAttempts ?? 0)
        scenario.setLives(
            count: 50,
            longest: TimeSpan(
                bounded: min(
                    6 * (period + Double(fresh.microseconds)) / death + 40 * Double((fresh + window).microseconds),
                    1e14
                )
                .rounded()
            )
        )
        // In these cases an attempt that is due exactly at the decision is not made; the product would make it.
        scenario.monitor.retry.setSchedule((scenario.monitor.retry.schedule ?? []).filter { $0 < window })
        return estimate(scenario, lifeResponse(.second))
    }
}
