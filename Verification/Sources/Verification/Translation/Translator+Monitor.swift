import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel

/// The Freshness Monitor in one episode of staleness, with its preceding and following events.
extension Translator {
    /// The number of episodes in a replication.
    static var episodeCount: Double { 1000 }

    mutating func monitor() -> Translation {
        switch model {
        case "monitor_deadline": deadline()
        case "monitor_scan": scan()
        case "monitor_410": deadTokens()
        case "monitor_poisson_retry": poissonRetries()
        case "monitor_full_jitter": fullJitter()
        case "silent_stale": silentlyStale()
        case "end_within_k": ends()
        case "start_kill": startKill()
        case "lifetime": lifetime()
        default: unknownModel
        }
    }

    // MARK: - One episode

    /// Retries at fixed offsets after the lapse, and the decision at the deadline.
    private mutating func deadline() -> Translation {
        let unit = TimeUnit.second
        let latency = parameters.distribution("latency", unit: unit.microseconds)
        let offsets = parameters.numbers("retry_offsets", in: 0...1e6, count: 0...100)
        let window = parameters.positive("V")
        let delivered = parameters.probability("q")
        var scenario = Scenario.episodes("deadline", count: Self.episodeCount, longest: unit.span(window + 1))
        scenario.apns.latency = latency
        scenario.apns.loss = Probability(1 - delivered)
        scenario.monitor.recoveryWindow = unit.span(window)
        scenario.monitor.retry.setSchedule(offsets.map(unit.span))
        return estimate(scenario, episodeResponse(unit))
    }

    /// Retries by periodic scans: the lapse is uniform in the scan's phase, because activities start at random
    /// instants.
    private mutating func scan() -> Translation {
        let unit = TimeUnit.second
        let latency = parameters.distribution("latency", unit: unit.microseconds)
        let interval = parameters.positive("D")
        let window = parameters.positive("V")
        let attempts = parameters.whole("R", in: 0...100)
        let delivered = parameters.probability("q")
        var scenario = Scenario.episodes("scan", count: Self.episodeCount, longest: unit.span(window + 2 * interval))
        scenario.apns.latency = latency
        scenario.apns.loss = Probability(1 - delivered)
        scenario.monitor.scanInterval = unit.span(interval)
        scenario.monitor.recoveryWindow = unit.span(window)
        // Attempts are due as often as scans come, so each scan finds one attempt due.
        scenario.monitor.retry.setSchedule((0..<attempts).map { unit.span(Double($0) * interval) })
        return estimate(scenario, episodeResponse(unit))
    }

    /// Attempts that each find the token dead with a probability.
    private mutating func deadTokens() -> Translation {
        let unit = TimeUnit.second
        let delivered = parameters.probability("q")
        let dead = parameters.probability("g")
        let attempts = parameters.whole("R", in: 0...100)
        guard delivered + dead <= 1 else { return .notExpressible("q + g exceeds 1") }
        var scenario = Scenario.episodes(
            "dead-tokens",
            count: Self.episodeCount,
            longest: unit.span(Double(attempts) + 2)
        )
        scenario.setAttemptsEverySecond(attempts)
        // An end push would find the token dead as often as an attempt does; the case is about attempts alone.
        scenario.monitor.endSchedule = [scenario.clock.duration + scenario.clock.drain]
        scenario.apns.reasons = [.init(reason: .unregistered, share: Probability(dead))]
        scenario.apns.loss = Probability(dead < 1 ? (1 - delivered - dead) / (1 - dead) : 0)
        return estimate(scenario, episodeResponse(unit))
    }

    /// One immediate attempt, then attempts as a Poisson process until the window ends.
    private mutating func poissonRetries() -> Translation {
        let unit = TimeUnit.second
        let rate = parameters.positive("theta")
        let delivered = parameters.probability("q")
        let window = parameters.positive("V")
        var scenario = Scenario.episodes("poisson-retries", count: Self.episodeCount, longest: unit.span(window + 1))
        scenario.apns.loss = Probability(1 - delivered)
        scenario.monitor.recoveryWindow = unit.span(window)
        scenario.monitor.retry.setPauses(base: unit.span(1 / rate), factor: 1, cap: unit.span(1 / rate))
        scenario.monitor.retry.maxAttempts = nil
        scenario.monitor.retry.jitter = .exponential
        return estimate(scenario, episodeResponse(unit))
    }

    /// Pauses that are uniform between zero and an exponential backoff.
    private mutating func fullJitter() -> Translation {
        let unit = TimeUnit.second
        let delivered = parameters.probability("q")
        let base = parameters.positive("base")
        let cap = parameters.positive("cap")
        let attempts = parameters.whole("R", in: 0...100)
        let window = parameters.positive("V")
        var scenario = Scenario.episodes("full-jitter", count: Self.episodeCount, longest: unit.span(window + 1))
        scenario.apns.loss = Probability(1 - delivered)
        scenario.monitor.recoveryWindow = unit.span(window)
        scenario.monitor.retry.setPauses(base: unit.span(min(base, cap)), factor: 2, cap: unit.span(cap))
        scenario.monitor.retry.maxAttempts = attempts
        scenario.monitor.retry.jitter = .full
        return estimate(scenario, episodeResponse(unit))
    }

    /// The server knows only APNs' acceptances, and stops at the first one.
    private mutating func silentlyStale() -> Translation {
        let unit = TimeUnit.second
        let accepted = parameters.probability("a")
        let delivered = parameters.probability("qd")
        let attempts = parameters.whole("R", in: 1...100)
        var scenario = Scenario.episodes(
            "silently-stale",
            count: 10 * Self.episodeCount,
            longest: unit.span(Double(attempts) + 2)
        )
        scenario.setAttemptsEverySecond(attempts)
        scenario.monitor.feedback = .acceptance
        scenario.apns.reasons = [.init(reason: .internalServerError, share: Probability(1 - accepted))]
        scenario.apns.loss = Probability(1 - delivered)
        return estimate(scenario, episodeResponse(unit))
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

extension Scenario {
    /// Sets attempts a second apart, and the decision a second after the last.
    fileprivate mutating func setAttemptsEverySecond(_ attempts: Int) {
        monitor.retry.setSchedule((0..<attempts).map { .seconds(Int64($0)) })
        monitor.recoveryWindow = .seconds(Int64(attempts) + 1)
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
