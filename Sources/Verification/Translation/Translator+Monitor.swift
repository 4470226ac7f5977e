import FreshnessCore
import LiveActivityModel
import Quantities
import RandomStreams

/// The Freshness Monitor in one episode of staleness, and what precedes and follows it.
extension Translator {
    /// So many episodes make a replication.
    private static var episodes: Double { 1000 }

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

    /// Retries at fixed offsets after the lapse, the decision at the deadline.
    private mutating func deadline() -> Translation {
        let unit = TimeUnit.second
        let latency = parameters.distribution("latency", unit: unit.microseconds)
        let offsets = parameters.numbers("retry_offsets", in: 0...1e6, count: 0...100)
        let window = parameters.positive("V")
        let delivered = parameters.probability("q")
        var scenario = Scenario.episodes("deadline", count: Self.episodes, longest: unit.span(window + 1))
        scenario.apns.latency = latency
        scenario.apns.loss = Probability(1 - delivered)
        scenario.monitor.recoveryWindow = unit.span(window)
        scenario.monitor.retry.schedule = offsets.isEmpty ? nil : offsets.map(unit.span)
        scenario.monitor.retry.maxAttempts = offsets.count
        return episodeEstimate(scenario, unit)
    }

    /// The same by periodic scans: the lapse is uniform in the scan's phase, because activities start at random instants.
    private mutating func scan() -> Translation {
        let unit = TimeUnit.second
        let latency = parameters.distribution("latency", unit: unit.microseconds)
        let interval = parameters.positive("D")
        let window = parameters.positive("V")
        let attempts = parameters.whole("R", in: 0...100)
        let delivered = parameters.probability("q")
        var scenario = Scenario.episodes("scan", count: Self.episodes, longest: unit.span(window + 2 * interval))
        scenario.apns.latency = latency
        scenario.apns.loss = Probability(1 - delivered)
        scenario.monitor.scanInterval = unit.span(interval)
        scenario.monitor.recoveryWindow = unit.span(window)
        // Due as often as scans come: each scan finds one attempt due.
        scenario.monitor.retry.schedule = attempts == 0 ? nil : (0..<attempts).map { unit.span(Double($0) * interval) }
        scenario.monitor.retry.maxAttempts = attempts
        return episodeEstimate(scenario, unit)
    }

    /// Attempts of which each finds the token dead by chance.
    private mutating func deadTokens() -> Translation {
        let unit = TimeUnit.second
        let delivered = parameters.probability("q")
        let dead = parameters.probability("g")
        let attempts = parameters.whole("R", in: 0...100)
        guard delivered + dead <= 1 else { return .notExpressible("q + g exceeds 1") }
        var scenario = Scenario.episodes("dead-tokens", count: Self.episodes, longest: unit.span(Double(attempts) + 2))
        scenario.setAttemptsEverySecond(attempts)
        scenario.apns.reasons = [.init(reason: .unregistered, share: Probability(dead))]
        scenario.apns.loss = Probability(dead < 1 ? (1 - delivered - dead) / (1 - dead) : 0)
        return episodeEstimate(scenario, unit)
    }

    /// One attempt at once, then attempts as a Poisson process until the window ends.
    private mutating func poissonRetries() -> Translation {
        let unit = TimeUnit.second
        let rate = parameters.positive("theta")
        let delivered = parameters.probability("q")
        let window = parameters.positive("V")
        var scenario = Scenario.episodes("poisson-retries", count: Self.episodes, longest: unit.span(window + 1))
        scenario.apns.loss = Probability(1 - delivered)
        scenario.monitor.recoveryWindow = unit.span(window)
        scenario.monitor.retry.setPauses(base: unit.span(1 / rate), factor: 1, cap: unit.span(1 / rate))
        scenario.monitor.retry.maxAttempts = nil
        scenario.monitor.retry.jitter = .exponential
        return episodeEstimate(scenario, unit)
    }

