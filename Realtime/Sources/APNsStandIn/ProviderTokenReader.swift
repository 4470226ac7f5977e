import Foundation
import Signatures
import TextFormats
import Wire

/// Reads provider tokens and verifies their signatures, each token once.
///
/// Verification takes a tenth of a millisecond, so its result is kept by the token's text; the other work per request
/// compares integers.
///
/// A token is read as RFC 7515 and RFC 7519 require: `alg` must be ES256, `iat` must be a number, with or without
/// decimals, `kid` and `iss` must be non-empty texts, and no `crit` extension is known here. `typ` is optional; other
/// members are ignored.
final class ProviderTokenReader {
    private let keys: [String: ProviderKey]
    private let checksSignatures: Bool
    private let environment: ProviderKey.Environment
    /// Results by the text of the header field; bounded, so that a flood of tokens cannot fill the memory.
    private var known: [String: Result<ProviderClaims, APNsResponseReason>] = [:]
    private static var mostKnown: Int { 4096 }

    /// - Parameter environment: The environment in which tokens must be valid.
    init(keys: [ProviderKey], checksSignatures: Bool, environment: ProviderKey.Environment) {
        self.keys = Dictionary(keys.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        self.checksSignatures = checksSignatures
        self.environment = environment
    }

    /// Returns the claims in an `authorization` field.
    func read(_ authorization: String) -> Result<ProviderClaims, APNsResponseReason> {
        if let result = known[authorization] { return result }
        let result = judge(authorization)
        if known.count >= ProviderTokenReader.mostKnown { known.removeAll(keepingCapacity: true) }
        known[authorization] = result
        return result
    }

    private func judge(_ authorization: String) -> Result<ProviderClaims, APNsResponseReason> {
        let scheme = authorization.prefix(7)
        guard scheme.lowercased() == "bearer " else { return .failure(.wire(.missingProviderToken)) }
        let token = authorization.dropFirst(7)
        guard !token.isEmpty else { return .failure(.wire(.missingProviderToken)) }
        let invalid = Result<ProviderClaims, APNsResponseReason>.failure(.wire(.invalidProviderToken))
        // No real token is nearly as long.
        guard token.utf8.count <= 4096 else { return invalid }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = members(parts[0]), let claims = members(parts[1]),
            let kid = header["kid"]?.text, let team = claims["iss"]?.text, !kid.isEmpty, !team.isEmpty,
            header["alg"]?.text == "ES256", header["typ"].map({ $0.text != nil }) ?? true, header["crit"] == nil,
            let issuedAt = claims["iat"]?.number.flatMap({ ProviderClaims.seconds(ofIssuedAt: $0) })
        else { return invalid }
        let key = keys[kid]
        if checksSignatures {
            guard let key, key.team == team, let signature = bytes(base64URL: parts[2]),
                key.publicKey.isValid(Array(signature), of: Array("\(parts[0]).\(parts[1])".utf8))
            else { return invalid }
        }
        guard (key?.environment ?? environment) == environment else {
            return .failure(.wire(.badEnvironmentKeyIDInToken))
        }
        return .success(ProviderClaims(keyID: kid, team: team, issuedAt: issuedAt, topics: Set(key?.topics ?? [])))
    }

    private func members(_ part: Substring) -> JSONMembers? {
        bytes(base64URL: part).flatMap { try? JSONMembers(Array($0)) }
    }

    private func bytes(base64URL text: Substring) -> Data? {
        var text = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text)
    }
}
