import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel

/// The Freshness Monitor in one episode of staleness, with its preceding and following events.
extension Translator {
    /// The number of episodes in a replication.
    static var episodeCount: Double { 1000 }

    /// The settings that the parameters of most models become.
    private static let latency = ParameterRow.distribution("latency", \.apns.latency)
    private static let window = ParameterRow.time("V", \.monitor.recoveryWindow)
    private static let delivered = ParameterRow.complement("q", \.apns.loss)

    mutating func monitor() -> Translation {
        switch model {
        // Retries at fixed offsets after the lapse, and the decision at the deadline.
        case "monitor_deadline":
            return episodes("deadline", [Self.latency, .attempts(at: "retry_offsets"), Self.window, Self.delivered])
        // Retries by periodic scans: the lapse is uniform in the scan's phase, because activities start at random
        // instants. Attempts are due as often as scans come, so each scan finds one attempt due.
        case "monitor_scan":
            return episodes(
                "scan",
                [
                    Self.latency, .time("D", \.monitor.scanInterval), Self.window, .attempts("R", every: "D"),
                    Self.delivered,
                ]
            )
        case "monitor_410": return deadTokens()
        // One immediate attempt, then attempts as a Poisson process until the window ends.
        case "monitor_poisson_retry":
            let pause = ParameterRow { parameters, scenario, unit in
                let mean = unit.span(1 / parameters.positive("theta"))
                scenario.monitor.retry.setPauses(base: mean, factor: 1, cap: mean)
                scenario.monitor.retry.maxAttempts = nil
                scenario.monitor.retry.jitter = .exponential
            }
            return episodes("poisson-retries", [pause, Self.delivered, Self.window])
        // Pauses that are uniform between zero and an exponential backoff.
        case "monitor_full_jitter":
            let pauses = ParameterRow { parameters, scenario, unit in
                let cap = unit.span(parameters.positive("cap"))
                let base = min(unit.span(parameters.positive("base")), cap)
                scenario.monitor.retry.setPauses(base: base, factor: 2, cap: cap)
                scenario.monitor.retry.maxAttempts = parameters.whole("R", in: 0...100)
                scenario.monitor.retry.jitter = .full
            }
            return episodes("full-jitter", [Self.delivered, pauses, Self.window])
        // The server knows only APNs' acceptances, and stops at the first one.
        case "silent_stale":
            let accepted = ParameterRow { parameters, scenario, _ in
                let refused = Probability(1 - parameters.probability("a"))
                scenario.apns.reasons = [.init(reason: .internalServerError, share: refused)]
                scenario.monitor.feedback = .acceptance
            }
            return episodes(
                "silently-stale",
                [accepted, .complement("qd", \.apns.loss), .attemptsEverySecond("R", in: 1...100)],
                count: 10 * Self.episodeCount
            )
        case "end_within_k": return ends()
        case "start_kill": return startKill()
        case "lifetime": return lifetime()
        default: return unknownModel
        }
    }

    // MARK: - One episode

    /// Activities with one episode each, which is decided at the end of the recovery window or by the next scan.
    private mutating func episodes(_ name: String, _ rows: [ParameterRow], count: Double = episodeCount) -> Translation
    {
        var scenario = scenario(name, rows)
        scenario.setEpisodes(
            count: count,
            longest: scenario.monitor.recoveryWindow + (scenario.monitor.scanInterval.map { $0 * 2 } ?? .seconds(1))
        )
        return estimate(scenario, episodeResponse(.second))
    }

    /// Attempts that each find the token dead with a probability.
    private mutating func deadTokens() -> Translation {
        let delivered = parameters.probability("q")
        let dead = parameters.probability("g")
        guard delivered + dead <= 1 else { return .notExpressible("q + g exceeds 1") }
        var scenario = scenario("dead-tokens", [.attemptsEverySecond("R", in: 0...100)])
        scenario.setEpisodes(longest: scenario.monitor.recoveryWindow + .seconds(1))
        // An end push would find the token dead as often as an attempt does; the case is about attempts alone.
        scenario.monitor.endSchedule = [scenario.clock.duration + scenario.clock.drain]
        scenario.apns.reasons = [.init(reason: .unregistered, share: Probability(dead))]
        scenario.apns.loss = Probability(dead < 1 ? (1 - delivered - dead) / (1 - dead) : 0)
        return estimate(scenario, episodeResponse(.second))
    }

    private func episodeResponse(_ unit: TimeUnit) -> Estimand? {
        func share(_ metric: String, _ count: @escaping @Sendable (Measurements) -> Int64) -> Estimand {
            .ratio("\(metric) / stale_episodes_count", count, per: { $0[.episodesBegun] })
        }
        return switch quantity {
        case "P_end": share("ended_severe_count") { $0[.episodesEndedSevere] }
        case "P_recovered": share("recovered_count") { $0[.episodesRecovered] }
        case "P_token_dead": share("token_discarded_count") { $0[.tokensDiscarded] }
        case "E_pushes": share("pushes_sent_count kind:retry") { $0[.retriesSent] }
        case "P_recovered_on_device": share("push_fate_count fate:shown") { $0[.fateShown] }
        case "P_silently_stale":
            share("(recovered_count - push_fate_count fate:shown)") { $0[.episodesRecovered] - $0[.fateShown] }
        case "E_stale_time":
            .time(
                "numerator of recoverable_time_ratio / stale_episodes_count",
                unit,
                { $0.time(.recoverableTime) },
                per: { $0[.episodesBegun] }
            )
        default: nil
        }
    }
}

extension Scenario.Retry {
    /// Sets attempts at fixed offsets after the lapse.
    mutating func setSchedule(_ offsets: [TimeSpan]) {
        schedule = offsets.isEmpty ? nil : offsets
        maxAttempts = offsets.count
    }

    /// Sets attempts by backoff.
    mutating func setPauses(base: TimeSpan, factor: Double, cap: TimeSpan) {
        schedule = nil
        backoff.base = base
        backoff.factor = factor
        backoff.cap = cap
    }
}
