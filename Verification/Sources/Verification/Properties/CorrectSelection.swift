import Foundation
import ScenarioLanguage
import Statistics
import Studies

/// `freshet tune` finds a known optimum with the guaranteed probability, and reports when no point satisfies a limit.
///
/// Updates that are too rare leave content old, and updates that are too frequent wait for each other. With Poisson
/// updates at a rate λ through one sender of rate μ, and ρ = λ / μ, the mean age is (1 + 1 / ρ + ρ² / (1 - ρ)) / μ,
/// with its minimum near ρ = 0.53 (S. Kaul, R. Yates and M. Gruteser, IEEE INFOCOM 2012). The design points are loads
/// on both sides of it.
struct CorrectSelection {
    /// The number of searches, each with its own seed.
    var seeds = 100
    /// The loads to choose from.
    var loads = [0.2, 0.35, 0.53, 0.7, 0.85]
    /// The indifference zone of mean ages [s]; the second-best load is outside it.
    var indifference = 0.4
    var confidence = 0.95

    /// The mean age for services with a mean of 1 s [s].
    static func meanAge(load: Double) -> Double {
        1 + 1 / load + load * load / (1 - load)
    }

    /// The load with the minimum age.
    var best: Int {
        let ages = loads.map(Self.meanAge)
        return ages.indices.reduce(0) { ages[$1] < ages[$0] ? $1 : $0 }
    }

    func outcome(jobs: Int) async throws -> PropertyOutcome {
        let directory = FileManager.default.temporaryDirectory.appending(path: "freshet-selection-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appending(path: "selection.yaml").path
        try Data(scenario.utf8).write(to: URL(fileURLWithPath: file))
        let outcomes = try await concurrently(seeds, jobs: jobs) { seed in
            let sweep = try Sweep(ScenarioReader.read(file: file, settings: ["seed=\(seed + 1)"]))
            let goal = sweep.factors.goal ?? Goal()
            let store = TaskStore(path: directory.appending(path: "\(seed)").path)
            let result = try await Tuning(sweep, goal: goal).run(store: store, jobs: 1) { _, _ in }
            try store.remove()
            return (best: result.best?.number, runs: result.outcome.runs, holds: result.outcome.guarantee.holds)
        }
        let right = outcomes.count { $0.best == best && $0.holds }
        // Fewer would have a probability below one in a thousand if the guarantee holds with equality.
        let least = Int(
            (Double(seeds) * confidence - 3.1 * (Double(seeds) * confidence * (1 - confidence)).squareRoot())
                .rounded(.up)
        )
        let runs = outcomes.reduce(0) { $0 + $1.runs } / seeds
        return PropertyOutcome(
            holds: right >= least,
            remark: "\(right) of \(seeds) searches chose the load \(loads[best]), \(runs) replications each on average"
        )
    }

    /// One permanent activity whose updates wait for one sender.
    private var scenario: String {
        let levels = loads.map { "{exponential: {mean: \(Int64((1e6 / $0).rounded()))us}}" }
        return """
            name: selection
            clock: {duration: 30m, warm_up: 2m, window: 30m}
            rides:
              arrivals: {process: even, count: 1}
              stages: [{name: source, duration: 3650d, refresh: 1s}]
            content: {ttl: 3m, timestamps_rise: false}
            devices: {system_limit: 3650d, local_updates: {enabled: false}}
            apns: {latency_from: response, latency: 0s}
            sender: {connections: 1, streams: 1, request_time: {exponential: {mean: 1s}}, timeout: 3650d, coalesce: false}
            monitor: {enabled: false}
            factors:
              vary:
                rides.stages.0.refresh: [\(levels.joined(separator: ", "))]
              goal: {minimise: age_of_information_us, indifference: \(Int64(indifference * 1000))ms, confidence: \(confidence)}
            """
    }
}
