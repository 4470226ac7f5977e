import ExternalPrograms
import Testing

struct RunningProgramTests {
    /// Returns the output of a program, read in small pieces.
    private static func bytes(of program: RunningProgram) -> [UInt8] {
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1000)
        defer { buffer.deallocate() }
        while case let count = program.read(into: buffer), count > 0 { bytes += buffer[..<count] }
        return bytes
    }

    @Test("More output than a pipe holds is read unchanged")
    func output() throws {
        let program = try #require(RunningProgram(["/bin/sh", "-c", "seq 1 100000; echo no >&2; exit 3"]))
        let expected = (1...100_000).map { "\($0)\n" }.joined()
        #expect(Self.bytes(of: program) == Array(expected.utf8))
        let outcome = program.outcome()
        #expect(outcome.status == 3)
        #expect(outcome.text == "no\n")
    }

    @Test("An endless program is stopped when its output is no longer needed")
    func stopped() throws {
        // If the program were not stopped, this test would hang.
        var program = RunningProgram(["/bin/sh", "-c", "exec sleep 1000"])
        try #require(program != nil)
        program = nil
        program = RunningProgram(["/usr/bin/yes"])
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 10)
        defer { buffer.deallocate() }
        #expect(program?.read(into: buffer) == 10)
        program = nil
    }

    @Test
    func whatIsNotThereIsNotStarted() {
        #expect(RunningProgram(["/nonexistent/program"]) == nil)
    }
}
