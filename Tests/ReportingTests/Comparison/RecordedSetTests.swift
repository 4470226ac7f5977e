import Foundation
import LiveActivityModel
import Quantities
import Shell
import SimulationKernel
import TestSupport
import Testing
import TextFormats

@testable import Evaluation
@testable import Reporting
@testable import Results
@testable import ScenarioLanguage
@testable import Studies

/// Result directories of all kinds, and the comparison of each with each.
///
/// The directories of loads in `Fixtures/Recorded` were written by the commands. All others are written here, and a
/// digest holds each of their files. Another digest holds each comparison: its numbers, verdicts and notes, and the
/// verdict of `freshet check`. `FRESHET_WRITE_RECORDED=1` accepts new values.
@Suite("The recorded set")
struct RecordedSetTests {
    private let scratch = Scratch()

    @Test("All files and the comparisons of all pairs are as recorded", .enabled(if: Loop.isFull))
    func recorded() async throws {
        let written = try await writeSet()
        let names = try (FileManager.default.contentsOfDirectory(atPath: scratch.path) + ["absent"]).sorted()
        #expect(names.count >= 30)
        var lines = try written.flatMap { name in
            try scratch.names
                .filter { $0.hasPrefix("\(name)/") && !$0.contains("/charts") && !$0.hasSuffix(".md") }
                .map { "\($0) \(Self.digest(of: try scratch.text($0).replacing(Release.version, with: "")))" }
        }
        // Each directory is read once here, and again only by comparisons that fail.
        let results = Dictionary(
            uniqueKeysWithValues: names.map { ($0, try? RecordedResults(directory: "\(scratch.path)/\($0)")) }
        )
        lines += await withTaskGroup { group in
            for first in names { group.addTask { names.map { self.line($0, against: first, results) } } }
            return await group.reduce(into: []) { $0 += $1 }.sorted()
        }
        let text = lines.map { $0 + "\n" }.joined()
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/recorded-set.txt")
        if ProcessInfo.processInfo.environment["FRESHET_WRITE_RECORDED"] != nil {
            try Data(text.utf8).write(to: file)
        }
        let expected = try Fixture.text("recorded-set.txt").split(separator: "\n").map(String.init)
        for change in lines.difference(from: expected).prefix(20) { Issue.record("\(change)") }
    }

    /// The comparison of two directories: `baseline candidate exit code of compare and check, verdict, digest`.
    private func line(
        _ second: String,
        against first: String,
        _ results: [String: RecordedResults?]
    ) -> String {
        let result: String
        do throws(ComparisonError) {
            let comparison =
                if case (let one??, let other??) = (results[first], results[second]) {
                    try ResultComparison(one, other)
                } else {
                    try ResultComparison("\(scratch.path)/\(first)", "\(scratch.path)/\(second)")
                }
            let report = ComparisonReport(comparison)
            let words = (comparison.changes.map(\.description) + comparison.notes).map { "\($0)\n" }.joined()
            let digest = Self.digest(of: (report.csv + words).replacing(Release.version, with: ""))
            result = "0 \(gate(comparison)) \(comparison.verdict.rawValue) \(digest)"
        } catch {
            result = "\(error.failure.rawValue) \(Self.digest(of: "\(error)".replacing(scratch.path, with: "")))"
        }
        return "\(first) \(second) \(result)"
    }

    /// The exit code of `freshet check`, and the verdicts on the checks of the candidate.
    private func gate(_ comparison: ResultComparison) -> String {
        do throws(ScenarioError) {
            let checks = try comparison.checks()
            let gate = RegressionReport(ComparisonReport(comparison), checks: checks)
            let code = gate.isRegression || gate.hasNothingJudged ? 98 : gate.hasFailedChecks ? 99 : 0
            return ([code.description] + checks.map(\.verdict.rawValue)).joined(separator: ":")
        } catch {
            return "\(error.failure.rawValue)"
        }
    }

    private static func digest(of text: String) -> String {
        var digest = Fingerprint()
        for byte in text.utf8 { digest.combine(UInt64(byte)) }
        return digest.value.hexadecimal
    }

    // MARK: - The directories

    /// Writes all directories and returns the names of those that the product has written.
    private func writeSet() async throws -> [String] {
        let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/Recorded")
        try FileManager.default.copyItem(atPath: fixtures.path, toPath: scratch.path)
        for (name, run) in Self.runs { try await write(run, to: name) }
        for (name, factors) in Self.sweeps {
            try write(RunFiles(try await SmallSweep.analysis(factors, replications: 2).result), to: name)
        }
        try write(RunFiles(try await SmallSweep.tuning(vary: "content.ttl: [60s, 90s]", goal: Self.goal)), to: "tune")
        try writeBroken()
        return Self.runs.map(\.0) + Self.sweeps.map(\.0) + ["tune"]
    }

    private func write(_ files: RunFiles, to name: String) throws {
        try RunDirectory(path: "\(scratch.path)/\(name)").write(files)
    }

    /// A run of the small scenario.
    private struct Run: Sendable {
        var replications = 3
        var checks: [String] = []
        /// `true` if it ran in real time.
        var isLive = false
        /// `true` if it was ended early.
        var isPart = false
        var change: @Sendable (inout Scenario) -> Void = { _ in }
    }

