import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Checks that this commit reproduces the committed results.
///
/// Only the quick experiments are run here; `make results` runs all.
@Suite("Committed results", .enabled(if: Loop.isFull))
struct CommittedResultsTests {
    private let scratch = Scratch()

    @Test("An experiment gives the same bytes again", arguments: ["trace-replay", "netmera-upload", "go-taxi"])
    func reproduces(_ name: String) throws {
        let outcome = try Command.run(
            "run experiments/\(name).yaml --quiet --output \(scratch)/\(name)",
            directory: Command.root
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        let sums = try Command.run(
            "-c 'find \(name) -type f ! -name timing.json -print0 | xargs -0 sha256sum'",
            program: "/bin/bash",
            directory: scratch.url
        )
        #expect(sums.status == 0, "\(sums.errors)")
        let text = try String(contentsOf: Command.root.appending(path: "results/SHA256SUMS"), encoding: .utf8)
        let committed: [Substring] = text.split(separator: "\n").filter { $0.contains("  \(name)/") }
        let found: [Substring] = sums.output.split(separator: "\n")
        #expect(
            found.sorted() == committed.sorted(),
            "results/\(name) is not what this commit gives: run `make results`"
        )
    }

    @Test("The committed files are those of the committed checksums")
    func checksums() throws {
        let outcome = try Command.run("scripts/verify results", program: "/bin/bash", directory: Command.root)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    /// The delays of updates in pushboy issue 41 [s]; the maximum is fitted.
    @Test(
        "The public incident has the delays that were reported",
        arguments: [
            ("p50", 1338.0, 0.06), ("p95", 2315, 0.04), ("max", 2342, 0.01),
        ]
    )
    func publicIncident(statistic: String, reported: Double, tolerance: Double) throws {
        let file = Command.root.appending(path: "results/fan-out-collapse/points.csv")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let columns = try #require(lines.first).split(separator: ",", omittingEmptySubsequences: false)
        let column = try #require(columns.firstIndex(of: "group_last_phone_us.\(statistic)"))
        let cells = lines[1].split(separator: ",", omittingEmptySubsequences: false)
        #expect(cells[1] == "as it was")
        let delay = try #require(Double(cells[column])) / 1e6
        #expect(abs(delay / reported - 1) < tolerance, "\(delay) s instead of \(reported) s")
    }

    @Test("A run with a trace can be explained, and its resolved scenario can be run again")
    func resolvedTrace() throws {
        let story = try Command.run("explain results/trace-replay --activity 3", directory: Command.root)
        #expect(story.status == 0, "\(story.errors)")
        #expect(story.output.contains("ride requested"))
        let again = try Command.run(
            "run results/trace-replay/scenario.resolved.yaml --quiet --output \(scratch)/run",
            directory: Command.root
        )
        #expect(again.status == 0, "\(again.errors)")
        let committed = Command.root.appending(path: "results/trace-replay/summary.csv")
        #expect(try scratch.contents(of: "run")["summary.csv"] == Data(contentsOf: committed))
    }
}
