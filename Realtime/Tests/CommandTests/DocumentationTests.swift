import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Runs the real-time commands that the pages under docs/ show.
@Suite("Commands in the documentation, in real time", .enabled(if: Loop.isFull))
struct DocumentationTests {
    @Test(
        "The commands of the load test how-to work as printed and give the output on the page",
        .enabled(if: Programs.haveSimulator, "scripts/build-tests . builds freshet")
    )
    func loadTest() throws {
        var problems: [String] = []
        // As the page says, a machine that cannot keep up with one speed uses a lower one.
        for speed in ["40", "10", "2"] {
            let scratch = Scratch()
            problems = try Console("how-to/load-test.md")
                .problems(
                    in: scratch,
                    files: ["small.yaml"],
                    // The response time of this machine is not under test.
                    replaced: [
                        "--speed 40": "--speed \(speed)", "request_latency_us.p99 < 1s": "request_latency_us.p99 < 1h",
                    ],
                    isAligned: false
                )
            if problems.isEmpty { return }
        }
        for problem in problems { Issue.record("\(problem)") }
    }
}
