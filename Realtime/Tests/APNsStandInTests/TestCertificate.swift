import Crypto
import Foundation
import SwiftASN1
import X509

/// A self-signed certificate for a provider.
struct TestCertificate {
    let der: [UInt8]
    /// The private key (PEM).
    let key: String

    /// - Parameters:
    ///   - end: The end of its validity.
    ///   - environments: The last numbers of Apple's extensions for them: 1 is development, 2 production.
    init(validUntil end: Date = .now + 3600, environments: [UInt] = []) throws {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("a provider of tests") }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: .init(),
            publicKey: Certificate.PrivateKey(key).publicKey,
            notValidBefore: .now - 7200,
            notValidAfter: end,
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions(
                environments.map {
                    Certificate.Extension(
                        oid: [1, 2, 840, 113_635, 100, 6, 3, $0],
                        critical: false,
                        value: [5, 0]
                    )
                }
            ),
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        der = serializer.serializedBytes
        self.key = key.pemRepresentation
    }
}
