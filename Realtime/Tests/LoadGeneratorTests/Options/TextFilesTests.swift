import ArgumentParser
import Foundation
import Shell
import Testing

@testable import LoadGenerator

@Suite("Files that commands write and read")
struct TextFilesTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: "freshet-files-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { directory.appending(path: name).path }

    @Test(
        "A file has its permissions from the beginning, whatever the mask and the file before it",
        arguments: [0o600, 0o644]
    )
    func permissions(mode: Int) throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        // A process that has opened the old file, or a partial one, sees nothing of the new one.
        try Data("old".utf8).write(to: URL(filePath: path("key")))
        try Data("old".utf8).write(to: URL(filePath: path("key.\(getpid())")))
        try writeWholeOrExit("new", to: path("key"), mode: mode)
        let attributes = try FileManager.default.attributesOfItem(atPath: path("key"))
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
        #expect(try textOrExit(path("key")) == "new")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["key"])
        let failure = #expect(throws: ExitCode.self) { try writeWholeOrExit("", to: path("none/key"), mode: mode) }
        #expect(failure == Failure.cannotWrite)
    }

    @Test("A named pipe, a file that is not text and a missing file end a command at once")
    func refusals() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        try #require(mkfifo(path("pipe"), 0o600) == 0)
        try Data([0xFF]).write(to: URL(filePath: path("bytes")))
        for (name, code) in [("pipe", 65), ("bytes", 65), ("none", 66), ("", 65)] {
            let failure = #expect(throws: ExitCode.self) { try secretOrExit(path(name)) }
            #expect(failure?.rawValue == Int32(code), "\(name)")
        }
        for (name, code) in [("pipe", 65), ("none", 66)] {
            let tokens = #expect(throws: ExitCode.self) { try TokensFile.readOrExit(path(name)) }
            #expect(tokens?.rawValue == Int32(code), "\(name)")
            let authorities = #expect(throws: ExitCode.self) { try APNsEndpoint.Trust.checked(ca: path(name)) }
            #expect(authorities?.rawValue == Int32(code), "\(name)")
        }
    }
}
