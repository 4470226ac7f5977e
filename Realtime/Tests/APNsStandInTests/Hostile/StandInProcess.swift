import CommandTestSupport
import Foundation
import Signatures
import TestSupport
import Wire

@testable import APNsStandIn

/// `freshet-apns` as a separate process, with its own memory, descriptors and threads.
final class StandInProcess {
    struct NotReady: Error {}

    /// The addresses of the stand-in.
    struct Address: Sendable {
        let port: Int
        /// Its authority's certificate (PEM).
        let authority: String
    }

    let address: Address
    private let process: Process
    private let scratch = Scratch()
    private let key: P256PrivateKey
    private let header: String
    private let team: String

    init(_ arguments: [String] = []) async throws {
        process = Command.process("--port 0 --ready-file apns.json --lifetime 5m \(arguments)", program: "freshet-apns")
        process.currentDirectoryURL = scratch.url
        process.standardError = FileHandle.nullDevice
        try process.run()
        let path = scratch.path("apns.json")
        try await TestServer.eventually { [process] in
            FileManager.default.fileExists(atPath: path) || !process.isRunning ? () : nil
        }
        guard
            let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path))) as? [String: Any],
            let port = json["port"] as? Int, let ca = json["ca"] as? String, let key = json["key"] as? String,
            let kid = json["kid"] as? String, let team = json["team"] as? String
        else { throw NotReady() }
        self.team = team
        header = #"{"alg":"ES256","kid":"\#(kid)"}"#
        let files = scratch.url
        let authority = try String(contentsOf: URL(filePath: ca, relativeTo: files), encoding: .utf8)
        address = Address(port: port, authority: authority)
        let pem = try String(contentsOf: URL(filePath: key, relativeTo: files), encoding: .utf8)
        self.key = try P256PrivateKey(pem: pem)
    }

    deinit { stop() }

    /// The process id.
    var processID: Int32 { process.processIdentifier }

    var isRunning: Bool { process.isRunning }

    /// Returns the fields of a valid push.
    func fields() throws -> [(String, String)] {
        let claims = #"{"iss":"\#(team)","iat":\#(Int(Date().timeIntervalSince1970))}"#
        return TestServer.fields(token: try TestServer.token(header, claims, by: key))
    }

    private func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }
}
