import Foundation
import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel
import Statistics

/// The sender's queue and rate limiter, compared with queueing theory, and the age of information behind the queue.
extension Translator {
    private static let arrivals = ParameterRow.source(.rate("lam"))
    private static let services = ParameterRow.distribution(.rate("mu"), \.sender.requestTime)
    private static let anyService = ParameterRow.distribution("service", \.sender.requestTime)
    private static let servers = ParameterRow.whole("c", \.sender.streams, in: 1...10_000)

    mutating func queue() -> Translation {
        let markov = [Self.arrivals, Self.services]
        switch model {
        case "mmc": return queue(markov + [Self.servers])
        case "mmc_service": return queue(markov + [Self.servers], adjust: Self.moveQueue)
        case "mg1": return queue([Self.arrivals, Self.anyService])
        case "erlang_b":
            let service = ParameterRow { _, scenario, unit in
                scenario.sender.requestTime = .exponential(mean: unit.microseconds)
            }
            return queue([.source(.rate("a")), service, Self.servers, .fixed(\.sender.queueLimit, 0)])
        case "mmck":
            let places = ParameterRow { parameters, scenario, _ in
                let servers = scenario.sender.streams
                scenario.sender.queueLimit = parameters.whole("K", in: servers...1_000_000) - servers
            }
            return queue(markov + [Self.servers, places])
        case "erlang_a": return queue(markov + [Self.servers, .distribution(.rate("theta"), \.sender.patience)])
        case "mm1_d": return queue(markov + [.distribution(.constant("tau"), \.sender.patience)])
        case "retrial":
            let retrials = ParameterRow.distribution(.rate("theta"), \.sender.requeueAfter)
            return queue(markov + [.fixed(\.sender.queueLimit, 0), retrials])
        case "prio_np", "prio_pr": return classes(preempt: model == "prio_np" ? .none : .resume)
        case "mtminf": return dailyCycle()
        case "tb_fluid": return tokenBucket(refill: .continuous, excess: .drop)
        case "tb_drip": return tokenBucket(refill: .whole, excess: .drop)
        case "tb_shaper": return tokenBucket(refill: .continuous, excess: .wait)
        default: return unknownModel
        }
    }

    mutating func age() -> Translation {
        let markov = [Self.arrivals, Self.services]
        switch model {
        case "fcfs_gg1": return queue([.source("arrival"), Self.anyService])
        case "mm11": return queue(markov + [.fixed(\.sender.queueLimit, 0)])
        case "mm12": return queue(markov + [.fixed(\.sender.queueLimit, 1)])
        case "mm12s": return queue(markov + [.fixed(\.sender.coalesce, true)])
        case "lcfsp": return queue(markov + [.fixed(\.sender.preempt, .replace)])
        case "lcfsp_md1":
            let service = ParameterRow.distribution(.constant("D"), \.sender.requestTime)
            return queue([Self.arrivals, service, .fixed(\.sender.preempt, .replace)])
        case "mm1_loss": return queue(markov + [.share("p", \.apns.loss)])
        // Two sources share the sender; the age is that of the first.
        case "multi_mm1": return queue([.source(.rate("lam_i")), .source(.rate("lam_other")), Self.anyService])
        default: return unknownModel
        }
    }

    // MARK: - Steady states

    /// The sender in its steady state, with the sources, the servers and the limits of rows.
    ///
    /// - Parameter adjust: Changes the scenario after its length is known.
    private mutating func queue(
        _ rows: [ParameterRow],
        in fixed: TimeUnit? = nil,
        adjust: (inout Scenario) -> Void = { _ in }
    ) -> Translation {
        let name = "\(group == "aoi" ? "age" : "queue")-\(model.replacing("_", with: "-"))"
        let rows = [.fixed(\.sender.streams, 1)] + rows
        var draft = self
        let seconds = draft.scenario(name, rows)
        let unit = fixed ?? TimeUnit(shortest: min(seconds.meanGap, seconds.sender.requestTime.mean) / 1e6)
        var scenario = scenario(name, rows, in: unit)
        let (gap, sender) = (scenario.meanGap, scenario.sender)
        // A rate limit is a server that needs a second for each token.
        let service = sender.rateLimit == nil ? sender.requestTime.mean : 1e6
        let capacity = scenario.capacity
        guard scenario.rides.stages.count > 1, capacity != nil || service < gap * Double(sender.streams) else {
            return unsteady
        }
        let plan = QueueLength(gap: gap, service: service, servers: sender.streams, capacity: capacity)
        // The age of a source that rarely sends needs more time.
        let rarest = quantity == "aoi_mean_i" ? 500 * scenario.meanGap(ofSource: 0) : 0
        let slowness = sender.requeueAfter.map { 1 + $0.mean / service } ?? 1
        scenario.setSteadyQueue(
            warmUp: TimeSpan(bounded: plan.warmUp * slowness + 2e6 * (sender.rateLimit?.burst ?? 0)),
            length: TimeSpan(bounded: max(plan.length * slowness, rarest))
        )
        adjust(&scenario)
        let response = queueResponse(&scenario, unit)
        return estimate(scenario, response)
    }

