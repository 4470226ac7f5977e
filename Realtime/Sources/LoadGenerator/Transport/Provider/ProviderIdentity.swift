import Foundation
import Signatures
import TextFormats

/// The identity of a provider: a team and its key, which signs provider tokens.
///
/// Source: Apple, "Establishing a token-based connection to APNs".
package struct ProviderIdentity: Sendable {
    private let key: P256PrivateKey
    private let keyID: String
    private let teamID: String

    /// The interval between new tokens; Apple requires one at least every 60 minutes and at most every 20 minutes.
    static var refreshInterval: Duration { .seconds(40 * 60) }

    /// An identity.
    ///
    /// - Parameters:
    ///   - key: The contents of the `.p8` file: a private key of the curve P-256 in PEM.
    ///   - keyID: The key's id, ten characters.
    ///   - teamID: The team's id, ten characters.
    package init(key: String, keyID: String, teamID: String) throws(ProviderIdentityError) {
        guard let key = try? P256PrivateKey(pem: key) else { throw ProviderIdentityError() }
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
    }

    /// Returns the value of the header `authorization`, with a new token issued now by the wall clock.
    package func authorization() throws -> String {
        var header = JSONText()
        header.add("alg", "ES256")
        header.add("kid", keyID)
        header.add("typ", "JWT")
        var claims = JSONText()
        claims.add("iss", teamID)
        claims.add("iat", Int64(Date.now.timeIntervalSince1970))
        let signed = [header, claims].map { base64URL($0.document.utf8) }.joined(separator: ".")
        return "bearer \(signed).\(base64URL(try key.signature(of: Array(signed.utf8))))"
    }

    private func base64URL(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

/// The reason why there is no provider identity; it reveals nothing of the file's contents.
package struct ProviderIdentityError: Error, CustomStringConvertible {
    /// The problem and what is allowed.
    package var description: String {
        "the provider's key cannot be read; allowed: a private key of the curve P-256 in PEM, as in a .p8 file"
    }
}
