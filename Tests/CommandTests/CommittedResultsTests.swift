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
            ["run", "experiments/\(name).yaml", "--quiet", "--output", scratch.path("run")],
            directory: Command.root
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        let committed = Command.root.appending(path: "results/\(name)")
        for (file, data) in try scratch.contents(of: "run") {
            #expect(
                try Data(contentsOf: committed.appending(path: file)) == data,
                "results/\(name)/\(file) is not what this commit gives: run `make results`"
            )
        }
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
