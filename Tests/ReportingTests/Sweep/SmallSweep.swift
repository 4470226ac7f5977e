import LiveActivityModel
import ScenarioLanguage
import Studies
import TestSupport

@testable import Reporting

/// A few rides with one update per minute; only the offline times of the phones are random.
enum SmallSweep {
    private static let world = """
        name: small
        description: A few rides.
        seed: 7
        clock: {duration: 20m, drain: 10m, window: 5m}
        rides:
          arrivals: {process: even, count: 20, spread: 10m}
          stages: [{name: on_trip, duration: 9m}]
        content: {ttl: 90s, refresh: 60s}
        devices:
          connectivity: {online: {exponential: {mean: 2m}}, offline: {exponential: {mean: 1m}}}
        apns: {latency: 500ms}
        sender: {request_time: 150ms}
        monitor: {fresh_limit: 30s}

        """

    /// Returns the file in a temporary directory, which is removed afterwards.
    private static func withSweep<Value>(
        _ factors: String,
        refresh: String = "60s",
        replications: Int,
        _ body: (Sweep, TaskStore) async throws -> Value
    ) async throws -> Value {
        let scratch = Scratch()
        let world = world.replacing("refresh: 60s", with: "refresh: \(refresh)")
        try scratch.write(world + factors, to: "small.yaml")
        let sweep = try Sweep(
            ScenarioReader.read(file: scratch.path("small.yaml")),
            replications: replications,
            besidePresent: true
        )
        let value = try await body(sweep, TaskStore(path: scratch.path("tasks")))
        withExtendedLifetime(scratch) {}
        return value
    }

    /// The analysis of a design that is actually run, with today's interval of refreshes.
    static func analysis(
        _ factors: String,
        refresh: String = "60s",
        replications: Int = 3
    ) async throws -> SweepAnalysis {
        try await withSweep(factors, refresh: refresh, replications: replications) { sweep, store in
            try await SweepEngine(sweep: sweep, store: store, jobs: 1).run(progress: RunProgress())
            return SweepAnalysis(try SweepResult(sweep, from: store))
        }
    }

    /// The search with the file's goal.
    static func tuning(_ factors: String) async throws -> TuningResult {
        try await withSweep(factors, replications: 1) { sweep, store in
            let tuning = try Tuning(sweep, goal: sweep.factors.goal ?? Goal())
            return try await tuning.run(store: store, jobs: 1) { _, _ in }
        }
    }

    /// A search with a goal that may compare points with different metric bases.
    static func tuning(vary: String, goal: String) async throws -> TuningResult {
        try await tuning("factors: {vary: {\(vary)}, goal: {\(goal), across_rulers: true}}")
    }
}

extension SweepAnalysis {
    /// The report in Markdown.
    var report: String { SweepReport(analysis: self, charts: Chart.charts(self)).blocks.markdown }
}
