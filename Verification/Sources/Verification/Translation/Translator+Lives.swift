import LiveActivityModel
import Quantities
import SimulationKernel

/// Whole lives: early ends after a start, end events that succeed, and the time between.
extension Translator {
    /// End events that each succeed with a probability.
    mutating func ends() -> Translation {
        let unit = TimeUnit.second
        let delivered = parameters.probability("qe")
        let tries = parameters.whole("k", in: 1...20)
        var scenario = Scenario.episodes("ends", count: Self.episodeCount, longest: unit.span(Double(tries) + 2))
        scenario.apns.loss = Probability(1 - delivered)
        scenario.monitor.recoveryWindow = unit.span(1)
        scenario.monitor.endSchedule = (0..<tries).map { unit.span(Double($0)) }
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
        let unit = TimeUnit.second
        let never = parameters.probability("eps")
        let upload = parameters.positive("upload_mean")
        let pause = parameters.number("h", in: 0...1e6)
        let pushes = parameters.whole("K", in: 0...100)
        let delivered = parameters.probability("q")
        let latency = parameters.distribution("latency", unit: unit.microseconds)
        let limit = parameters.positive("X")
        var scenario = Scenario.bare("start-kill")
        scenario.rides.arrivals.ratesPerHour = [Self.episodeCount]
        scenario.clock.drain = unit.span(limit + 1)
        scenario.clock.window = scenario.clock.duration + scenario.clock.drain
        scenario.devices.initialContentLimit = unit.span(limit)
        scenario.devices.token.never = Probability(never)
        scenario.devices.token.delay = .exponential(mean: upload * unit.microseconds)
        scenario.apns.loss = Probability(1 - delivered)
        scenario.apns.latency = latency
        // Content that is never fresh: the monitor begins its attempts as soon as it has a token.
        scenario.content.ttl = .zero
        scenario.monitor.retry.setSchedule((0..<pushes).map { unit.span(Double($0) * pause) })
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
        let unit = TimeUnit.second
        let ttl = parameters.number("TTL", in: 0...1e6)
        let limit = parameters.number("S", in: 0...1e6)
        let pause = parameters.positive("h")
        let latency = parameters.distribution("latency", unit: unit.microseconds)
        let window = parameters.positive("V")
        let attempts = parameters.whole("R", in: 0...100)
        let delivered = parameters.probability("q")
        // The lengths of lives are geometric; one in e^40 is truncated.
        let cycles = 40 / repeatedly(1 - delivered, attempts)
        var scenario = Scenario.bare("lifetime")
        scenario.setLives(count: Self.episodeCount / 4, longest: unit.span((ttl + limit + window) * (cycles + 40)))
        scenario.content.ttl = unit.span(ttl)
        scenario.apns.loss = Probability(1 - delivered)
        scenario.apns.latency = latency
        scenario.monitor.freshLimit = unit.span(limit)
        scenario.monitor.recoveryWindow = unit.span(window)
        scenario.monitor.retry.setSchedule((0..<attempts).map { unit.span(Double($0) * pause) })
        return estimate(scenario, lifeResponse(unit))
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
