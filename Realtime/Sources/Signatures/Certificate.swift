import CLibcrypto

/// A certificate (X.509, version 3).
package final class Certificate {
    private let pointer: OpaquePointer

    /// Reads a certificate from DER.
    package init(der: [UInt8]) throws(LibcryptoError) {
        guard Libcrypto.isReady else { throw .latest() }
        pointer = try Libcrypto.read(der: der) { d2i_X509(nil, $0, $1) }
    }

    /// Creates a certificate with a random serial number.
    ///
    /// - Parameters:
    ///   - key: The key that it certifies.
    ///   - name: The common name of its subject.
    ///   - validity: The period of its validity [UNIX s].
    ///   - extensions: Names and values as in OpenSSL's x509v3_config, such as `("keyUsage", "critical,keyCertSign")`.
    ///   - issuer: The certificate of the authority; `nil` for a self-signed one.
    ///   - signer: The key of the authority.
    package init(
        for key: P256PublicKey,
        name: String,
        validity: ClosedRange<Int64>,
        extensions: [(name: String, value: String)],
        issuer: Certificate? = nil,
        signer: P256PrivateKey
    ) throws(LibcryptoError) {
        pointer = try Libcrypto.check(X509_new())
        let (subject, issuer) = (X509_get_subject_name(pointer), issuer?.pointer ?? pointer)
        // Version 3 is written as 2.
        try Libcrypto.check(X509_set_version(pointer, 2))
        try Libcrypto.check(ASN1_INTEGER_set_uint64(X509_get_serialNumber(pointer), Libcrypto.randomNumber()))
        try Libcrypto.check(X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name, -1, -1, 0))
        try Libcrypto.check(X509_set_issuer_name(pointer, X509_get_subject_name(issuer)))
        _ = try Libcrypto.check(ASN1_TIME_set(X509_getm_notBefore(pointer), Int(validity.lowerBound)))
        _ = try Libcrypto.check(ASN1_TIME_set(X509_getm_notAfter(pointer), Int(validity.upperBound)))
        try Libcrypto.check(X509_set_pubkey(pointer, key.key.pointer))
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer, pointer, nil, nil, 0)
        for (name, value) in extensions {
            let made = try Libcrypto.check(X509V3_EXT_nconf(nil, &context, name, value))
            defer { X509_EXTENSION_free(made) }
            try Libcrypto.check(X509_add_ext(pointer, made, -1))
        }
        try Libcrypto.check(X509_sign(pointer, signer.key.pointer, EVP_sha256()))
    }

    deinit { X509_free(pointer) }

    /// The certificate in DER.
    package var der: [UInt8] {
        get throws(LibcryptoError) { try Libcrypto.der { i2d_X509(pointer, $0) } }
    }

    /// The certificate in PEM.
    package var pem: String {
        get throws(LibcryptoError) { try Libcrypto.pem { PEM_write_bio_X509($0, pointer) } }
    }

    /// The period of validity [UNIX s]; `nil` if its ends are no times, or in the wrong order.
    package var validity: ClosedRange<Int64>? {
        guard let begin = Self.seconds(X509_get0_notBefore(pointer)),
            let end = Self.seconds(X509_get0_notAfter(pointer)), begin <= end
        else { return nil }
        return begin...end
    }

    /// Returns `true` if the certificate has an extension, such as "1.2.840.113635.100.6.3.1".
    package func hasExtension(_ identifier: String) -> Bool {
        guard let object = OBJ_txt2obj(identifier, 1) else { return false }
        defer { ASN1_OBJECT_free(object) }
        return X509_get_ext_by_OBJ(pointer, object, -1) >= 0
    }

    private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        guard let epoch = ASN1_TIME_set(nil, 0) else { return nil }
        defer { ASN1_STRING_free(epoch) }
        var (days, seconds): (Int32, Int32) = (0, 0)
        guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
        return Int64(days) * 86_400 + Int64(seconds)
    }
}
