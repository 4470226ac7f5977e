import CommandTestSupport
import Foundation
import LoadGenerator
import NIOCore
import NIOHTTP1
import ServiceLoad
import TestSupport

/// The built command as a user runs it, with a client.
final class MonitorProcess {
    struct NotReady: Error {
        let errors: String
    }

    let port: Int
    private let program: RunningProgram
    private var process: Process { program.process }

    /// Starts the command and waits until it accepts requests.
    init(scratch: Scratch, apnsPort: Int, arguments: [String] = []) async throws {
        let ready = scratch.path("ready.json")
        try? FileManager.default.removeItem(atPath: ready)
        let secret = try scratch.write("\(Fixture.secret)\n", to: "secret")
        chmod(secret, 0o600)
        let program = try RunningProgram(
            """
            --registry \(scratch)/tokens.sqlite --apns http://127.0.0.1:\(apnsPort)
            --topic com.example.rides.push-type.liveactivity --bearer-token-file \(secret) --port 0
            --ready-file \(ready) --lifetime 1h \(arguments)
            """,
            program: "freshet-monitor"
        )
        _ = await eventually { FileManager.default.fileExists(atPath: ready) || !program.process.isRunning }
        guard let file = FileManager.default.contents(atPath: ready).flatMap({ ReadyFile(Array($0)) }) else {
            throw NotReady(errors: program.errors)
        }
        (self.program, port) = (program, file.port)
    }

    /// The process id, for a signal from another thread.
    var processID: Int32 { process.processIdentifier }

    /// Sends `kill -9`; returns when the process has ended.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Sends a signal; returns how the process has ended.
    func end(by signal: Int32) -> (Process.TerminationReason, Int32) {
        Foundation.kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return (process.terminationReason, process.terminationStatus)
    }

    /// Sends `kill`; returns the exit code.
    func terminate() -> Int32 {
        process.terminate()
        process.waitUntilExit()
        return process.terminationStatus
    }
}

/// A client of a monitor.
struct MonitorClient: Sendable {
    private let client: HTTPClient

    init(port: Int) throws {
        client = try HTTPClient("http://127.0.0.1:\(port)", connections: 16, timeout: .seconds(Int64(Patience.seconds)))
    }

    /// Returns the status of the response; throws if there is none.
    func send(_ method: String, _ path: String, _ body: String? = nil) async throws -> Int {
        try await client.send(method, path, headers: Self.secret, body: body).status
    }

    /// Returns the text of a page; throws if there is no response.
    func read(_ path: String) async throws -> String {
        String(buffer: try await client.send("GET", path, headers: Self.secret).body)
    }

    private static var secret: HTTPHeaders { ["authorization": "Bearer \(Fixture.secret)"] }
}
