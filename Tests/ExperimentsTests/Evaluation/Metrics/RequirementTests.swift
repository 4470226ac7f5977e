import LiveActivityModel
import Quantities
import SimulationKernel
import TestSupport
import Testing

@testable import Evaluation
@testable import Results

/// Metrics that a run cannot show because it is too short or because its settings exclude them.
@Suite("Requirements of metrics")
struct RequirementTests {
    /// Half of all pushes are lost, so cards are left over; Apple ends them after eight hours.
    private static func lossy(drain: TimeSpan) -> Scenario {
        var scenario = Scenario.smallPoisson
        scenario.apns.loss = Probability(0.5)
        scenario.clock.drain = drain
        return scenario
    }

    private static let cards = Response(metric: "activities_ended_count", scope: "reason:system_limit")

    @Test("Leftover cards are not measured, instead of 0, in a run that ends before Apple's limit")
    func leftBehind() async throws {
        let short = try await RunResult.running(Self.lossy(drain: .zero), replications: 2)
        let row = try #require(Summary(short).row(Self.cards.metric, "total", scope: Self.cards.scope))
        #expect(row.value == nil && row.interval == nil)
        #expect(row.unmet?.text == "not measured: the run ends before Apple's limit")
        #expect(row.perReplication(2).unmet == row.unmet)
        let long = try await RunResult.running(Self.lossy(drain: .hours(10)), replications: 2)
        let seen = try #require(Summary(long).row(Self.cards.metric, "total", scope: Self.cards.scope))
        #expect(seen.unmet == nil && seen.value?.double ?? 0 > 0)
    }

    @Test("A check of a metric that the run cannot show is not measured, because of its length or its settings")
    func checks() async throws {
        var scenario = Self.lossy(drain: .zero)
        scenario.monitor.enabled = false
        let texts = [
            "activities_ended_count{reason:system_limit} <= 4", "false_kill_count <= 0",
            "severe_time_ratio.numerator <= 0", "false_kill_count > 0",
        ]
        let checks = try texts.map { Check(try Comparison(parsing: $0)) }
        let outcomes = try CheckOutcome.outcomes(of: checks, in: try await RunResult.running(scenario))
        #expect(outcomes.allSatisfy { $0.verdict == .notMeasured && $0.value == nil && $0.interval == nil })
        #expect(
            outcomes.map { $0.unmet?.text } == [
                "not measured: the run ends before Apple's limit", "not measured: the monitor is off",
                "not measured: the monitor is off", "not measured: the monitor is off",
            ]
        )
    }

    @Test("Two runs that cannot show a metric have no verdict on it, with the reason")
    func comparison() async throws {
        let first = try await RunResult.running(Self.lossy(drain: .zero), replications: 2)
        var scenario = Self.lossy(drain: .zero)
        scenario.apns.loss = .never
        let second = try await RunResult.running(scenario, replications: 2)
        let both = try MetricComparison(Self.cards, in: first, and: second, changes: [])
        #expect(both.verdict == .notMeasured && both.isUnjudged && !both.isOpen)
        #expect(both.unmet == .init(reason: "the run ends before Apple's limit", isInBoth: true))
        scenario.monitor.enabled = false
        let unwatched = try await RunResult.running(scenario, replications: 2)
        let one = try MetricComparison(Response(metric: "ended_severe_count"), in: first, and: unwatched, changes: [])
        #expect(one.verdict == .notMeasured && one.isOpen)
        #expect(one.unmet == .init(reason: "B: the monitor is off", isInBoth: false))
    }

    @Test("A threshold longer than the run, a single stage, no warm-up")
    func others() async throws {
        var scenario = Scenario.smallPoisson
        scenario.clock.duration = .minutes(4)
        scenario.clock.drain = .zero
        scenario.measure.ageOver = [.minutes(5)]
        scenario.rides.stages = [Scenario.Stage(name: "trip", duration: .constant(60e6))]
        let summary = Summary(try await RunResult.running(scenario))
        func text(_ metric: String, _ stat: String, scope: String = "all") -> String? {
            summary.row(metric, stat, scope: scope)?.unmet?.text
        }
        #expect(
            text("age_violation_time_ratio", "ratio", scope: "over:5m")
                == "not measured: the run is no longer than that"
        )
        #expect(text("wrong_stage_time_ratio", "ratio") == "not measured: rides have one stage")
        #expect(text("activities_live_at_start_count", "total") == "not measured: there is no warm-up")
        #expect(text("pushes_sent_count", "total") == nil)
    }

    @Test("A fault after the run's end meets no requirement")
    func lateFault() {
        var scenario = Scenario.smallPoisson
        scenario.devices.connectivity = Scenario.Connectivity()
        scenario.faults = [.init(kind: .devicesOffline, at: scenario.clock.duration, duration: .minutes(1))]
        scenario.clock.drain = .zero
        func unmet() -> String? {
            MetricCatalog(of: scenario).metrics
                .first { $0.name == "push_fate_count" && $0.scope == "fate:expired" }?
                .unmet(by: scenario)?
                .reason
        }
        #expect(unmet() == "phones are always online")
        scenario.faults[0].at = .minutes(1)
        #expect(unmet() == nil)
    }

    @Test("Counts are divided by the number of replications; shares and peaks are not")
    func perReplication() async throws {
        let result = try await RunResult.running(.smallPoisson, replications: 4)
        let (sums, means) = (Summary(result), Summary(result).perReplication(4))
        func value(_ summary: Summary, _ metric: String, _ stat: String) -> Double? {
            summary.row(metric, stat)?.value?.double
        }
        let sum = try #require(value(sums, "pushes_sent_count", "total"))
        #expect(value(means, "pushes_sent_count", "total") == sum / 4)
        let interval = try #require(sums.row("pushes_sent_count", "total")?.interval)
        #expect(means.row("pushes_sent_count", "total")?.interval?.upperBound == interval.upperBound / 4)
        for (metric, stat) in [
            ("displayed_fresh_time_ratio", "ratio"), ("send_queue_peak_count", "max"),
            ("send_busy_mean_count", "ratio"),
            ("age_of_information_us", "p95"),
        ] {
            #expect(value(means, metric, stat) == value(sums, metric, stat), "\(metric)")
        }
        #expect(try Response(metric: "pushes_sent_count").resolve(in: result.scenario).isSum)
        #expect(try !Response(metric: "send_busy_mean_count").resolve(in: result.scenario).isSum)
        #expect(try !Response(parsing: "pushes_sent_count@worst:15m").resolve(in: result.scenario).isSum)
    }
}
