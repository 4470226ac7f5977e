import LiveActivityModel
import Quantities
import SimulationKernel

/// Whole lives: early ends after a start, end events that succeed, and the time between.
extension Translator {
    /// End events that each succeed with a probability.
    mutating func ends() -> Translation {
        let tries = parameters.whole("k", in: 1...20)
        var scenario = scenario("ends", [.complement("qe", \.apns.loss)])
        scenario.setEpisodes(longest: .seconds(Int64(tries) + 2))
        scenario.monitor.recoveryWindow = .seconds(1)
        scenario.monitor.endSchedule = (0..<tries).map { .seconds(Int64($0)) }
        guard quantity == "P_token_invalidated" else { return unknownQuantity }
        let response = Estimand.ratio(
            "token_invalidated_count / ended_severe_count",
            { $0[.tokensInvalidated] },
            per: { $0[.episodesEndedSevere] }
        )
        return estimate(scenario, response)
    }

    /// An activity that ends when no push has followed its first content in time.
    mutating func startKill() -> Translation {
        var scenario = scenario(
            "start-kill",
            [
                .share("eps", \.devices.token.never), .distribution(.mean("upload_mean"), \.devices.token.delay),
                .attempts("K", every: "h", in: 0...1e6), .complement("q", \.apns.loss),
                .distribution("latency", \.apns.latency), .time("X", \.devices.initialContentLimit),
            ]
        )
        scenario.rides.arrivals.ratesPerHour = [Self.episodeCount]
        scenario.clock.drain = (scenario.devices.initialContentLimit ?? .zero) + .seconds(1)
        scenario.clock.window = scenario.clock.duration + scenario.clock.drain
        // Content that is never fresh: the monitor begins its attempts as soon as it has a token.
        scenario.content.ttl = .zero
        guard quantity == "P_kill" else { return unknownQuantity }
        let response = Estimand.ratio(
            "activities_ended_count reason:no_token, token_not_posted, no_update / activities_started_count",
            { $0[.endedNoToken] + $0[.endedTokenNotPosted] + $0[.endedNoUpdate] },
            per: { $0[.activitiesStarted] }
        )
        return estimate(scenario, response)
    }

    /// An instance that is sustained by retries alone, until an episode in which all of them fail.
    mutating func lifetime() -> Translation {
        var scenario = scenario(
            "lifetime",
            [
                .time("TTL", \.content.ttl, in: 0...1e6), .time("S", \.monitor.freshLimit, in: 0...1e6),
                .attempts("R", every: "h"), .distribution("latency", \.apns.latency),
                .time("V", \.monitor.recoveryWindow), .complement("q", \.apns.loss),
            ]
        )
        // The lengths of lives are geometric; one in e^40 is truncated.
        let cycles = 40 / repeatedly(scenario.apns.loss.fraction, scenario.monitor.retry.maxAttempts ?? 0)
        let cycle = scenario.content.ttl + scenario.monitor.freshLimit + scenario.monitor.recoveryWindow
        scenario.setLives(
            count: Self.episodeCount / 4,
            longest: TimeSpan(bounded: (Double(cycle.microseconds) * (cycles + 40)).rounded())
        )
        return estimate(scenario, lifeResponse(.second))
    }

    /// The response for whole lives, up to the decision to end them.
    func lifeResponse(_ unit: TimeUnit) -> Estimand? {
        func perLife(_ metric: String, _ count: @escaping @Sendable (Measurements) -> Int64) -> Estimand {
            .ratio("\(metric) / ended_severe_count", count, per: { $0[.episodesEndedSevere] })
        }
        let alive = "numerators of (fresh_time_ratio + recoverable_time_ratio)"
        let aliveTime: @Sendable (Measurements) -> Int64 = { $0.time(.freshTime) + $0.time(.recoverableTime) }
        return switch quantity {
        case "E_recoveries": perLife("recovered_count") { $0[.episodesRecovered] }
        case "E_pushes", "E_retries": perLife("pushes_sent_count kind:retry") { $0[.retriesSent] }
        case "E_regular_pushes": perLife("pushes_sent_count kind:update") { $0[.updatesSent] }
        case "E_lifetime":
            .time("\(alive) / ended_severe_count", unit, aliveTime, per: { $0[.episodesEndedSevere] })
        case "E_stale_time":
            .time(
                "numerator of recoverable_time_ratio / ended_severe_count",
                unit,
                { $0.time(.recoverableTime) },
                per: { $0[.episodesEndedSevere] }
            )
        case "fraction_fresh":
            .ratio("numerator of fresh_time_ratio / \(alive)", { $0.time(.freshTime) }, per: aliveTime)
        case "fraction_stale":
            .ratio("numerator of recoverable_time_ratio / \(alive)", { $0.time(.recoverableTime) }, per: aliveTime)
        default: nil
        }
    }

    /// A probability to an integer power.
    func repeatedly(_ probability: Double, _ times: Int) -> Double {
        var (power, square, rest) = (1.0, probability, times)
        while rest > 0 {
            if !rest.isMultiple(of: 2) { power *= square }
            square *= square
            rest /= 2
        }
        return max(1e-12, power)
    }
}

extension Scenario {
    /// Sets activities that start at random within an hour and are followed to the end of their lives.
    mutating func setLives(count: Double, longest: TimeSpan) {
        rides.arrivals.ratesPerHour = [count]
        clock.drain = longest
        clock.window = clock.duration + longest
    }
}
