import CLibcrypto

/// The conventions of libcrypto that keys and certificates share.
enum Libcrypto {
    /// `true` if libcrypto can be used; every key and certificate begins here.
    ///
    /// libcrypto does not read the machine's `openssl.cnf`, which may be for another version, and does not clean up at
    /// exit, when another thread may still verify a signature.
    static let isReady = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT), nil) == 1

    /// Throws for a result that is not positive.
    static func check(_ result: Int32) throws(LibcryptoError) {
        guard result > 0 else { throw .latest() }
    }

    /// Returns a pointer; throws for `nil`.
    static func check<Pointer>(_ pointer: Pointer?) throws(LibcryptoError) -> Pointer {
        guard let pointer else { throw .latest() }
        return pointer
    }

    /// Returns a number of 63 bits that cannot be guessed.
    static func randomNumber() throws(LibcryptoError) -> UInt64 {
        var bytes = [UInt8](repeating: 0, count: 8)
        try check(RAND_bytes(&bytes, 8))
        return bytes.reduce(0) { $0 << 8 | UInt64($1) } >> 1
    }

    /// Returns the bytes that an `i2d` function writes.
    static func der(
        _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
    ) throws(LibcryptoError) -> [UInt8] {
        let length = write(nil)
        try check(length)
        return [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
            var end = buffer.baseAddress
            count = Int(write(&end))
        }
    }

    /// Returns the object that a `d2i` function reads.
    static func read(
        der: [UInt8],
        _ read: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?
    ) throws(LibcryptoError) -> OpaquePointer {
        try check(
            der.withUnsafeBufferPointer { bytes in
                var start = bytes.baseAddress
                return read(&start, bytes.count)
            }
        )
    }

    /// Returns the text that a `PEM_write_bio` function writes.
    static func pem(_ write: (OpaquePointer) -> Int32) throws(LibcryptoError) -> String {
        let text = try check(BIO_new(BIO_s_mem()))
        defer { BIO_free(text) }
        try check(write(text))
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(text))
        try check(BIO_read(text, &bytes, Int32(bytes.count)))
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// An error of libcrypto; it reveals nothing of a key.
package struct LibcryptoError: Error, CustomStringConvertible {
    /// The reason.
    package let description: String

    /// Returns the latest error of this thread, and clears the thread's list.
    static func latest() -> LibcryptoError {
        defer { ERR_clear_error() }
        let reason = ERR_reason_error_string(ERR_peek_last_error()).map { String(cString: $0) }
        return LibcryptoError(description: reason ?? "unknown error")
    }
}