    /// Pauses uniform between nothing and an exponential backoff.
    private mutating func fullJitter() -> Translation {
        let unit = TimeUnit.second
        let delivered = parameters.probability("q")
        let base = parameters.positive("base")
        let cap = parameters.positive("cap")
        let attempts = parameters.whole("R", in: 0...100)
        let window = parameters.positive("V")
        var scenario = Scenario.episodes("full-jitter", count: Self.episodes, longest: unit.span(window + 1))
        scenario.apns.loss = Probability(1 - delivered)
        scenario.monitor.recoveryWindow = unit.span(window)
        scenario.monitor.retry.setPauses(base: unit.span(min(base, cap)), factor: 2, cap: unit.span(cap))
        scenario.monitor.retry.maxAttempts = attempts
        scenario.monitor.retry.jitter = .full
        return episodeEstimate(scenario, unit)
    }

    /// The server learns only what APNs accepts, and stops at the first acceptance.
    private mutating func silentlyStale() -> Translation {
        let unit = TimeUnit.second
        let accepted = parameters.probability("a")
        let delivered = parameters.probability("qd")
        let attempts = parameters.whole("R", in: 1...100)
        var scenario = Scenario.episodes(
            "silently-stale",
            count: 10 * Self.episodes,
            longest: unit.span(Double(attempts) + 2)
        )
        scenario.setAttemptsEverySecond(attempts)
        scenario.monitor.feedback = .acceptance
        scenario.apns.reasons = [.init(reason: .internalServerError, share: Probability(1 - accepted))]
        scenario.apns.loss = Probability(1 - delivered)
        return episodeEstimate(scenario, unit)
    }

    private func episodeEstimate(_ scenario: Scenario, _ unit: TimeUnit) -> Translation {
        guard let response = episodeResponse(unit) else { return unknownQuantity }
        return .estimate(Experiment(scenario: scenario, response: response, replications: 16))
    }

