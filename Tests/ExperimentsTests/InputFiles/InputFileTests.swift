import Foundation
import LiveActivityModel
import TestSupport
import Testing

@testable import InputFiles
@testable import ScenarioLanguage
@testable import Studies

@Suite("Input files")
struct InputFileTests {
    private let scratch = Scratch()

    private func refusal(_ path: String, limit: Int = 100) -> InputFile.Refusal? {
        do throws(InputFile.Refusal) {
            _ = try InputFile.bytes(of: path, limit: limit)
            return nil
        } catch {
            return error
        }
    }

    @Test("Only a regular file is opened, without waiting for a pipe or a device")
    func kinds() throws {
        let path = scratch.path
        try #require(mkfifo(path + "/pipe", 0o600) == 0)
        try #require(symlink("pipe", path + "/link") == 0)
        #expect(refusal(path + "/pipe") == .notRegular("a named pipe"))
        #expect(refusal(path + "/link") == .notRegular("a named pipe"))
        #expect(refusal("/dev/zero") == .notRegular("a device"))
        #expect(refusal(path) == .notRegular("a directory"))
        #expect(refusal(path + "/none") == .missing)
        #expect(refusal(path + "/pipe/none") == .missing)
        #expect(refusal("a\0b") == .refused("its name contains a NUL"))
        // Beside a resolved scenario, the places of data files are read from here.
        try #require(mkfifo(path + "/timing.json", 0o600) == 0)
        #expect(DataPlaces.recorded(of: "rides.csv", beside: path + "/scenario.resolved.yaml") == nil)
    }

    @Test("At most the limit is read, and a file with a larger size is not read")
    func limit() throws {
        let path = scratch.path("file")
        try Data(repeating: 7, count: 100).write(to: URL(filePath: path))
        #expect(try InputFile.bytes(of: path, limit: 100) == [UInt8](repeating: 7, count: 100))
        #expect(refusal(path, limit: 99) == .tooLarge(limit: 99))
        // A sparse file, which is cheap to create.
        try #require(truncate(path, 3 << 30) == 0)
        #expect(refusal(path) == .tooLarge(limit: 100))
    }

    @Test(
        "A pipe that a shell has opened is read by its path",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/fd"))
    )
    func stream() throws {
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("abc".utf8))
        try pipe.fileHandleForWriting.close()
        let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        #expect(try InputFile.bytes(of: path, limit: 100) == Array("abc".utf8))
    }

    @Test("A scenario cannot name a stream; only its caller can")
    func namedStream() {
        let reads: [() throws -> World] = [
            {
                let loaded = try ScenarioReader.read(yaml: "extends: /dev/stdin", named: "a.yaml")
                return try ScenarioLoader.world(loaded, replications: nil)
            },
            {
                let settings = ["rides.trace.file=/dev/fd/0"]
                let loaded = try ScenarioReader.read(file: "trace-replay", settings: settings)
                return try ScenarioLoader.world(loaded, replications: nil)
            },
        ]
        for read in reads {
            let error = #expect(throws: ScenarioError.self) { try read() }
            #expect(
                error.map { "\($0)".contains("must name a file, got /dev/") } == true,
                "\(String(describing: error))"
            )
        }
    }
}
