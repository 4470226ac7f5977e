import Foundation
import LoadGenerator
import Reporting

/// A program of the family that is started for one run, with a directory that goes with it.
final class ChildProcess: Sendable {
    /// What it has said of itself once it was ready.
    let ready: ReadyFile
    private let process: Process
    private let scratch: ScratchDirectory
    /// Its standard input, which ends with this process: then it stops.
    private let leash = Pipe()

    /// Starts a command and waits until it is ready.
    ///
    /// - Parameters:
    ///   - name: What it is, for people.
    ///   - scratch: Where its files are; gone with the process.
    ///   - arguments: Its arguments but for the file in which it says that it is ready.
    /// - Throws: The exit code for a missing input where there is no such program, for a temporary failure where it does
    ///   not become ready; the reason is told.
    init(_ program: CompanionProgram, _ name: String, in scratch: ScratchDirectory, arguments: [String]) async throws {
        guard let path = program.path else {
            printError(program.missing)
            throw Failure.inputMissing
        }
        self.scratch = scratch
        let (readyFile, log) = (scratch.path("\(name).json"), scratch.path("\(name).log"))
        try Data().write(to: URL(fileURLWithPath: log))
        process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments =
            arguments + ["--ready-file", readyFile, "--stop-with-input", "--run-directory", scratch.path]
        process.standardInput = leash
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle(forWritingAtPath: log)
        try process.run()
        // As long as it runs it may become ready; two minutes of a busy machine are a hang.
        for _ in 0..<2400 {
            if let bytes = FileManager.default.contents(atPath: readyFile) {
                guard let ready = ReadyFile(Array(bytes)) else {
                    preconditionFailure("a program of this version writes another ready file")
                }
                self.ready = ready
                return
            }
            guard process.isRunning else { break }
            do {
                try await Task.sleep(for: .milliseconds(50))
            } catch {
                process.terminate()
                throw error
            }
        }
        process.terminate()
        let said = FileManager.default.contents(atPath: log).map { String(decoding: $0.suffix(2000), as: UTF8.self) }
        printError("the \(name) did not start" + (said.map { $0.isEmpty ? "" : ":\n\($0)" } ?? ""))
        throw Failure.temporary
    }

    /// Starts a stand-in that has the world of a scenario file with settings, and waits until it is ready.
    ///
    /// - Parameter options: More of its options.
    static func standIn(
        _ file: String,
        settings: [String],
        speed: Double,
        options: [String] = []
    ) async throws -> ChildProcess {
        let scratch = try ScratchDirectory()
        let arguments = [
            file, "--speed", "\(speed)", "--port", "0", "--write-ca", scratch.path("ca.pem"), "--write-key",
            scratch.path("key.p8"), "--no-screens",
        ]
        return try await ChildProcess(
            CompanionProgram("apns"),
            "stand-in",
            in: scratch,
            arguments: arguments + options + settings.flatMap { ["--set", $0] }
        )
    }

    /// Stops it; its files go with it.
    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}

/// A directory for the files of one run, which only this user can read and which goes with its last holder.
final class ScratchDirectory: Sendable {
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory
            .appending(path: "freshet-\(ProcessInfo.processInfo.processIdentifier)-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(
            at: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    var path: String { directory.path }

    func path(_ name: String) -> String { directory.appending(path: name).path }

    /// Writes a file that its owner alone can read.
    func write(_ text: String, to name: String) throws -> String {
        try writeWholeOrExit(text, to: path(name), mode: 0o600)
        return path(name)
    }
}
