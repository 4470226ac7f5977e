import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// What the pages under docs/ say to type in real time is typed here.
@Suite("Commands in the documentation, in real time", .enabled(if: Loop.isFull))
struct DocumentationTests {
    /// The simulator's command, which the loops build before these tests; it compares loads.
    private static let simulator = Command.root.appending(path: ".build/debug/freshet").path

    @Test(
        "The how-to of load tests can be typed as it stands, and prints what it says",
        .enabled(if: FileManager.default.isExecutableFile(atPath: simulator), "scripts/build-tests . builds freshet")
    )
    func loadTest() throws {
        let scratch = try Scratch()
        // Beside the simulator's command the programs of this package would be missing: on a path of their own both are found.
        let script = """
            #!/bin/sh
            case $1 in
            apns | load | monitor) program=freshet-$1 && shift && exec "$program" "$@" ;;
            *) exec '\(Self.simulator)' "$@" ;;
            esac
            """
        let program = try scratch.file("programs/freshet", script)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let problems = try Console("how-to/load-test.md")
            .problems(in: scratch, files: ["small.yaml"], programs: scratch.path("programs"), isAligned: false)
        for problem in problems { Issue.record("\(problem)") }
    }
}
