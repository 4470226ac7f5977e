import LiveActivityModel
import Quantities
import SimulationKernel

/// Metastable failures: retries keep the queue so long that every response comes too late, even after the trigger is
/// gone.
extension Translator {
    mutating func metastable() -> Translation {
        switch model {
        case "m1_fifo", "m1_policy": outage()
        case "m1_capacity_cut": capacityCut()
        case "m2_monitor_storm": monitorStorm()
        default: unknownModel
        }
    }

    // MARK: - Clients and a server

    /// The beginning of the server's failure, which is the same in all cases.
    private static var begin: Double { 20 }

    /// Evenly spaced updates, retried when no response has come in time, to an APNs that is a queue with one server.
    private mutating func clients(_ unit: TimeUnit) -> (rate: Double, scenario: Scenario) {
        let rate = parameters.positive("lam")
        let server = ParameterRow { parameters, scenario, unit in
            var capacity = Scenario.Capacity()
            capacity.serviceTime = .constant(unit.microseconds / parameters.positive("mu"))
            scenario.apns.capacity = capacity
        }
        var scenario = scenario(
            "metastable",
            [
                .distribution(.interval("lam"), \.content.refresh), server, .fixed(\.sender.streams, 10_000_000),
                .time("tau", \.sender.timeout), .whole("attempts", \.sender.attempts, in: 1...31),
            ],
            in: unit
        )
        scenario.rides.arrivals.process = .even
        scenario.monitor.enabled = false
        return (rate, scenario)
    }

    /// A fault that reduces the server's speed for a time.
    private static func slowServer(to factor: Double, for length: Double, _ unit: TimeUnit) -> Scenario.Fault {
        var fault = Scenario.Fault(kind: .apnsCapacity, at: unit.span(begin), duration: unit.span(length))
        fault.factor = factor
        return fault
    }

    private mutating func outage() -> Translation {
        // Long units: if a queue just empties, a microsecond of rounding in each gap decides.
        let unit = TimeUnit(shortest: 1e-5)
        let (rate, base) = clients(unit)
        var scenario = base
        let length = parameters.positive("outage")
        var run = 800
        if model == "m1_policy" {
            guard setPolicy(parameters.word("policy"), of: &scenario) else {
                return .notExpressible("the policy is none that the product has")
            }
            if parameters.has("T") { run = parameters.whole("T", in: 50...3000) }
        }
        guard rate * Double(run) < Self.mostEvents else { return tooLong }
        scenario.faults = [Self.slowServer(to: 0, for: length, unit)]
        scenario.setLength(unit.span(Double(run)))
        scenario.clock.window = unit.span(1)
        let windows = run
        let response: Estimand
        switch quantity {
        case "goodput_fraction_late":
            let late = (windows - min(100, windows / 2))..<windows
            let wanted = rate * Double(late.count)
            response = Estimand(
                "timeseries.csv, responses_accepted_count, sum over the last 100 windows / (100 x lam)",
                { measurements in
                    late.reduce(0) { $0 + Double(measurements.series[$1, .responsesAccepted]) }
                },
                per: { _ in wanted }
            )
        case "seconds_after_outage_until_goodput_returns":
            let end = Int((Self.begin + length).rounded(.up))
            response = Estimand(
                "timeseries.csv, the first window after the outage with responses_accepted_count above half the arrivals",
                { measurements in
                    let first = (end + 1..<max(end + 1, windows))
                        .first { Double(measurements.series[$0, .responsesAccepted]) > rate / 2 }
                    return first.map { Double($0) - Self.begin - length } ?? .infinity
                },
                per: { _ in 1 }
            )
        default:
            return unknownQuantity
        }
        return .estimate(Study(scenario: scenario, response: response, replications: 1, isDeterministic: true))
    }

