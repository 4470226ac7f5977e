import LiveActivityModel
import Quantities
import ScenarioLanguage
import Statistics
import TextFormats
public import Traces

/// The effects of a calibrated scenario's assumptions on the believed freshness.
///
/// Each assumption is replaced by other plausible values, one after the other. All runs have the same rides, a sample of the log's,
/// and the same draws, so few are needed. A sample fills no queue and no budget, so alternatives that only a load makes worse are
/// then not tried.
public enum AssumptionEffects {
    /// The number of rides of a run, at most.
    private static let mostRides = 1000
    /// The number of runs for each value.
    private static let replications = 4

    /// Returns the assumptions of a calibration with their effects, the largest first; unchanged if a trace cannot have the log's rides.
    ///
    /// - Throws: The problems of the calibrated scenario; `CancellationError`.
    public static func rank(_ calibration: LogCalibration, jobs: Int) async throws -> [LogCalibration.Assumption] {
        let log = calibration.digest
        let scenario = try ScenarioReader.read(yaml: calibration.yaml, named: "calibrated.yaml").scenario
        let all = Backtest.trace(of: log.rides.elements, from: log.origin, calibration.stages, scenario)
        let step = max(1, (all.count + mostRides - 1) / mostRides)
        let rides = stride(from: 0, to: all.count, by: step).map { all[$0] }
        // A ride of a trace has few stages; with more, only whole days of other rides could be run.
        guard !rides.isEmpty else { return calibration.assumptions }
        func isTried(_ setting: String) -> Bool { step == 1 || !dependsOnLoad(setting) }
        let settings = calibration.assumptions.flatMap(\.alternatives).filter(isTried)
        let tested = ([[]] + settings.map { [$0] })
            .map { settings -> (Scenario, Backtest.Axis)? in
                let changed = try? ScenarioReader.read(
                    yaml: calibration.yaml,
                    named: "calibrated.yaml",
                    settings: settings
                )
                return changed.map {
                    let limit = $0.scenario.monitor.freshLimit.microseconds
                    return (
                        Backtest.prepared($0.scenario, for: log, windowLength: window),
                        Backtest.Axis(log, windowLength: window, freshLimit: limit)
                    )
                }
            }
        let freshness = try await concurrently(tested.count, jobs: jobs) { index -> [Double]? in
            guard let (scenario, axis) = tested[index] else { return nil }
            let world = try Backtest.world(scenario, on: rides)
            var values: [Double] = []
            for replication in 0..<replications {
                var total = LogDigest.Bin()
                for bin in try await Backtest.windows(of: world, replication: replication, axis) { total += bin }
                values.append(Backtest.Measure.believedFresh.value(total) ?? 0)
            }
            return values
        }
        guard let usual = freshness.first ?? nil else { return calibration.assumptions }
        var next = 1
        let ranked = calibration.assumptions.map { assumption -> (LogCalibration.Assumption, Double) in
            var (assumption, largest) = (assumption, 0.0)
            var words: [String] = []
            var untried: [String] = []
            for setting in assumption.alternatives {
                guard isTried(setting) else {
                    untried.append(setting)
                    continue
                }
                defer { next += 1 }
                guard let values = freshness[next],
                    let change = StudentInterval(zip(values, usual).map { ($0 - $1) * 100 })
                else { continue }
                largest = max(largest, abs(change.mean))
                words.append("\(setting): \(points(change))")
            }
            var effects: [String] = []
            if !words.isEmpty {
                effects.append(words.joined(separator: "; ") + " (n = \(replications) runs of \(rides.count) rides)")
            }
            if !untried.isEmpty {
                effects.append(
                    "\(untried.joined(separator: ", ")): not tried, because it depends on load, and \(rides.count) of \(all.count) rides "
                        + "are less load than the log's"
                )
            }
            assumption.effect = effects.isEmpty ? "not tried" : effects.joined(separator: "; ")
            return (assumption, largest)
        }
        // Assumptions with equal effects stay in the order of the scenario.
        return ranked.enumerated()
            .sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }
            .map(\.element.0)
    }

    /// Returns `true` for a setting whose effect depends on the number of rides at a time.
    static func dependsOnLoad(_ setting: String) -> Bool {
        ["cells=", "monitor.retry.budget=", "sender.streams="].contains { setting.hasPrefix($0) }
    }

    private static let window: Int64 = 300_000_000

    private static func points(_ change: StudentInterval) -> String {
        func text(_ number: Double) -> String { FixedPoint.text(number, places: 2) ?? "–" }
        return "\(change.mean < 0 ? "−" : "+")\(text(abs(change.mean))) ± \(text(change.halfWidth)) points"
    }
}