    /// Moves the queue to APNs: all requests are in flight at once, and the responses come when their service ends.
    private static func moveQueue(_ scenario: inout Scenario) {
        var capacity = Scenario.Capacity()
        capacity.servers = scenario.sender.streams
        capacity.serviceTime = scenario.sender.requestTime
        scenario.apns.capacity = capacity
        scenario.sender.requestTime = .constant(0)
        scenario.sender.streams = 10_000_000
    }

    /// Classes of pushes by rank; class 0 goes first.
    private mutating func classes(preempt: Scenario.Preemption) -> Translation {
        let sources = ParameterRow { parameters, scenario, unit in
            for (rank, rate) in parameters.positives("lam", count: 1...8).enumerated() {
                scenario.addSource(gap: .exponential(mean: unit.microseconds / rate), rank: rank)
            }
        }
        let isConstant = parameters.has("D")
        let service = ParameterRow.distribution(isConstant ? .constant("D") : .rate("mu"), \.sender.requestTime)
        return queue([sources, service, .fixed(\.sender.preempt, preempt)])
    }

    /// The rate limit alone: requests take no time, and the bucket gets a token every second.
    ///
    /// A token comes every second here and every 1/r in the case.
    private mutating func tokenBucket(refill: TokenBucket.Refill, excess: Scenario.Excess) -> Translation {
        let bucket = ParameterRow { parameters, scenario, unit in
            let rate = parameters.positive("lam") / parameters.positive("r")
            scenario.addSource(gap: .exponential(mean: unit.microseconds / rate))
            var limit = Scenario.RateLimit()
            limit.perSecond = 1
            limit.burst = parameters.number("B", in: 1...1e6)
            limit.refill = refill
            limit.excess = excess
            scenario.sender.rateLimit = limit
        }
        return queue([bucket], in: .second)
    }

    // MARK: - Responses

    private mutating func queueResponse(_ scenario: inout Scenario, _ unit: TimeUnit) -> Estimand? {
        func offered(_ reason: String, _ counter: Counter) -> Estimand {
            .ratio(
                "pushes_not_sent_count reason:\(reason) / pushes_offered_count",
                { $0[counter] },
                per: { $0[.pushesOffered] }
            )
        }
        func level(_ metric: String, _ time: @escaping @Sendable (Measurements) -> Int64) -> Estimand {
            .ratio(metric, time, per: { $0[.measuredTime] })
        }
        switch quantity {
        case "C", "P_wait":
            return waitOver(.zero, &scenario)
        case "P_no_delay":
            return waitOver(.zero, &scenario).complement
        case "P_Wq_gt_1":
            return waitOver(unit.span(1), &scenario)
        case "P(Wq<=t)":
            return waitOver(unit.span(parameters.number("t", in: 0...1e9)), &scenario).complement
        case "aoi_mean":
            return .meanAge(unit)
        case "aoi_mean_i":
            let stage = scenario.rides.stages.count - 1
            return .mean("age_of_information_us, mean, scope stage:source-0", unit) { $0.ageByStage[stage] }
        case "paoi_mean":
            return .mean("peak_age_us, mean", unit) { $0[.peakAge] }
        case "P(age>x)":
            scenario.measure.ageOver = [unit.span(parameters.number("x", in: 0...1e9))]
            return .ratio(
                "age_violation_time_ratio",
                { $0.timeOverAge(threshold: 0) },
                per: { $0.time(.displayedTime) }
            )
        case "E_delay":
            return .mean("send_wait_us, mean", unit) { $0[.sendWait] }
                .divided(by: parameters.has("r") ? parameters.positive("r") : 1)
        case "Wq", "Wq_accepted":
            return .mean("send_wait_us, mean", unit) { $0[.sendWait] }
        case "W", "W_accepted":
            // By Little's law: send_time_us omits pushes that are in flight at the end of the run, which biases it
            // against long times.
            return .time(
                "(send_queue_mean_count + send_busy_mean_count) / requests",
                unit,
                { $0.time(.queuedTime) + $0.time(.busyTime) },
                per: { $0[.sendWait].count }
            )
        case "L":
            return level("send_queue_mean_count + send_busy_mean_count") { $0.time(.queuedTime) + $0.time(.busyTime) }
        case "Lq": return level("send_queue_mean_count") { $0.time(.queuedTime) }
        case "E_orbit": return level("send_orbit_mean_count") { $0.time(.orbitTime) }
        case "P_block", "P_loss": return offered("queue_full", .pushesOverQueueLimit)
        case "P_abandon", "P_drop": return offered("expired", .pushesOutOfPatience)
        case "P_accept": return offered("rate_limited", .pushesRateLimited).complement
        default: return classResponse(scenario, unit)
        }
    }

