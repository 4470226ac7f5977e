import Foundation
import Testing

@testable import ExternalPrograms

@Suite("Python apart from its caller", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
struct PythonProgramTests {
    private static let python = "/usr/bin/python3"

    @Test("Neither the working directory nor the environment gives it modules, and arguments come through")
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

    @Test("Relative paths lead to the same place")
    func paths() {
        #expect(PythonProgram.absolute("/a/b") == "/a/b")
        #expect(PythonProgram.absolute("a/b") == FileManager.default.currentDirectoryPath + "/a/b")
    }

    @Test("A script ends when its caller does, whatever it waits for")
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

    @Test("A lifeline is not handed on to programs that start later")
    func notInherited() throws {
        var first = PythonProgram(Self.python, script: "import time; time.sleep(1000)").start()
        try #require(first != nil)
        let second = try #require(Subprocess.run(["/bin/ls", "-l", "/proc/self/fd"]))
        #expect(second.text.components(separatedBy: "pipe:").count - 1 <= 2, "\(second.text)")
        first = nil
    }

    @Test("A scratch directory is its owner's alone")
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