    private func episodeResponse(_ unit: TimeUnit) -> Response? {
        func share(_ metric: String, _ count: @escaping @Sendable (Measurements) -> Int64) -> Response {
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
                { $0.times.recoverable },
                per: { $0[.episodesBegun] }
            )
        default: nil
        }
    }

    // MARK: - Before and after

    /// End events, of which each gets through by chance.
    private mutating func ends() -> Translation {
        let unit = TimeUnit.second
        let delivered = parameters.probability("qe")
        let tries = parameters.whole("k", in: 1...20)
        var scenario = Scenario.episodes("ends", count: Self.episodes, longest: unit.span(Double(tries) + 2))
        scenario.apns.loss = Probability(1 - delivered)
        scenario.monitor.recoveryWindow = unit.span(1)
        scenario.monitor.endSchedule = (0..<tries).map { unit.span(Double($0)) }
        guard quantity == "P_token_invalidated" else { return unknownQuantity }
        let response = Response.ratio(
            "token_invalidated_count / ended_severe_count",
            { $0[.tokensInvalidated] },
            per: { $0[.episodesEndedSevere] }
        )
        return .estimate(Experiment(scenario: scenario, response: response, replications: 16))
    }

    /// An activity that ends itself when no push has followed its first content in time.
    private mutating func startKill() -> Translation {
        let unit = TimeUnit.second
        let never = parameters.probability("eps")
        let upload = parameters.positive("upload_mean")
        let pause = parameters.number("h", in: 0...1e6)
        let pushes = parameters.whole("K", in: 0...100)
        let delivered = parameters.probability("q")
        let latency = parameters.distribution("latency", unit: unit.microseconds)
        let limit = parameters.positive("X")
        var scenario = Scenario.bare("start-kill")
        scenario.rides.arrivals.ratesPerHour = [Self.episodes]
        scenario.clock.drain = unit.span(limit + 1)
        scenario.clock.window = scenario.clock.duration + scenario.clock.drain
        scenario.devices.initialContentLimit = unit.span(limit)
        scenario.devices.token.never = Probability(never)
        scenario.devices.token.delay = .exponential(mean: upload * unit.microseconds)
        scenario.apns.loss = Probability(1 - delivered)
        scenario.apns.latency = latency
        // Content that is never fresh: the monitor begins its attempts as soon as it has a token.
        scenario.content.ttl = .zero
        scenario.monitor.retry.schedule = pushes == 0 ? nil : (0..<pushes).map { unit.span(Double($0) * pause) }
        scenario.monitor.retry.maxAttempts = pushes
        guard quantity == "P_kill" else { return unknownQuantity }
        let response = Response.ratio(
            "activities_ended_count reason:no_token, token_not_posted, no_update / activities_started_count",
            { $0[.endedNoToken] + $0[.endedTokenNotPosted] + $0[.endedNoUpdate] },
            per: { $0[.activitiesStarted] }
        )
        return .estimate(Experiment(scenario: scenario, response: response, replications: 16))
    }

    /// An instance that lives on retries alone, until one episode finds none that works.
    private mutating func lifetime() -> Translation {
        let unit = TimeUnit.second
        let ttl = parameters.number("TTL", in: 0...1e6)
        let limit = parameters.number("S", in: 0...1e6)
        let pause = parameters.positive("h")
        let latency = parameters.distribution("latency", unit: unit.microseconds)
        let window = parameters.positive("V")
        let attempts = parameters.whole("R", in: 0...100)
        let delivered = parameters.probability("q")
        // Lives are geometric in length; one in e^40 is cut off.
        let cycles = 40 / repeatedly(1 - delivered, attempts)
        var scenario = Scenario.bare("lifetime")
        scenario.setLives(count: Self.episodes / 4, longest: unit.span((ttl + limit + window) * (cycles + 40)))
        scenario.content.ttl = unit.span(ttl)
        scenario.apns.loss = Probability(1 - delivered)
        scenario.apns.latency = latency
        scenario.monitor.freshLimit = unit.span(limit)
        scenario.monitor.recoveryWindow = unit.span(window)
        scenario.monitor.retry.schedule = attempts == 0 ? nil : (0..<attempts).map { unit.span(Double($0) * pause) }
        scenario.monitor.retry.maxAttempts = attempts
        guard let response = lifeResponse(unit) else { return unknownQuantity }
        return .estimate(Experiment(scenario: scenario, response: response, replications: 16))
    }

    /// What is asked of whole lives, up to the decision to end them.
    func lifeResponse(_ unit: TimeUnit) -> Response? {
        func perLife(_ metric: String, _ count: @escaping @Sendable (Measurements) -> Int64) -> Response {
            .ratio("\(metric) / ended_severe_count", count, per: { $0[.episodesEndedSevere] })
        }
        let alive = "numerators of (fresh_time_ratio + recoverable_time_ratio)"
        return switch quantity {
        case "E_recoveries": perLife("recovered_count") { $0[.episodesRecovered] }
        case "E_pushes", "E_retries": perLife("pushes_sent_count kind:retry") { $0[.retriesSent] }
        case "E_regular_pushes": perLife("pushes_sent_count kind:update") { $0[.updatesSent] }
        case "E_lifetime":
            .time(
                "\(alive) / ended_severe_count",
                unit,
                { $0.times.fresh + $0.times.recoverable },
                per: { $0[.episodesEndedSevere] }
            )
        case "E_stale_time":
            .time(
                "numerator of recoverable_time_ratio / ended_severe_count",
                unit,
                { $0.times.recoverable },
                per: { $0[.episodesEndedSevere] }
            )
        case "fraction_fresh":
            .ratio(
                "numerator of fresh_time_ratio / \(alive)",
                { $0.times.fresh },
                per: { $0.times.fresh + $0.times.recoverable }
            )
        case "fraction_stale":
            .ratio(
                "numerator of recoverable_time_ratio / \(alive)",
                { $0.times.recoverable },
                per: { $0.times.fresh + $0.times.recoverable }
            )
        default: nil
        }
    }

    /// A probability to a whole power.
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
    /// Attempts a second apart, and the decision a second after the last.
    fileprivate mutating func setAttemptsEverySecond(_ attempts: Int) {
        monitor.retry.schedule = attempts == 0 ? nil : (0..<attempts).map { .seconds(Int64($0)) }
        monitor.retry.maxAttempts = attempts
        monitor.recoveryWindow = .seconds(Int64(attempts) + 1)
    }

    /// Activities that start at random within an hour and are followed to the end of their lives.
    mutating func setLives(count: Double, longest: TimeSpan) {
        rides.arrivals.ratesPerHour = [count]
        clock.drain = longest
        clock.window = clock.duration + longest
    }
}

extension Scenario.Retry {
    /// Attempts by backoff.
    mutating func setPauses(base: TimeSpan, factor: Double, cap: TimeSpan) {
        schedule = nil
        backoff.base = base
        backoff.factor = factor
        backoff.cap = cap
    }
}
