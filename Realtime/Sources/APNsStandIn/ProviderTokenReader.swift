import Crypto
import Foundation
import Wire

/// Reads provider tokens and verifies their signatures, each token once.
///
/// Verification takes a tenth of a millisecond, so what was found is remembered by the token's text; what is left to do per
/// request compares integers. By hand rather than by a JWT library: real providers send `iat` as an integer, a fraction or
/// a string and leave `alg` out, which such libraries rightly refuse.
final class ProviderTokenReader {
    private let keys: [String: ProviderKey]
    private let checksSignatures: Bool
    private let environment: ProviderKey.Environment
    /// By the text of the header field.
    ///
    /// Bounded: a flood of tokens must not fill the memory.
    private var known: [String: Result<ProviderClaims, Refusal>] = [:]
    private static var mostKnown: Int { 4096 }

    struct Refusal: Error, Hashable {
        let reason: APNsResponseReason
    }

    /// - Parameter environment: That in which tokens have to be good.
    init(keys: [ProviderKey], checksSignatures: Bool, environment: ProviderKey.Environment) {
        self.keys = Dictionary(keys.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        self.checksSignatures = checksSignatures
        self.environment = environment
    }

    /// What the value of an `authorization` field says.
    func read(_ authorization: String) -> Result<ProviderClaims, Refusal> {
        if let result = known[authorization] { return result }
        let result = judge(authorization)
        if known.count >= ProviderTokenReader.mostKnown {
            known.removeAll(keepingCapacity: true)
        }
        known[authorization] = result
        return result
    }

    private func judge(_ authorization: String) -> Result<ProviderClaims, Refusal> {
        let scheme = authorization.prefix(7)
        guard scheme.lowercased() == "bearer " else { return .failure(Refusal(reason: .missingProviderToken)) }
        let token = authorization.dropFirst(7)
        guard !token.isEmpty else { return .failure(Refusal(reason: .missingProviderToken)) }
        let invalid = Result<ProviderClaims, Refusal>.failure(Refusal(reason: .invalidProviderToken))
        // No honest token is nearly as long.
        guard token.utf8.count <= 4096 else { return invalid }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = decode(Header.self, parts[0]), let claims = decode(Claims.self, parts[1]),
            header.alg == nil || header.alg == "ES256",
            let issuedAt = ProviderClaims.seconds(ofIssuedAt: claims.iat.value)
        else { return invalid }
        let key = keys[header.kid]
        if checksSignatures {
            guard let key, key.team == claims.iss, let bytes = bytes(base64URL: parts[2]),
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes),
                key.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
            else { return invalid }
        }
        guard (key?.environment ?? environment) == environment else {
            return .failure(Refusal(reason: .badEnvironmentKeyIDInToken))
        }
        return .success(
            ProviderClaims(keyID: header.kid, team: claims.iss, issuedAt: issuedAt, topics: Set(key?.topics ?? []))
        )
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ part: Substring) -> Value? {
        bytes(base64URL: part).flatMap { try? JSONDecoder().decode(type, from: $0) }
    }

    private func bytes(base64URL text: Substring) -> Data? {
        var text = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text)
    }

    private struct Header: Decodable {
        let kid: String
        let alg: String?
    }

    private struct Claims: Decodable {
        let iss: String
        let iat: IssuedAt
    }

    /// A number, or a string that holds one.
    private struct IssuedAt: Decodable {
        let value: Double

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                value = number
                return
            }
            guard let number = Double(try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "no number")
            }
            value = number
        }
    }
}
