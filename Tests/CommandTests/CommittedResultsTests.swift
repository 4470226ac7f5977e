import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Checks that this commit reproduces the committed results.
///
/// Only the quick experiments are run here; `make results` runs all.
@Suite("Committed results", .enabled(if: Loop.isFull))
struct CommittedResultsTests {
    @Test("An experiment gives the same bytes again", arguments: ["trace-replay", "netmera-upload", "go-taxi"])
    func reproduces(_ name: String) throws {
        let scratch = try Scratch()
        let outcome = try Command.run(
            ["run", "experiments/\(name).yaml", "--quiet", "--output", scratch.path(name)],
            directory: Command.root
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        let sums = try Command.run(
            ["-c", "find \(name) -type f ! -name timing.json -print0 | xargs -0 sha256sum"],
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
        let outcome = try Command.run(["scripts/verify", "results"], program: "/bin/bash", directory: Command.root)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test("A run with a trace can be explained, and its resolved scenario can be run again")
    func resolvedTrace() throws {
        let scratch = try Scratch()
        let story = try Command.run("explain", "results/trace-replay", "--activity", "3", directory: Command.root)
        #expect(story.status == 0, "\(story.errors)")
        #expect(story.output.contains("ride requested"))
        let again = try Command.run(
            ["run", "results/trace-replay/scenario.resolved.yaml", "--quiet", "--output", scratch.path("run")],
            directory: Command.root
        )
        #expect(again.status == 0, "\(again.errors)")
        let committed = Command.root.appending(path: "results/trace-replay/summary.csv")
        #expect(try scratch.contents(of: "run")["summary.csv"] == Data(contentsOf: committed))
    }
}
