import Foundation
import InputFiles
import NIOSSL
import Signatures

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
        // A clock that is slightly behind must not cause a refusal.
        let now = Int64(Date.now.timeIntervalSince1970)
        let validity = now - 3600...now + 30 * 86_400
        let authorityKey = try P256PrivateKey()
        let authority = try Certificate(
            for: authorityKey.publicKey,
            name: "freshet, an authority for tests",
            validity: validity,
            extensions: [
                ("basicConstraints", "critical,CA:TRUE,pathlen:0"), ("keyUsage", "critical,keyCertSign"),
                ("subjectKeyIdentifier", "hash"),
            ],
            signer: authorityKey
        )
        let key = try P256PrivateKey()
        let certificate = try Certificate(
            for: key.publicKey,
            name: "localhost",
            validity: validity,
            extensions: [
                ("basicConstraints", "critical,CA:FALSE"), ("keyUsage", "critical,digitalSignature"),
                ("extendedKeyUsage", "serverAuth"), ("subjectAltName", "DNS:localhost,IP:127.0.0.1,IP:::1"),
                // Python's verification requires the identifier of the signing key.
                ("authorityKeyIdentifier", "keyid:always"),
            ],
            issuer: authority,
            signer: authorityKey
        )
        return ServerIdentity(
            chain: [.certificate(try NIOSSLCertificate(bytes: certificate.der, format: .der))],
            key: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.pem.utf8), format: .pem)),
            authorityPEM: try authority.pem
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
}