    /// Sets the countermeasure by its name in the cases.
    private func setPolicy(_ policy: String, of scenario: inout Scenario) -> Bool {
        if let match = policy.wholeMatch(of: /budget ([0-9.]+) ?% \(cap ([0-9.]+)\)/),
            let percent = Double(match.1), let capacity = Double(match.2)
        {
            var budget = Scenario.Budget()
            budget.capacity = capacity
            budget.perSecond = 0
            budget.perPush = percent / 100
            scenario.sender.retryBudget = budget
            return true
        }
        switch policy {
        case "FIFO", "fifo": return true
        case "LIFO", "lifo": scenario.apns.capacity?.order = .lifo
        case "server drops expired", "drop": scenario.apns.capacity?.dropExpired = true
        case "no retry": scenario.sender.attempts = 1
        default: return false
        }
        return true
    }

    /// The reduction of the server's speed from which it never recovers.
    private mutating func capacityCut() -> Translation {
        guard quantity == "critical_capacity_cut" else { return unknownQuantity }
        let unit = TimeUnit(shortest: 1e-5)
        let (rate, clients) = clients(unit)
        var base = clients
        let length = parameters.number("trigger_s", in: 0.1...1000)
        let windows = Int((Self.begin + length + 80).rounded())
        base.setLength(unit.span(Double(windows)))
        base.clock.window = unit.span(1)
        let scenario = base
        let fewest = 0.05 * rate * 10
        return .threshold(
            ThresholdSearch(
                scenario: { cut in
                    var scenario = scenario
                    scenario.faults = [Self.slowServer(to: ((1 - cut) * 1000).rounded() / 1000, for: length, unit)]
                    return scenario
                },
                hasCollapsed: { measurements in
                    (windows - 10..<windows).reduce(0) { $0 + Double(measurements.series[$1, .responsesAccepted]) }
                        < fewest
                },
                range: 0.05...1,
                precision: 0.002
            )
        )
    }

    // MARK: - Retry storm of the monitor

    /// Many instances share one sender; a pause makes them stale, and their retries keep them stale.
    private mutating func monitorStorm() -> Translation {
        let pauses = ParameterRow { parameters, scenario, unit in
            let pause = unit.span(parameters.positive("h"))
            scenario.monitor.retry.maxAttempts = nil
            scenario.monitor.retry.setPauses(base: pause, factor: 1, cap: pause)
        }
        let kills = parameters.numberOrNothing("kill") != nil
        var scenario = scenario(
            "monitor-storm",
            [
                .whole("N", \.rides.arrivals.count, in: 1...1_000_000), .time("T", \.rides.arrivals.spread),
                .time("TTL", \.content.ttl, in: 0...1e6), .distribution(.constant("T"), \.content.refresh),
                .time("S", \.monitor.freshLimit, in: 0...1e6), pauses, .fixed(\.monitor.endSchedule, [.zero]),
                .fixed(\.sender.streams, 1), .distribution(.interval("C"), \.sender.requestTime),
                .fixed(\.sender.ranks.update, 0), .fixed(\.apns.latencyFrom, .response),
                .fixed(\.faults, [.init(kind: .senderPaused, at: .seconds(300))]),
                .time("outage", \.faults[0].duration),
            ] + (kills ? [.time("kill", \.monitor.recoveryWindow)] : [])
        )
        scenario.rides.arrivals.process = .even
        scenario.sender.coalesce = parameters.flag("coalesce", default: false)
        if parameters.flag("naive", default: false) {
            return .notExpressible("content that is stale already never restarts an episode here")
        }
        scenario.setLength(.seconds(3600))
        scenario.clock.window = .seconds(60)
        guard quantity == "stale_fraction_last_10_min_of_1h" else { return unknownQuantity }
        let all = Double(scenario.rides.arrivals.count) * 600e6
        let response = Estimand(
            "timeseries.csv, recoverable_time_us, sum over the last 10 windows / (instances x 10 minutes)",
            { measurements in (50..<60).reduce(0) { $0 + Double(measurements.series[$1, .recoverableTime]) } },
            per: { _ in all }
        )
        return .estimate(Study(scenario: scenario, response: response, replications: 1, isDeterministic: true))
    }
}
