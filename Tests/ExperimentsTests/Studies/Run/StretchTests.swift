import LiveActivityModel
import Quantities
import SimulationKernel
import Testing

@testable import Evaluation
@testable import Studies

/// Parts of a run, measured by running its beginning again and compared with the run's own figures.
@Suite("Parts of a run")
struct StretchTests {
    /// A scenario without randomness, so that many events coincide with the ends of windows.
    private static var punctual: Scenario {
        var scenario = Scenario()
        scenario.clock.duration = .minutes(40)
        scenario.clock.drain = .minutes(20)
        scenario.clock.window = .minutes(5)
        scenario.rides.arrivals.process = .even
        scenario.rides.arrivals.count = 40
        scenario.rides.arrivals.spread = .minutes(40)
        scenario.rides.stages = [
            Scenario.Stage(name: "matching", duration: .constant(60e6)),
            Scenario.Stage(name: "on_trip", duration: .constant(9 * 60e6)),
        ]
        scenario.content.ttl = .seconds(90)
        scenario.content.refresh = .constant(60e6)
        scenario.apns.latency = .constant(1e6)
        scenario.sender.requestTime = .constant(1e6)
        scenario.faults = [.init(kind: .apnsSilent, at: .minutes(15), duration: .minutes(5))]
        scenario.cells = 2
        return scenario
    }

    /// A scenario with randomness everywhere: offline phones, swipes, losses, budgets, waits.
    private static var busy: Scenario {
        var scenario = Scenario.smallPoisson
        scenario.clock.warmUp = .minutes(5)
        scenario.clock.window = .minutes(5)
        scenario.clock.drain = .minutes(30)
        scenario.devices.connectivity.online = .exponential(mean: 300e6)
        scenario.devices.connectivity.offline = .exponential(mean: 60e6)
        scenario.devices.swipe.share = Probability(0.1)
        scenario.devices.swipe.after = .exponential(mean: 200e6)
        scenario.apns.loss = Probability(0.05)
        scenario.sender.requestTime = .exponential(mean: 2e6)
        scenario.sender.streams = 1
        scenario.measure.ageOver = [.seconds(30)]
        scenario.measure.waitOver = [.seconds(2)]
        scenario.cells = 3
        return scenario
    }

    private static func run(
        _ scenario: Scenario,
        _ stretches: [Range<TimeSpan>],
        replications: Int = 2
    ) async throws -> RunResult {
        let engine = RunEngine(world: try ScenarioLoader.world(scenario), replications: replications, jobs: 1)
        return try await engine.run(progress: RunProgress(), measuring: stretches)
    }

    /// Metrics that count waiting pushes: at the end of a part with the wait until then, in the whole run with the full
    /// wait.
    private static let waits = ["send_wait_us", "not_sent_ratio"]

    @Test("A part measured separately agrees with the time series of its windows", arguments: [0, 1])
    func asTheTimeSeries(index: Int) async throws {
        let scenario = [Self.punctual, Self.busy][index]
        let windows: [Range<Int>] = [1..<4, 3..<5, 2..<12]
        let stretches = windows.map {
            TimeSpan.minutes(5 * Int64($0.lowerBound)) ..< .minutes(5 * Int64($0.upperBound))
        }
        let result = try await Self.run(scenario, stretches)
        for (window, stretch) in zip(windows, result.stretches) {
            for metric in MetricCatalog(of: scenario).metrics {
                guard let part = metric.over(windows: window), !Self.waits.contains(metric.name) else { continue }
                let expected = SummarySource([part], of: result).rows[0]
                    .map { [$0.value?.double, $0.interval?.lowerBound] }
                let measured = SummarySource([metric], of: stretch.result).rows[0]
                    .map { [$0.value?.double, $0.interval?.lowerBound] }
                #expect(measured == expected, "\(metric.name) \(metric.scope) \(window)")
            }
        }
    }

    @Test("Totals and counts of all metrics add up over parts to those of the run", arguments: [0, 1])
    func addUp(index: Int) async throws {
        let scenario = [Self.punctual, Self.busy][index]
        let end = scenario.clock.duration + scenario.clock.drain
        let cuts = [scenario.clock.warmUp, .minutes(17), .minutes(22) + .seconds(1), .minutes(45), end]
        let stretches = zip(cuts, cuts.dropFirst()).map { $0.0..<$0.1 }
        let result = try await Self.run(scenario, stretches)
        var compared = 0
        for metric in MetricCatalog(of: scenario).metrics {
            // Levels at the ends of a part are not totals.
            if metric.isOfHistory || metric.name.contains("_live_at_") || metric.scope.hasSuffix("_at_end") { continue }
            // An activity counts in each part in which a screen shows it. The outcome of a push counts in the part with
            // both its sending and its outcome.
            if metric.name.hasPrefix("activity_") && metric.name != "activity_lifetime_us" { continue }
            // A life across a cut is complete in no part.
            if metric.name == "pushes_per_activity" || Self.waits.contains(metric.name) { continue }
            if ["send_time_us", "apns_response_count", "push_fate_count"].contains(metric.name) { continue }
            for statistic in metric.statistics where ["total", "count", "numerator"].contains(statistic.name) {
                func value(_ result: RunResult) -> Double {
                    SummarySource([metric], of: result).rows[0].first { $0.stat == statistic.name }?.value?.double ?? 0
                }
                let sum = result.stretches.reduce(0) { $0 + value($1.result) }
                #expect(sum == value(result), "\(metric.name) \(metric.scope) \(statistic.name)")
                compared += 1
            }
        }
        #expect(compared > 0)
    }

    @Test("A response has a value over any part of the run, and an interval if the whole has one")
    func responses() async throws {
        let scenario = Self.busy
        let texts = [
            "age_of_information_us{stage:on_trip}.p95@20m..40m", "send_wait_us.p99@7m..12m30s",
            "displayed_fresh_time_ratio@7m..12m30s", "live_activities_peak_count@20m..40m",
        ]
        let responses = try texts.map { try Response(parsing: $0).resolve(in: scenario) }
        #expect(try Response(parsing: "fresh_time_ratio@20m..40m").resolve(in: scenario).stretch == nil)
        let stretches = responses.compactMap(\.stretch)
        #expect(stretches.count == 4)
        let result = try await Self.run(scenario, stretches)
        #expect(result.stretches.count == 2)
        for response in responses {
            let row = try #require(response.row(in: result))
            #expect(row.value != nil, "\(response.text)")
            #expect(response.row(in: result, replication: 1)?.value != nil, "\(response.text)")
            #expect(response.text == response.response.text || texts.contains(response.text))
        }
        let fresh = try #require(responses[2].row(in: result))
        #expect(fresh.gap == nil ? fresh.n == 2 : fresh.interval == nil)
        #expect(responses.map(\.text) == texts)
        // The whole run is a part of itself.
        let end = scenario.clock.duration + scenario.clock.drain
        let whole = try await Self.run(scenario, [scenario.clock.warmUp..<end])
        #expect(whole.stretches[0].result.total == whole.total)
    }
}
