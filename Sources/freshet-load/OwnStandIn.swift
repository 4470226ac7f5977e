import CommandShell
import Foundation

/// A stand-in that is started for one run, as a process of its own.
struct OwnStandIn: Sendable {
    /// What a stand-in says of itself once it is ready.
    struct Ready: Decodable, Sendable {
        let port: Int
        let ca: String?
        let key: String?
        let kid: String?
        let team: String?
    }

    let ready: Ready
    private let process: OwnProcess

    /// Starts a stand-in and waits until it is ready.
    ///
    /// - Parameter arguments: Its scenario, seed and settings.
    static func start(_ arguments: [String], speed: Double) async throws -> OwnStandIn {
        let scratch = try ScratchDirectory()
        let process = try await OwnProcess(
            "stand-in",
            in: scratch,
            arguments: ["apns"] + arguments + [
                "--speed", "\(speed)", "--port", "0", "--write-ca", scratch.path("ca.pem"),
                "--write-key", scratch.path("key.p8"), "--lifetime", "24h", "--no-screens",
            ]
        )
        return OwnStandIn(ready: try process.ready(as: Ready.self), process: process)
    }

    /// Stops it.
    func stop() { process.stop() }
}

extension OwnStandIn.Ready {
    /// Reads what `freshet apns --ready-file` has written, or says what is wrong with it and ends the command.
    static func reading(_ file: String) throws -> OwnStandIn.Ready {
        guard let bytes = FileManager.default.contents(atPath: file) else {
            printError("\(file): there is no such file")
            throw Failure.inputMissing
        }
        guard let ready = try? JSONDecoder().decode(OwnStandIn.Ready.self, from: bytes) else {
            printError("\(file): not what `freshet apns --ready-file` writes")
            throw Failure.badData
        }
        return ready
    }
}
