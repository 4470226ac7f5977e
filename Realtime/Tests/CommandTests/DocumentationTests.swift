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
        let scratch = try Scratch()
        let problems = try Console("how-to/load-test.md")
            .problems(in: scratch, files: ["small.yaml"], programs: Programs.all(in: scratch), isAligned: false)
        for problem in problems { Issue.record("\(problem)") }
    }
}
