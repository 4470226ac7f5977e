public import Foundation
import TestSupport

/// A built program that runs beside a test, with its streams in files; it ends with the test at the latest.
public final class RunningProgram {
    /// The started process.
    public let process: Process
    private let streams = Scratch()

    /// Starts a program.
    public init(_ line: Command.Line, program: String = "freshet", in directory: URL? = nil) throws {
        process = Command.process(line, program: program)
        process.currentDirectoryURL = directory
        process.standardOutput = FileHandle(forWritingAtPath: try streams.write("", to: "output"))
        process.standardError = FileHandle(forWritingAtPath: try streams.write("", to: "errors"))
        try process.run()
    }

    deinit { stop() }

    /// The text on standard output so far.
    public var output: String { text("output") }

    /// The text on standard error so far.
    public var errors: String { text("errors") }

    private func text(_ name: String) -> String {
        String(decoding: FileManager.default.contents(atPath: streams.path(name)) ?? Data(), as: UTF8.self)
    }

    /// Waits until a condition holds, and blocks its thread; false if the program ends without it.
    public func waits(until condition: () -> Bool) -> Bool {
        _ = waitUntil { condition() || !process.isRunning }
        return condition()
    }

    /// Waits until standard error has a text; false if the program ends without it.
    public func says(_ text: String) -> Bool { waits { errors.contains(text) } }

    /// Sends a signal.
    public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for the end and returns the exit code; nil for an end by a signal.
    public func end() -> Int32? {
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : nil
    }

    /// Ends the program if it is still running.
    public func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }
}
