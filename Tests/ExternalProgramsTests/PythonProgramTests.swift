import Foundation
import Testing

@testable import ExternalPrograms

@Suite("Isolated Python", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
struct PythonProgramTests {
    private static let python = "/usr/bin/python3"

    @Test("Neither the working directory nor the environment provides modules, and arguments are passed on")
    func isolated() throws {
        let script = "import os, sys; print(os.getcwd(), sys.flags.isolated, '' in sys.path, sys.argv[1:])"
        let outcome = try #require(PythonProgram(Self.python, script: script, ["a b", "c"]).run())
        #expect(outcome.status == 0)
        #expect(outcome.text == "/ 1 False ['a b', 'c']\n")
        let program = try #require(
            PythonProgram(["/usr/bin/env", "python3"], module: "calendar", ["2026", "11"]).run()
        )
        #expect(program.status == 0)
        #expect(program.text.contains("November 2026"))
    }

    @Test("Relative paths refer to the same place")
    func paths() {
        #expect(PythonProgram.absolute("/a/b") == "/a/b")
        #expect(PythonProgram.absolute("a/b") == FileManager.default.currentDirectoryPath + "/a/b")
    }

    @Test("A script ends with its caller, whatever it waits for")
    func lifeline() throws {
        let program = PythonProgram(Self.python, script: "import time; time.sleep(1000)")
        let process = Process()
        let input = Pipe()
        process.executableURL = URL(filePath: program.command[0])
        process.arguments = Array(program.command.dropFirst())
        process.standardInput = input
        try process.run()
        try input.fileHandleForWriting.close()
        // Without the lifeline this would wait for a quarter of an hour.
        process.waitUntilExit()
        #expect(process.terminationStatus == 75)
    }

    @Test("Programs that start later do not inherit a lifeline")
    func notInherited() throws {
        var first = PythonProgram(Self.python, script: "import time; time.sleep(1000)").start()
        try #require(first != nil)
        let second = try #require(Subprocess.run(["/bin/ls", "-l", "/proc/self/fd"]))
        #expect(second.text.components(separatedBy: "pipe:").count - 1 <= 2, "\(second.text)")
        first = nil
    }

    @Test("Only the owner can access a scratch directory")
    func scratch() throws {
        let scratch = try #require(PrivateDirectory("freshet-test"))
        defer { scratch.remove() }
        var status = stat()
        try #require(stat(scratch.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
        scratch.remove()
        #expect(!FileManager.default.fileExists(atPath: scratch.path))
    }
}