    private func waitOver(_ span: TimeSpan, _ scenario: inout Scenario) -> Estimand {
        scenario.measure.waitOver = [span]
        return .ratio("send_wait_over_ratio", { $0[.waitsOver, 0] }, per: { $0[.sendWait].count })
    }

    /// The response for one of several classes, such as `Wq_class1`.
    private func classResponse(_ scenario: Scenario, _ unit: TimeUnit) -> Estimand? {
        guard let match = quantity.wholeMatch(of: /(Wq|W)_class([0-9])/), let rank = Int(match.2),
            rank < scenario.rides.stages.count
        else { return nil }
        return match.1 == "Wq"
            ? .mean("send_wait_us, mean, scope rank:\(rank)", unit) { $0[.sendWait, rank] }
            : .mean("send_time_us, mean, scope rank:\(rank)", unit) { $0[.sendTime, rank] }
    }

    // MARK: - A day

    /// The number of live activities at a time of the day, in a city with a daily demand cycle; nothing is ever sent.
    private mutating func dailyCycle() -> Translation {
        let unit = TimeUnit.hour
        let base = parameters.positive("lbar")
        let swing = parameters.number("amp", in: 0...1e9)
        let period = parameters.number("period", in: 0.01...10_000)
        let life = parameters.number("mean", in: 1e-3...10_000)
        let time = parameters.number("t", in: 0...1e6)
        guard quantity == "E_live_instances(t)" else { return unknownQuantity }
        guard swing <= base else { return .notExpressible("rates below zero") }
        let steps = 288
        var scenario = Scenario.bare("daily-cycle")
        scenario.rides.arrivals.rateInterval = unit.span(period / Double(steps))
        // The mean of the sine over each interval, so that the piecewise constant rate yields the same number of rides.
        let cosines = (0...steps).map { cos(2 * Double.pi * Double($0) / Double(steps)) }
        let factor = swing * Double(steps) / (2 * Double.pi)
        scenario.rides.arrivals.ratesPerHour = (0..<steps).map { base + factor * (cosines[$0] - cosines[$0 + 1]) }
        scenario.rides.stages = [.init(name: "ride", duration: .exponential(mean: life * unit.microseconds))]
        scenario.monitor.enabled = false
        let days = 1 + Int((20 * life / period).rounded(.up))
        guard period * Double(days + 5) * unit.microseconds < Double(TimeSpan.longest.microseconds) else {
            return .notExpressible("the run would be too long")
        }
        scenario.clock.warmUp = unit.span(period * Double(days))
        scenario.setLength(unit.span(period * Double(days + 5)))
        // The time of day is a whole number of windows, so that a window begins at that time every day.
        let phase = time.truncatingRemainder(dividingBy: period)
        guard let windows = (1...1440).first(where: { isWhole(phase / period * Double($0)) }) else {
            return .notExpressible("t must be a simple fraction of the period")
        }
        scenario.clock.window = unit.span(period / Double(windows))
        let offset = Int((phase / period * Double(windows)).rounded())
        let places = (days..<(days + 5)).map { $0 * windows + offset }
        let response = Estimand(
            "timeseries.csv, live_at_start, mean over the windows that begin at that time of the day",
            { measurements in places.reduce(0) { $0 + Double(measurements.series[$1, .liveAtStart]) } },
            per: { _ in Double(places.count) }
        )
        return estimate(scenario, response)
    }

    private func isWhole(_ number: Double) -> Bool { abs(number - number.rounded()) < 1e-9 }
}
