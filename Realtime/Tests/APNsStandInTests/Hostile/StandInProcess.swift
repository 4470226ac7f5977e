import CommandTestSupport
import Foundation
import LoadGenerator
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
    private let program: RunningProgram
    private let scratch = Scratch()
    private let key: P256PrivateKey
    private let header: String
    private let team: String

    init(_ arguments: [String] = []) async throws {
        let line: Command.Line = "--port 0 --ready-file apns.json --lifetime 5m \(arguments)"
        let program = try RunningProgram(line, program: "freshet-apns", in: scratch.url)
        self.program = program
        let path = scratch.path("apns.json")
        try await TestServer.eventually { [process = program.process] in
            FileManager.default.fileExists(atPath: path) || !process.isRunning ? () : nil
        }
        guard let ready = ReadyFile(Array(try Data(contentsOf: URL(filePath: path)))),
            let ca = ready.ca, let key = ready.key, let kid = ready.kid, let team = ready.team
        else { throw NotReady() }
        self.team = team
        header = #"{"alg":"ES256","kid":"\#(kid)"}"#
        let files = scratch.url
        let authority = try String(contentsOf: URL(filePath: ca, relativeTo: files), encoding: .utf8)
        address = Address(port: ready.port, authority: authority)
        let pem = try String(contentsOf: URL(filePath: key, relativeTo: files), encoding: .utf8)
        self.key = try P256PrivateKey(pem: pem)
    }

    /// The process id.
    var processID: Int32 { program.process.processIdentifier }

    var isRunning: Bool { program.process.isRunning }

    /// Returns the fields of a valid push.
    func fields() throws -> [(String, String)] {
        let claims = #"{"iss":"\#(team)","iat":\#(Int(Date().timeIntervalSince1970))}"#
        return TestServer.fields(token: try TestServer.token(header, claims, by: key))
    }
}
