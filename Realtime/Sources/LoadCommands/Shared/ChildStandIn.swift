import LoadGenerator
import Reporting

/// A stand-in that is started for one run, as a process of its own.
struct ChildStandIn: Sendable {
    private let process: ChildProcess

    /// What it has said of itself.
    var ready: ReadyFile { process.ready }

    /// Starts a stand-in with a scenario, seed and settings as its arguments, and waits until it is ready.
    static func start(_ arguments: [String], speed: Double) async throws -> ChildStandIn {
        let scratch = try ScratchDirectory()
        let process = try await ChildProcess(
            CompanionProgram("apns"),
            "stand-in",
            in: scratch,
            arguments: arguments + [
                "--speed", "\(speed)", "--port", "0", "--write-ca", scratch.path("ca.pem"),
                "--write-key", scratch.path("key.p8"), "--no-screens",
            ]
        )
        return ChildStandIn(process: process)
    }

    func stop() { process.stop() }
}
