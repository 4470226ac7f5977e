import Foundation
import JWTKit

/// The identity of a provider: a team and its key, which signs provider tokens.
///
/// Source: Apple, "Establishing a token-based connection to APNs".
package struct ProviderIdentity: Sendable {
    private let keys: JWTKeyCollection
    private let keyID: JWKIdentifier
    private let teamID: String

    /// The interval between new tokens; Apple requires one at least every 60 minutes and at most every 20 minutes.
    static var refreshInterval: Duration { .seconds(40 * 60) }

    /// An identity.
    ///
    /// - Parameters:
    ///   - key: The contents of the `.p8` file: a private key of the curve P-256 in PEM.
    ///   - keyID: The key's id, ten characters.
    ///   - teamID: The team's id, ten characters.
    package init(key: String, keyID: String, teamID: String) async throws(ProviderIdentityError) {
        let identifier = JWKIdentifier(string: keyID)
        let keys = JWTKeyCollection()
        do {
            await keys.add(ecdsa: try ES256PrivateKey(pem: key), kid: identifier)
        } catch {
            throw ProviderIdentityError()
        }
        self.keys = keys
        self.keyID = identifier
        self.teamID = teamID
    }

    /// The value of the header `authorization`, with a new token issued now by the wall clock.
    package func authorization() async throws -> String {
        let issued = Int64(Date.now.timeIntervalSince1970)
        return "bearer \(try await keys.sign(Claims(iss: teamID, iat: issued), kid: keyID))"
    }

    private struct Claims: JWTPayload {
        var iss: String
        var iat: Int64

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }
}

/// The reason why there is no provider identity; it reveals nothing of the file's contents.
package struct ProviderIdentityError: Error, CustomStringConvertible {
    /// The problem and what is allowed.
    package var description: String {
        "the provider's key cannot be read; allowed: a private key of the curve P-256 in PEM, as in a .p8 file"
    }
}
