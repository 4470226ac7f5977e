import APNsStandIn
import Foundation
import NIOConcurrencyHelpers
import Signatures
import Testing

/// A stand-in with its authority and a provider key, for the duration of a test.
struct TestServer {
    let standIn: StandIn
    let authority: String
    let signer: P256PrivateKey
    private let connections = NIOLockedValueBox<[TestProvider]>([])

    /// The path of pushes to some token.
    static let path = "/3/device/" + String(repeating: "0a", count: 80)

    static func running<Value>(
        with change: Change? = nil,
        _ body: (TestServer) async throws -> Value
    ) async throws -> Value {
        let identity = try ServerIdentity.throwAway()
        let signer = try P256PrivateKey()
        var configuration = StandInConfiguration(identity: identity)
        // A handshake has no time limit here.
        configuration.patienceSeconds = 600
        configuration.providerKeys = [ProviderKey(id: "KEYKEYKEYK", team: "TEAMTEAMTE", publicKey: signer.publicKey)]
        change?.make(&configuration)
        let standIn = try await StandIn.start(configuration)
        let server = TestServer(standIn: standIn, authority: identity.authorityPEM ?? "", signer: signer)
        do {
            let value = try await body(server)
            await server.stop()
            return value
        } catch {
            await server.stop()
            throw error
        }
    }

    /// Runs a stand-in with one connection to it.
    ///
    /// - Parameter body: The test, with the fields of a valid push.
    static func connected(
        with change: Change? = nil,
        _ body: (TestServer, TestProvider, _ fields: [(String, String)]) async throws -> Void
    ) async throws {
        try await running(with: change) { server in
            try await body(server, server.connect(), server.fields())
        }
    }

    private func stop() async {
        for provider in connections.withLockedValue({ $0 }) { await provider.close() }
        await standIn.stop()
    }

    /// Opens a connection that is closed before the stand-in stops, unless it should receive the GOAWAY.
    func connect(
        protocols: [String] = ["h2"],
        certificate: TestCertificate? = nil,
        staysOpen: Bool = false
    ) async throws -> TestProvider {
        let provider = try await TestProvider.connect(
            to: standIn.port,
            authority: authority,
            protocols: protocols,
            certificate: certificate
        )
        if !staysOpen { connections.withLockedValue { $0.append(provider) } }
        return provider
    }

    /// Returns the status of a valid push over its own connection.
    func statusOfPush() async throws -> String {
        try await connect().request(1, path: Self.path, fields()).status
    }

    /// Returns a provider token; `iat` as JSON.
    func token(
        issuedAt: String? = nil,
        header: String = #"{"alg":"ES256","kid":"KEYKEYKEYK"}"#,
        team: String = "TEAMTEAMTE",
        signer: P256PrivateKey? = nil
    ) throws -> String {
        let issuedAt = issuedAt ?? String(Int(Date().timeIntervalSince1970))
        return try Self.token(header, #"{"iss":"\#(team)","iat":\#(issuedAt)}"#, by: signer ?? self.signer)
    }

    /// Returns a provider token with claims, in JSON.
    func token(claims: String) throws -> String {
        try Self.token(#"{"alg":"ES256","kid":"KEYKEYKEYK"}"#, claims, by: signer)
    }

    /// Returns a provider token with a header and claims, in JSON.
    static func token(_ header: String, _ claims: String, by signer: P256PrivateKey) throws -> String {
        let signed = base64URL(Data(header.utf8)) + "." + base64URL(Data(claims.utf8))
        return "bearer " + signed + "." + base64URL(Data(try signer.signature(of: Array(signed.utf8))))
    }

    /// Returns the fields of a valid push.
    func fields(_ token: String? = nil) throws -> [(String, String)] {
        Self.fields(token: try token ?? self.token())
    }

    /// Returns the fields of a valid push with a provider token.
    static func fields(token: String) -> [(String, String)] {
        [
            ("authorization", token), ("apns-topic", "a.b.push-type.liveactivity"), ("apns-push-type", "liveactivity"),
        ]
    }

    func metric(_ line: String) async throws -> Int? {
        let text = try await standIn.metrics()
        return text.split(separator: "\n").first { $0.hasPrefix(line + " ") }
            .flatMap { Int($0.dropFirst(line.utf8.count + 1)) }
    }

    /// Waits for a metric's value.
    func eventually(_ line: String, is value: Int) async throws {
        var last: Int?
        do {
            try await TestServer.eventually {
                last = try await metric(line)
                return last == value ? () : nil
            }
        } catch is TestProvider.Late {
            Issue.record("\(line) is \(last ?? -1), not \(value)")
        }
    }

    /// Waits for a condition that gives no signal; after ten minutes it ends a test that would otherwise hang.
    static func eventually<Value>(_ value: () async throws -> Value?) async throws -> Value {
        let limit = ContinuousClock.now + .seconds(600)
        while ContinuousClock.now < limit {
            if let value = try await value() { return value }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw TestProvider.Late()
    }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }
}

/// The unusual settings of a stand-in.
struct Change {
    let make: (inout StandInConfiguration) -> Void

    init<Value>(_ path: WritableKeyPath<StandInConfiguration, Value>, _ value: Value) {
        make = { $0[keyPath: path] = value }
    }

    init(_ make: @escaping (inout StandInConfiguration) -> Void) {
        self.make = make
    }
}
