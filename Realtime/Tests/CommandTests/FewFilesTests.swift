import CommandTestSupport
import Foundation
import TestSupport
import Testing

@Suite("Few files")
struct FewFilesTests {
    @Test(
        "Each program ends with 75 and a message, never with a signal",
        arguments: ["freshet-apns", "freshet-load", "freshet-monitor"]
    )
    func refused(program: String) throws {
        let path = try #require(Command.process([], program: program).executableURL).path
        let counts = Loop.isHostile ? Array(4...31) : [4, 12, 31]
        let tally = HostileTally("few descriptors", checks: counts.count)
        for count in counts {
            let outcome = try Command.run(
                "-c 'ulimit -n \(count); exec \"$@\"' sh \(path) --version",
                program: "/bin/sh"
            )
            #expect(tally.counts(outcome.status == 75), "\(count): \(outcome.status) \(outcome.errors)")
            #expect(outcome.errors == "\(program): may open \(count) files; allowed: 32 or more (ulimit -n 32)\n")
        }
    }

    @Test(
        "Help that cannot be printed: 74 and a message",
        arguments: ["freshet-apns", "freshet-load", "freshet-monitor", "freshet-studio"]
    )
    func lostOutput(program: String) throws {
        let path = try #require(Command.process([], program: program).executableURL).path
        let outcome = try Command.run("-c 'exec \"$0\" --help > /dev/full' \(path)", program: "/bin/sh")
        #expect(outcome.status == 74, "\(outcome.status) \(outcome.errors)")
        #expect(outcome.errors.contains("standard output cannot be written"))
    }
}
