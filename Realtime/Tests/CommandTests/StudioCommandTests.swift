import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// `freshet studio` as users start it, with a substitute for the program that opens the browser.
@Suite("freshet studio")
struct StudioCommandTests {
    private let scratch = Scratch()

    private func permissions(_ path: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    #if os(Linux)
    @Test(
        "A file that only its owner can read directs the browser; the secret is no argument; the file is removed last",
        // Closing a terminal sends SIGHUP.
        arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 143)] as [(Int32, Int32)]
    )
    func browser(signal: Int32, status: Int32) throws {
        try scratch.write("name: town\n", to: "town.yaml")
        // The program writes to a temporary file first, so a read file is complete.
        let opener = try scratch.write("#!/bin/sh\necho \"$@\" > new && mv new opened\n", to: "programs/xdg-open")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: opener)
        let place = scratch.path("place")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""

        let studio = Command.process(
            "town.yaml --port 0",
            program: "freshet-studio",
            environment: [
                "PATH": "\(scratch.path("programs")):\(path)", "DISPLAY": ":99", "XDG_RUNTIME_DIR": place,
            ]
        )
        studio.currentDirectoryURL = scratch.url
        let output = Pipe()
        studio.standardOutput = output
        try studio.run()
        defer { if studio.isRunning { studio.terminate() } }
        let printed = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let address = printed.trimmingCharacters(in: .newlines)
        let secret = try #require(URL(string: address)?.pathComponents.last)
        #expect(secret.count == 32)

        let opened = scratch.path("opened")
        #expect(waitUntil { FileManager.default.fileExists(atPath: opened) })
        let argument = try String(contentsOfFile: opened, encoding: .utf8).trimmingCharacters(in: .newlines)
        #expect(!argument.contains(secret))
        let file = try #require(URL(string: argument))
        try #require(file.isFileURL && file.path.hasPrefix(place + "/"), "\(argument)")
        #expect(try permissions(file.path) == 0o600)
        #expect(try permissions(file.deletingLastPathComponent().path) == 0o700)
        let page = try String(contentsOf: file, encoding: .utf8)
        #expect(page.contains("http-equiv=\"refresh\" content=\"0; url=\(address)\""), "\(page)")
        #expect(page.contains("<a href=\"\(address)\">") && !page.contains("<script"), "\(page)")

        kill(studio.processIdentifier, signal)
        studio.waitUntilExit()
        #expect(studio.terminationReason == .exit && studio.terminationStatus == status)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
    }
    #endif
}
