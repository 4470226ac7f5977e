import ArgumentParser
import Foundation
import Shell
import TestSupport
import Testing

@testable import LoadGenerator

@Suite("Files that commands write and read")
struct TextFilesTests {
    private let scratch = Scratch()

    @Test(
        "A file has its permissions from the beginning, whatever the mask and the file before it",
        arguments: [0o600, 0o644]
    )
    func permissions(mode: Int) throws {
        // A process that has opened the old file, or a partial one, sees nothing of the new one.
        try Data("old".utf8).write(to: URL(filePath: scratch.path("key")))
        try Data("old".utf8).write(to: URL(filePath: scratch.path("key.\(getpid())")))
        try writeWholeOrExit("new", to: scratch.path("key"), mode: mode)
        let attributes = try FileManager.default.attributesOfItem(atPath: scratch.path("key"))
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
        #expect(try textOrExit(scratch.path("key")) == "new")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["key"])
        let failure = #expect(throws: ExitCode.self) {
            try writeWholeOrExit("", to: scratch.path("none/key"), mode: mode)
        }
        #expect(failure == Failure.cannotWrite)
    }

    @Test("A named pipe, a file that is not text and a missing file end a command at once")
    func refusals() throws {
        try #require(mkfifo(scratch.path("pipe"), 0o600) == 0)
        try Data([0xFF]).write(to: URL(filePath: scratch.path("bytes")))
        for (name, code) in [("pipe", 65), ("bytes", 65), ("none", 66), ("", 65)] {
            let failure = #expect(throws: ExitCode.self) { try secretOrExit(scratch.path(name)) }
            #expect(failure?.rawValue == Int32(code), "\(name)")
        }
        for (name, code) in [("pipe", 65), ("none", 66)] {
            let tokens = #expect(throws: ExitCode.self) { try TokensFile.readOrExit(scratch.path(name)) }
            #expect(tokens?.rawValue == Int32(code), "\(name)")
            let authorities = #expect(throws: ExitCode.self) { try APNsEndpoint.Trust.checked(ca: scratch.path(name)) }
            #expect(authorities?.rawValue == Int32(code), "\(name)")
        }
    }
}
