import Foundation
import FreshnessCore
import LiveActivityModel
import Quantities
import SimulationKernel
import Statistics

/// The sender's queue and rate limiter, compared with queueing theory.
extension Translator {
    mutating func queue() -> Translation {
        switch model {
        case "mmc":
            let (arrivals, services) = rates()
            return queueEstimate(arrivals, mean(1 / services), servers: parameters.whole("c", in: 1...10_000))
        case "mmc_service":
            // The queue is at APNs: all requests are in flight at once, and the responses come when their service ends.
            let (arrivals, services) = rates()
            let servers = parameters.whole("c", in: 1...10_000)
            return queueEstimate(arrivals, mean(1 / services), servers: servers) { scenario, _ in
                var capacity = Scenario.Capacity()
                capacity.servers = servers
                capacity.serviceTime = scenario.sender.requestTime
                scenario.apns.capacity = capacity
                scenario.sender.requestTime = .constant(0)
                scenario.sender.streams = 10_000_000
            }
        case "mg1":
            let arrivals = parameters.positive("lam")
            return queueEstimate(arrivals, { $0.distribution("service", unit: $1) })
        case "erlang_b":
            let load = parameters.positive("a")
            let servers = parameters.whole("c", in: 1...10_000)
            return queueEstimate(load, mean(1), servers: servers, capacity: servers) { scenario, _ in
                scenario.sender.queueLimit = 0
            }
        case "mmck":
            let (arrivals, services) = rates()
            let servers = parameters.whole("c", in: 1...10_000)
            let capacity = parameters.whole("K", in: servers...1_000_000)
            return queueEstimate(arrivals, mean(1 / services), servers: servers, capacity: capacity) { scenario, _ in
                scenario.sender.queueLimit = capacity - servers
            }
        case "erlang_a":
            let (arrivals, services) = rates()
            let patience = parameters.positive("theta")
            let servers = parameters.whole("c", in: 1...10_000)
            // Pushes that lose patience keep the queue as short as additional servers would.
            let crowd = servers + Int(arrivals / patience) + 1
            return queueEstimate(arrivals, mean(1 / services), servers: servers, capacity: crowd) { scenario, unit in
                scenario.sender.patience = .exponential(mean: unit.microseconds / patience)
            }
        case "mm1_d":
            let (arrivals, services) = rates()
            let patience = parameters.positive("tau")
            let crowd = 1 + Int(services * patience)
            return queueEstimate(arrivals, mean(1 / services), capacity: crowd) { scenario, unit in
                scenario.sender.patience = .constant(patience * unit.microseconds)
            }
        case "retrial":
            let (arrivals, services) = rates()
            let retrials = parameters.positive("theta")
            return queueEstimate(arrivals, mean(1 / services), slowness: 1 + services / retrials) { scenario, unit in
                scenario.sender.queueLimit = 0
                scenario.sender.requeueAfter = .exponential(mean: unit.microseconds / retrials)
            }
        case "prio_np": return classes(preempt: .none)
        case "prio_pr": return classes(preempt: .resume)
        case "mtminf": return dailyCycle()
        case "tb_fluid": return tokenBucket(refill: .continuous, excess: .drop)
        case "tb_drip": return tokenBucket(refill: .whole, excess: .drop)
        case "tb_shaper": return tokenBucket(refill: .continuous, excess: .wait)
        default: return unknownModel
        }
    }

    // MARK: - One class

    private typealias Service = (_ parameters: inout Parameters, _ unit: Double) -> Distribution

    /// The arrival and service rates of a Markov queue.
    private mutating func rates() -> (arrivals: Double, services: Double) {
        (parameters.positive("lam"), parameters.positive("mu"))
    }

    private func mean(_ mean: Double) -> Service {
        { _, unit in .exponential(mean: mean * unit) }
    }

