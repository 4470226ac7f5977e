import Crypto
import Experiments
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// The identity of the server: a certificate chain with its private key, and the authority that clients must trust.
package struct ServerIdentity: Sendable {
    let chain: [NIOSSLCertificateSource]
    let key: NIOSSLPrivateKeySource
    /// The authority's certificate (PEM), for clients to trust; `nil` for a given certificate, which they can verify
    /// already.
    package let authorityPEM: String?

    /// Creates a throw-away authority and a certificate from it for this machine: `localhost`, 127.0.0.1 and ::1.
    ///
    /// The authority's key is discarded at once, so it cannot issue another certificate.
    package static func throwAway() throws -> ServerIdentity {
        let authority = try Authority()
        let key = P256.Signing.PrivateKey()
        let certificate = try authority.certify(Certificate.PrivateKey(key).publicKey)
        return ServerIdentity(
            chain: [.certificate(try NIOSSLCertificate(bytes: Array(try pem(certificate).utf8), format: .pem))],
            key: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem)),
            authorityPEM: try pem(authority.certificate)
        )
    }

    /// Reads the identity from two PEM files.
    package static func files(certificate: String, key: String) throws(StandInError) -> ServerIdentity {
        let chainPEM = try contents(of: certificate, "certificate")
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(chainPEM), !chain.isEmpty else {
            throw .malformed("certificate \(certificate): must hold a chain of certificates in PEM")
        }
        let keyPEM = try contents(of: key, "key")
        guard let privateKey = try? NIOSSLPrivateKey(bytes: keyPEM, format: .pem) else {
            throw .malformed("key \(key): must hold a private key in PEM")
        }
        return ServerIdentity(chain: chain.map { .certificate($0) }, key: .privateKey(privateKey), authorityPEM: nil)
    }

    private static func contents(of file: String, _ name: String) throws(StandInError) -> [UInt8] {
        guard let bytes = try? InputFile.bytes(of: file, limit: 1 << 20) else { throw .unreadable("\(name) \(file)") }
        return bytes
    }

    static func pem(_ certificate: Certificate) throws -> String {
        try certificate.serializeAsPEM().pemString + "\n"
    }

    /// A temporary certificate authority.
    private struct Authority {
        let certificate: Certificate
        private let key: Certificate.PrivateKey

        init() throws {
            key = Certificate.PrivateKey(P256.Signing.PrivateKey())
            let publicKey = key.publicKey
            let name = try DistinguishedName { CommonName("freshet, an authority for tests") }
            certificate = try Authority.certify(publicKey, as: name, by: name, key) {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true))
                SubjectKeyIdentifier(hash: publicKey)
            }
        }

        func certify(_ publicKey: Certificate.PublicKey) throws -> Certificate {
            let name = try DistinguishedName { CommonName("localhost") }
            return try Authority.certify(publicKey, as: name, by: certificate.subject, key) {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames([
                    .dnsName("localhost"),
                    .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
                    .ipAddress(ASN1OctetString(contentBytes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])),
                ])
                // Python's verification requires the identifier of the signing key.
                AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: key.publicKey).keyIdentifier)
            }
        }

        private static func certify(
            _ publicKey: Certificate.PublicKey,
            as subject: DistinguishedName,
            by issuer: DistinguishedName,
            _ key: Certificate.PrivateKey,
            @ExtensionsBuilder extensions: () throws -> Result<Certificate.Extensions, any Error>
        ) throws -> Certificate {
            try Certificate(
                version: .v3,
                serialNumber: .init(),
                publicKey: publicKey,
                // A clock that is slightly behind must not cause a refusal.
                notValidBefore: Date(timeIntervalSinceNow: -3600),
                notValidAfter: Date(timeIntervalSinceNow: 30 * 86400),
                issuer: issuer,
                subject: subject,
                signatureAlgorithm: .ecdsaWithSHA256,
                extensions: try Certificate.Extensions(builder: extensions),
                issuerPrivateKey: key
            )
        }
    }
}
