import Foundation
import LoadGenerator
import Shell

/// A child process that runs a companion program for one run, with a scratch directory that is removed with it.
final class ChildProcess: Sendable {
    /// The contents of its ready file.
    let ready: ReadyFile
    private let process: Process
    private let scratch: ScratchDirectory
    /// Its standard input, which closes when this process ends, so that the child process stops.
    private let leash = Pipe()

    /// Starts a command and waits until it is ready.
    ///
    /// - Parameters:
    ///   - name: The name of the program in messages.
    ///   - scratch: The directory for its files, which is removed with the process.
    ///   - arguments: Its arguments except for the options of its ready file and its end.
    /// - Throws: The exit code of a missing input if there is no such program, of a temporary failure if it does not become
    ///   ready; the reason is printed.
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
        // A running process may still become ready; after two minutes, even on a busy machine, it hangs.
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

    /// Starts a stand-in for a scenario file with settings, and waits until it is ready.
    ///
    /// - Parameter options: Further options of the stand-in.
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

    /// Stops the process, unless it has stopped.
    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }
}

/// A directory for the files of one run, which only this user can read.
///
/// It is removed with the last reference to it.
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

    /// Writes a file that only its owner can read.
    func write(_ text: String, to name: String) throws -> String {
        try writeWholeOrExit(text, to: path(name), mode: 0o600)
        return path(name)
    }
}
