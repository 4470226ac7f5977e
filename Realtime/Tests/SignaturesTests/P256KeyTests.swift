import Foundation
import Signatures
import Testing

/// The known answer of RFC 7515, appendix A.3, and keys and signatures that must be refused.
@Suite struct P256KeyTests {
    /// The appendix's key in PKCS #8, as in a `.p8` file.
    private static let privatePEM = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgjpsQnnGQmL+YBIff
        H1136cspYG6+0iY7X1fCE9+E9LKhRANCAAR/zc4ncPbEXUGDy+5v20t7WAczNXvp
        7xO6z248e9FURcfxRM0bvZt+hyzf7bnuufSzaV1uqQskrYpGIyiFiOWt
        -----END PRIVATE KEY-----

        """

    /// The key in SEC 1, as `openssl ecparam -genkey` writes it.
    private static let sec1PEM = """
        -----BEGIN EC PARAMETERS-----
        BggqhkjOPQMBBw==
        -----END EC PARAMETERS-----
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEII6bEJ5xkJi/mASH3x9dd+nLKWBuvtImO19XwhPfhPSyoAoGCCqGSM49
        AwEHoUQDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEXH8UTNG72b
        focs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        -----END EC PRIVATE KEY-----
        """

    private static let publicPEM = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
        6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        -----END PUBLIC KEY-----
        """

    private static let message = Array(
        ("eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
            + "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ")
            .utf8
    )

    private static let signature = Array(
        Data(
            base64Encoded: "DtEhU3ljbEg8L38VWAfUAqOyKAM6+Xx+F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3+Kg6NU1Q=="
        ) ?? Data()
    )

    @Test("The RFC's signature is valid for its key, in every notation")
    func knownAnswer() throws {
        let keys = [
            try P256PublicKey(pem: Self.publicPEM), try P256PrivateKey(pem: Self.privatePEM).publicKey,
            try P256PrivateKey(pem: Self.sec1PEM).publicKey,
        ]
        for key in keys { #expect(key.isValid(Self.signature, of: Self.message)) }
    }

    @Test("Every signature with a changed bit is refused")
    func changedBits() throws {
        let key = try P256PublicKey(pem: Self.publicPEM)
        for bit in 0..<512 {
            var signature = Self.signature
            signature[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!key.isValid(signature, of: Self.message), "bit \(bit)")
        }
    }

    @Test("A signature of the wrong length, out of range, of another message or by another key is refused")
    func otherSignatures() throws {
        let key = try P256PublicKey(pem: Self.publicPEM)
        let (r, s) = (Array(Self.signature[..<32]), Array(Self.signature[32...]))
        let zero = [UInt8](repeating: 0, count: 32)
        let refused: [[UInt8]] = [
            [], r, zero + s, r + zero, zero + zero, Array(repeating: 0xFF, count: 64), s + r, Self.signature + [0],
            [0] + Self.signature, Self.signature.dropLast(),
        ]
        for signature in refused { #expect(!key.isValid(signature, of: Self.message), "\(signature)") }
        #expect(!key.isValid(Self.signature, of: Self.message + [0]))
        #expect(!key.isValid(Self.signature, of: []))
        #expect(try !P256PrivateKey().publicKey.isValid(Self.signature, of: Self.message))
    }

    @Test("A generated key signs, and PEM preserves it")
    func generated() throws {
        // Enough signatures that some r and s begin with a zero byte.
        for _ in 0..<300 {
            let key = try P256PrivateKey()
            let signature = try key.signature(of: Self.message)
            #expect(signature.count == 64)
            #expect(try P256PrivateKey(pem: key.pem).publicKey.isValid(signature, of: Self.message))
        }
        #expect(try P256PrivateKey(pem: Self.privatePEM).pem == Self.privatePEM)
    }

    @Test("One key signs and verifies on several threads at once")
    func threads() async throws {
        let key = try P256PrivateKey()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for count in 0..<100 {
                        let message = Array("\(thread).\(count)".utf8)
                        let signature = try key.signature(of: message)
                        #expect(key.publicKey.isValid(signature, of: message))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("A text without a usable key of the curve is refused", arguments: UnusableKey.allCases)
    func refusedKeys(key: UnusableKey) {
        #expect(throws: LibcryptoError.self) { try P256PrivateKey(pem: key.pem) }
        #expect(throws: LibcryptoError.self) { try P256PublicKey(pem: key.pem) }
    }

    @Test("A public key is not read as a private key, nor a private key as a public one")
    func otherKind() {
        #expect(throws: LibcryptoError.self) { try P256PrivateKey(pem: Self.publicPEM) }
        #expect(throws: LibcryptoError.self) { try P256PublicKey(pem: Self.privatePEM) }
    }
}