    private func write(_ run: Run, to name: String) async throws {
        var scenario = Scenario.offlinePhones
        scenario.replications.count = run.replications
        run.change(&scenario)
        let checks = try run.checks.map { Check(try Comparison(parsing: $0)) }
        let world = try ScenarioLoader.world(scenario)
        var result = try await RunEngine(world: world, replications: run.replications, jobs: 1)
            .run(progress: RunProgress(), measuring: CheckOutcome.stretches(of: checks, in: scenario))
        if run.isLive { result.realTime = .beside(speed: 60) }
        if run.isPart {
            result.realTime?.earlyEnd = EarlyEndMark(cause: .interrupted, ran: .minutes(9), planned: .minutes(40))
        }
        try write(RunFiles(result, checks: CheckOutcome.outcomes(of: checks, in: result)), to: name)
    }

    private static let runs: [(String, Run)] = [
        (
            "run",
            Run(checks: [
                "displayed_fresh_time_ratio >= 5%", "pushes_sent_count <= 100", "recovery_time_us.p95 <= 3h with 95%",
                "displayed_fresh_time_ratio@worst:10m >= 1%", "pushes_per_activity@10m..20m <= 40",
            ])
        ),
        ("run-again", Run()), ("run-long", Run(replications: 4)), ("run-once", Run(replications: 1)),
        ("run-lossy", Run(checks: ["pushes_sent_count > 100"]) { $0.apns.loss = Probability(0.25) }),
        ("run-ttl", Run { $0.content.ttl = .minutes(4) }), ("run-seed", Run { $0.seed = 3 }),
        ("run-clock", Run { $0.clock.duration = .minutes(40) }), ("run-cells", Run { $0.cells = 3 }),
        ("run-rides", Run { $0.rides.arrivals.count = 20 }), ("run-off", Run { $0.monitor.enabled = false }),
        ("run-pairs", Run(replications: 4) { $0.replications.antithetic = true }),
        ("run-fault", Run { $0.faults[0].duration = .minutes(9) }),
        ("live", Run(replications: 1, checks: ["displayed_fresh_time_ratio >= 5%"], isLive: true)),
        ("live-lossy", Run(replications: 1, isLive: true) { $0.apns.loss = Probability(0.25) }),
        ("live-part", Run(replications: 1, isLive: true, isPart: true)),
    ]

    private static let goal =
        "minimise: pushes_per_activity, subject_to: [ride_stage_coverage_ratio >= 1%], indifference: 1"

    private static func factors(_ vary: String, _ responses: String) -> String {
        "factors: {vary: {\(vary)}, responses: [\(responses)]}\n"
    }

    private static let sweeps = [
        ("sweep", factors("content.ttl: [60s, 90s]", "ride_stage_coverage_ratio, recovery_time_us.p95, stage_lag_us")),
        (
            "sweep-more",
            factors("content.ttl: [90s, 60s, 2m]", "ride_stage_coverage_ratio, recovery_time_us.p95, recovered_count")
        ),
        ("sweep-counts", factors("content.ttl: [60s]", "recovery_time_us.p95, recovered_ratio.denominator")),
        ("sweep-loss", factors("apns.loss: [0%, 20%]", "ride_stage_coverage_ratio")),
    ]

    /// Writes a sweep with other values, and directories of results that cannot be compared.
    private func writeBroken() throws {
        func copy(_ name: String, to other: String, _ file: String, _ edit: (String) -> String?) throws {
            try FileManager.default.copyItem(atPath: "\(scratch.path)/\(name)", toPath: "\(scratch.path)/\(other)")
            let text = try edit(scratch.text("\(other)/\(file)"))
            try FileManager.default.removeItem(atPath: "\(scratch.path)/\(other)/\(file)")
            if let text { try scratch.write(text, to: "\(other)/\(file)") }
        }
        try copy("sweep", to: "sweep-worse", "results.csv") {
            $0.replacing("us,1", with: "us,9").replacing(",0.9", with: ",0.1")
        }
        try scratch.write("{}", to: "comparison/comparison.json")
        try scratch.write("{}", to: "fit/fit.json")
        try scratch.write("{}", to: "nothing/run.json")
        try scratch.makeDirectory("empty")
        try copy("run-once", to: "broken-json", "run.json") { String($0.prefix(100)) }
        try copy("run-once", to: "broken-form", "run.json") {
            $0.replacing("\"schema_version\": 1", with: "\"schema_version\": 2")
        }
        try copy("run-once", to: "broken-scenario", "scenario.resolved.yaml") { $0 + "unknown: 1\n" }
        try copy("run-once", to: "broken-values", "replications.csv") { $0.replacing("stage_lag_us", with: "lag") }
        try copy("run", to: "broken-checks", "checks.csv") { $0.replacing("fails", with: "loses") }
        try copy("apns-rate", to: "broken-load", "summary.csv") { $0.replacing("200", with: "two hundred") }
        try copy("apns-rate", to: "broken-settings", "run.json") { $0.replacing("\"seed\": 7,", with: "") }
        try copy("sweep", to: "broken-sweep", "results.csv") { $0.replacing("0,0,", with: "0,9,") }
        try copy("sweep", to: "no-results", "results.csv") { _ in nil }
        try copy("run-once", to: "no-values", "replications.csv") { _ in nil }
        try copy("apns-rate", to: "no-summary", "summary.csv") { _ in nil }
    }
}
