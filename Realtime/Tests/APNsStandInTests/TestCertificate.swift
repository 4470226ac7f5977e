import Foundation
import Signatures

/// A self-signed certificate for a provider.
struct TestCertificate {
    let der: [UInt8]
    /// The private key (PEM).
    let key: String

    /// - Parameters:
    ///   - end: The end of its validity.
    ///   - environments: The last numbers of Apple's extensions for them: 1 is development, 2 production.
    init(validUntil end: Date = .now + 3600, environments: [UInt] = []) throws {
        let key = try P256PrivateKey()
        let certificate = try Certificate(
            for: key.publicKey,
            name: "a provider of tests",
            validity: Int64(Date.now.timeIntervalSince1970) - 7200...Int64(end.timeIntervalSince1970),
            extensions: environments.map { ("1.2.840.113635.100.6.3.\($0)", "DER:05:00") },
            signer: key
        )
        der = try certificate.der
        self.key = try key.pem
    }
}
