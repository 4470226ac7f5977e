import CommandShell
import Foundation

/// A stand-in that is started for one run, as a process of its own.
struct OwnStandIn {
    /// What it says of itself once it is ready.
    struct Ready: Decodable, Sendable {
        let port: Int
        let ca: String?
        let key: String?
        let kid: String?
        let team: String?
    }

    let ready: Ready
    private let process: Process
    private let directory: URL

    /// Starts a stand-in and waits until it is ready.
    ///
    /// - Parameter arguments: Its scenario, seed and settings.
    static func start(_ arguments: [String], speed: Double) async throws -> OwnStandIn {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "freshet-\(ProcessInfo.processInfo.processIdentifier)-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(
            at: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        func file(_ name: String) -> String { directory.appending(path: name).path }
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments =
            ["apns"] + arguments + [
                "--speed", "\(speed)", "--port", "0", "--ready-file", file("ready.json"), "--write-ca", file("ca.pem"),
                "--write-key", file("key.p8"), "--lifetime", "24h", "--no-screens",
            ]
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        for _ in 0..<600 {
            if let bytes = FileManager.default.contents(atPath: file("ready.json")),
                let ready = try? JSONDecoder().decode(Ready.self, from: bytes)
            {
                return OwnStandIn(ready: ready, process: process, directory: directory)
            }
            guard process.isRunning else { break }
            try await Task.sleep(for: .milliseconds(50))
        }
        process.terminate()
        try? FileManager.default.removeItem(at: directory)
        printError("the stand-in did not start; `freshet apns` with the same scenario says why")
        throw Failure.temporary
    }

    /// Stops it.
    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: directory)
    }
}
