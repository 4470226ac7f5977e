import Experiments
import LiveActivityModel

/// A few rides with an update a minute and nothing left to chance but when the phones are offline.
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

    /// The file in a directory of its own, which is taken away afterwards.
    private static func withSweep<Value>(
        _ factors: String,
        replications: Int,
        _ body: (Sweep, TaskStore) async throws -> Value
    ) async throws -> Value {
        let scratch = Scratch()
        try scratch.write(world + factors, to: "small.yaml")
        let sweep = try Sweep(file: "\(scratch.path)/small.yaml", replications: replications)
        let value = try await body(sweep, TaskStore(path: "\(scratch.path)/tasks"))
        withExtendedLifetime(scratch) {}
        return value
    }

    /// The analysis of a design, really run.
    static func analysis(_ factors: String, replications: Int = 3) async throws -> SweepAnalysis {
        try await withSweep(factors, replications: replications) { sweep, store in
            try await SweepEngine(sweep: sweep, store: store, jobs: 1).run(progress: RunProgress())
            return SweepAnalysis(try SweepResult(sweep, from: store))
        }
    }

    /// The search that the file's goal asks for.
    static func tuning(_ factors: String) async throws -> TuningResult {
        try await withSweep(factors, replications: 1) { sweep, store in
            let tuning = try Tuning(sweep, goal: sweep.factors.goal ?? Goal())
            return try await tuning.run(store: store, jobs: 1) { _, _ in }
        }
    }

    /// A search with a goal that may compare points measured by different rulers.
    static func tuning(vary: String, goal: String) async throws -> TuningResult {
        try await tuning("factors: {vary: {\(vary)}, goal: {\(goal), across_rulers: true}}")
    }
}