    private mutating func queueEstimate(
        _ rate: Double,
        _ service: Service,
        servers: Int = 1,
        capacity: Int? = nil,
        slowness: Double = 1,
        adjust: (inout Scenario, TimeUnit) -> Void = { _, _ in }
    ) -> Translation {
        let unit = TimeUnit(shortest: min(1 / rate, service(&parameters, 1).mean))
        let service = service(&parameters, unit.microseconds)
        let gap = unit.microseconds / rate
        guard capacity != nil || service.mean < gap * Double(servers) else { return unsteady }
        let plan = QueueLength(gap: gap, service: service.mean, servers: servers, capacity: capacity)
        var scenario = Scenario.queue(
            "queue-\(model.replacing("_", with: "-"))",
            sources: [.init(gap: .exponential(mean: gap))],
            streams: servers,
            service: service,
            warmUp: TimeSpan(bounded: plan.warmUp * slowness),
            length: TimeSpan(bounded: plan.length * slowness)
        )
        adjust(&scenario, unit)
        let response = queueResponse(&scenario, unit)
        return estimate(scenario, response)
    }

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
        case "Wq", "E_delay", "Wq_accepted":
            return .mean("send_wait_us, mean", unit) { $0[.sendWait] }
        case "W", "W_accepted":
            // By Little's law: send_time_us omits pushes that are in flight at the end of the run, which biases it
            // against long times.
            return .time(
                "(send_queue_mean_count + send_busy_mean_count) / requests",
                unit,
                { $0[.queuedTime] + $0[.busyTime] },
                per: { $0[.sendWait].count }
            )
        case "L":
            return level("send_queue_mean_count + send_busy_mean_count") { $0[.queuedTime] + $0[.busyTime] }
        case "Lq": return level("send_queue_mean_count") { $0[.queuedTime] }
        case "E_orbit": return level("send_orbit_mean_count") { $0[.orbitTime] }
        case "P_block", "P_loss": return offered("queue_full", .pushesOverQueueLimit)
        case "P_abandon", "P_drop": return offered("expired", .pushesOutOfPatience)
        case "P_accept": return offered("rate_limited", .pushesRateLimited).complement
        default: return nil
        }
    }

    private func waitOver(_ span: TimeSpan, _ scenario: inout Scenario) -> Estimand {
        scenario.measure.waitOver = [span]
        return .ratio("send_wait_over_ratio", { $0[.waitsOver, 0] }, per: { $0[.sendWait].count })
    }

    // MARK: - Several classes

    /// Classes of pushes by rank; class 0 goes first.
    private mutating func classes(preempt: Scenario.Preemption) -> Translation {
        let rates = parameters.positives("lam", count: 1...8)
        let isConstant = parameters.has("D")
        let service = isConstant ? parameters.positive("D") : 1 / parameters.positive("mu")
        guard let total = rates.isEmpty ? nil : rates.reduce(0, +), total * service < 1 else { return unsteady }
        let unit = TimeUnit(shortest: min(1 / total, service))
        let time = service * unit.microseconds
        let plan = QueueLength(gap: unit.microseconds / total, service: time)
        var scenario = Scenario.queue(
            "queue-\(model.replacing("_", with: "-"))",
            sources: rates.enumerated()
                .map { .init(gap: .exponential(mean: unit.microseconds / $0.element), rank: $0.offset) },
            streams: 1,
            service: isConstant ? .constant(time) : .exponential(mean: time),
            warmUp: TimeSpan(bounded: plan.warmUp),
            length: TimeSpan(bounded: plan.length)
        )
        scenario.sender.preempt = preempt
        guard let (name, rank) = classOfQuantity, rank < rates.count else { return unknownQuantity }
        let response: Estimand? =
            switch name {
            case "Wq": .mean("send_wait_us, mean, scope rank:\(rank)", unit) { $0[.sendWait, rank] }
            case "W": .mean("send_time_us, mean, scope rank:\(rank)", unit) { $0[.sendTime, rank] }
            default: nil
            }
        return estimate(scenario, response)
    }

    /// Splits `Wq_class1` into its two parts.
    private var classOfQuantity: (name: Substring, rank: Int)? {
        guard let range = quantity.firstRange(of: "_class"), let rank = Int(quantity[range.upperBound...]), rank >= 0
        else { return nil }
        return (quantity[..<range.lowerBound], rank)
    }

    // MARK: - Token buckets

    /// The rate limit alone: requests take no time, and the bucket gets a token every second.
    private mutating func tokenBucket(refill: TokenBucket.Refill, excess: Scenario.Excess) -> Translation {
        let rate = parameters.positive("lam") / parameters.positive("r")
        let burst = parameters.number("B", in: 1...1e6)
        guard excess == .drop || rate < 1 else { return unsteady }
        let unit = TimeUnit.second
        let plan = QueueLength(
            gap: unit.microseconds / rate,
            service: unit.microseconds,
            capacity: excess == .drop ? Int(burst) + 1 : nil
        )
        var scenario = Scenario.queue(
            "queue-\(model.replacing("_", with: "-"))",
            sources: [.init(gap: .exponential(mean: unit.microseconds / rate))],
            streams: 1,
            service: .constant(0),
            warmUp: TimeSpan(bounded: plan.warmUp + 2 * burst * unit.microseconds),
            length: TimeSpan(bounded: plan.length)
        )
        var limit = Scenario.RateLimit()
        limit.perSecond = 1
        limit.burst = burst
        limit.refill = refill
        limit.excess = excess
        scenario.sender.rateLimit = limit
        // A token comes every second here and every 1/r in the case.
        let scale = quantity == "E_delay" ? parameters.positive("r") : 1
        guard let response = queueResponse(&scenario, unit) else { return unknownQuantity }
        return estimate(scenario, response.divided(by: scale))
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
