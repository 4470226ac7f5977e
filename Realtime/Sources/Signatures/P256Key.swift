import CLibcrypto

/// A private key of the curve P-256, which signs by ECDSA with SHA-256 (ES256 in RFC 7518).
package struct P256PrivateKey: Sendable {
    let key: P256Key
    /// The key that verifies its signatures.
    package let publicKey: P256PublicKey

    /// Generates a key.
    package init() throws(LibcryptoError) {
        try self.init(P256Key.generate())
    }

    /// Reads a key from PEM: PKCS #8, as in a `.p8` file, or SEC 1; not encrypted.
    package init(pem: String) throws(LibcryptoError) {
        try self.init(P256Key(pem: pem, isPrivate: true))
    }

    private init(_ key: P256Key) throws(LibcryptoError) {
        self.key = key
        publicKey = try P256PublicKey(of: key)
    }

    /// The key in PEM (PKCS #8): a secret.
    package var pem: String {
        get throws(LibcryptoError) {
            try Libcrypto.pem { PEM_write_bio_PKCS8PrivateKey($0, key.pointer, nil, nil, 0, nil, nil) }
        }
    }

    /// Returns the signature of a message: r and s, 32 bytes each.
    package func signature(of message: [UInt8]) throws(LibcryptoError) -> [UInt8] {
        let context = try Libcrypto.check(EVP_MD_CTX_new())
        defer { EVP_MD_CTX_free(context) }
        try Libcrypto.check(EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key.pointer))
        // Two integers of at most 33 bytes, and three headers of 2 bytes.
        var der = [UInt8](repeating: 0, count: 72)
        var length = der.count
        try Libcrypto.check(EVP_DigestSign(context, &der, &length, message, message.count))
        let pair = try Libcrypto.read(der: Array(der.prefix(length))) { d2i_ECDSA_SIG(nil, $0, $1) }
        defer { ECDSA_SIG_free(pair) }
        var (r, s) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 0, count: 32))
        try Libcrypto.check(BN_bn2binpad(ECDSA_SIG_get0_r(pair), &r, 32))
        try Libcrypto.check(BN_bn2binpad(ECDSA_SIG_get0_s(pair), &s, 32))
        return r + s
    }
}

/// A public key of the curve P-256.
package struct P256PublicKey: Sendable {
    let key: P256Key

    /// Reads a key from PEM (SubjectPublicKeyInfo).
    package init(pem: String) throws(LibcryptoError) {
        key = try P256Key(pem: pem, isPrivate: false)
    }

    /// The key in PEM (SubjectPublicKeyInfo).
    package var pem: String {
        get throws(LibcryptoError) { try Libcrypto.pem { PEM_write_bio_PUBKEY($0, key.pointer) } }
    }

    fileprivate init(of key: P256Key) throws(LibcryptoError) {
        let der = try Libcrypto.der { i2d_PUBKEY(key.pointer, $0) }
        self.key = P256Key(owning: try Libcrypto.read(der: der) { d2i_PUBKEY(nil, $0, $1) })
    }

    /// Returns `true` if a signature (r and s, 32 bytes each) of a message is by this key.
    package func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard signature.count == 64, let pair = ECDSA_SIG_new() else { return false }
        defer { ECDSA_SIG_free(pair) }
        // The pair owns the two numbers.
        ECDSA_SIG_set0(pair, BN_bin2bn(signature, 32, nil), BN_bin2bn(Array(signature[32...]), 32, nil))
        guard let der = try? Libcrypto.der({ i2d_ECDSA_SIG(pair, $0) }), let context = EVP_MD_CTX_new() else {
            return false
        }
        defer { EVP_MD_CTX_free(context) }
        return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key.pointer) == 1
            && EVP_DigestVerify(context, der, der.count, message, message.count) == 1
    }
}

/// A key of libcrypto, and its only owner.
///
/// `@unchecked Sendable`: nothing changes a key after it was made, and libcrypto allows signing and verifying with one key
/// on several threads at once.
final class P256Key: @unchecked Sendable {
    let pointer: OpaquePointer

    init(owning pointer: OpaquePointer) { self.pointer = pointer }

    /// Reads a key, which must be of the curve and pass libcrypto's check of its numbers.
    init(pem: String, isPrivate: Bool) throws(LibcryptoError) {
        guard Libcrypto.isReady else { throw .latest() }
        // Without this function, libcrypto would ask the terminal for the passphrase of an encrypted key.
        let passphrase: @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32 =
            { _, _, _, _ in -1 }
        pointer = try Libcrypto.check(
            Array(pem.utf8)
                .withUnsafeBufferPointer { bytes in
                    guard let text = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count)) else { return nil }
                    defer { BIO_free(text) }
                    return isPrivate
                        ? PEM_read_bio_PrivateKey(text, nil, passphrase, nil)
                        : PEM_read_bio_PUBKEY(text, nil, passphrase, nil)
                }
        )
        var curve = [CChar](repeating: 0, count: 32)
        guard EVP_PKEY_get_group_name(pointer, &curve, curve.count, nil) == 1, strcmp(curve, SN_X9_62_prime256v1) == 0
        else { throw LibcryptoError(description: "not a key of the curve P-256") }
        let context = try Libcrypto.check(EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil))
        defer { EVP_PKEY_CTX_free(context) }
        try Libcrypto.check(isPrivate ? EVP_PKEY_check(context) : EVP_PKEY_public_check(context))
    }

    static func generate() throws(LibcryptoError) -> P256Key {
        guard Libcrypto.isReady else { throw .latest() }
        let context = try Libcrypto.check(EVP_PKEY_CTX_new_from_name(nil, "EC", nil))
        defer { EVP_PKEY_CTX_free(context) }
        try Libcrypto.check(EVP_PKEY_keygen_init(context))
        try Libcrypto.check(EVP_PKEY_CTX_set_group_name(context, SN_X9_62_prime256v1))
        var key: OpaquePointer?
        try Libcrypto.check(EVP_PKEY_generate(context, &key))
        return P256Key(owning: try Libcrypto.check(key))
    }

    deinit { EVP_PKEY_free(pointer) }
}
