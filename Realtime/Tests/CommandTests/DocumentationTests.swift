import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// What the pages under docs/ say to type in real time is typed here.
@Suite("Commands in the documentation, in real time", .enabled(if: Loop.isFull))
struct DocumentationTests {
    @Test(
        "The how-to of load tests can be typed as it stands, and prints what it says",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: Programs.simulator),
            "scripts/build-tests . builds freshet"
        )
    )
    func loadTest() throws {
        var problems: [String] = []
        // The page says so itself: a machine that does not keep up at one speed takes a lower one.
        for speed in ["40", "10", "2"] {
            let scratch = try Scratch()
            problems = try Console("how-to/load-test.md")
                .problems(
                    in: scratch,
                    files: ["small.yaml"],
                    programs: Programs.all(in: scratch),
                    // How quickly this machine answers is not what is tested.
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
