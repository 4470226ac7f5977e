import ArgumentParser
import CommandShell
import Foundation
import LoadTransport

/// Which endpoint is put under load, and who vouches for the pushes.
struct LoadAPNsTarget: ParsableArguments {
    @Option(help: "https://HOST:PORT, or http://HOST:PORT without TLS.")
    var endpoint: String?

    @Option(help: "apns, or netmera: Netmera's REST calls, over HTTP/1.1.")
    var `protocol` = LoadProtocol.apns

    @Option(help: "What X-netmera-api-key says.")
    var netmeraKey: String?

    @Option(help: "What `freshet apns --ready-file` has written: port, certificate and key.", completion: .file())
    var readyFile: String?

    @Option(help: "Certificates (PEM) by which the endpoint is known; the system's without.", completion: .file())
    var ca: String?

    @Flag(help: "Take any certificate. For trials on one's own machine.")
    var insecureSkipVerify = false

    @Option(help: "The provider's key (.p8). Without one, pushes carry no token.", completion: .file())
    var key: String?

    @Option(help: "The key's id.")
    var keyId: String?

    @Option(help: "The team's id.")
    var teamId: String?

    func validate() throws {
        guard (endpoint == nil) != (readyFile == nil) else {
            throw ValidationError("one of --endpoint and --ready-file says where pushes go")
        }
        guard (key == nil) == (keyId == nil), (key == nil) == (teamId == nil) else {
            throw ValidationError("--key, --key-id and --team-id go together")
        }
    }

    /// The target, with what a ready file says filled in.
    func resolved() throws -> LoadAPNsTarget {
        guard let readyFile else { return self }
        guard let bytes = FileManager.default.contents(atPath: readyFile) else {
            printError("\(readyFile): there is no such file")
            throw Failure.inputMissing
        }
        guard let ready = try? LoadAPNsTarget.decoder.decode(Ready.self, from: bytes) else {
            printError("\(readyFile): not what `freshet apns --ready-file` writes")
            throw Failure.badData
        }
        var target = self
        if self.protocol == .netmera {
            guard let port = ready.netmeraPort else {
                printError("\(readyFile): without a Netmera port; `freshet apns --netmera-port` makes one")
                throw Failure.badData
            }
            target.endpoint = "http://127.0.0.1:\(port)"
            return target
        }
        target.endpoint = "https://localhost:\(ready.port)"
        target.ca = ca ?? ready.ca
        if key == nil, ready.key != nil {
            target.key = ready.key
            target.keyId = ready.kid
            target.teamId = ready.team
        }
        return target
    }

    /// Where pushes go; precondition: ``resolved()``.
    func url() throws -> APNsEndpoint {
        let trust: APNsEndpoint.Trust = insecureSkipVerify ? .nobodyAsked : ca.map { .file($0) } ?? .system
        guard let text = endpoint, let endpoint = APNsEndpoint(url: text, trust: trust) else {
            throw ValidationError("--endpoint must be https://HOST:PORT or http://HOST:PORT, got \(endpoint ?? "")")
        }
        return endpoint
    }

    /// Who vouches; nil where nobody does.
    func provider() async throws -> ProviderIdentity? {
        guard let key, let keyId, let teamId else { return nil }
        guard let pem = try? String(contentsOfFile: key, encoding: .utf8) else {
            printError("\(key): cannot be read")
            throw Failure.inputMissing
        }
        do throws(ProviderIdentityError) {
            return try await ProviderIdentity(key: pem, keyID: keyId, teamID: teamId)
        } catch {
            printError("\(key): \(error)")
            throw Failure.badData
        }
    }

    private static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    private struct Ready: Decodable {
        let port: Int
        let netmeraPort: Int?
        let ca: String?
        let key: String?
        let kid: String?
        let team: String?
    }
}

/// What is spoken with an endpoint.
enum LoadProtocol: String, ExpressibleByArgument, CaseIterable {
    case apns, netmera
}
