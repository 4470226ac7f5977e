import Signatures
import Testing

@Suite struct CertificateTests {
    private let key: P256PrivateKey

    init() throws { key = try P256PrivateKey() }

    private func certificate(
        validity: ClosedRange<Int64> = 0...1,
        extensions: [(name: String, value: String)] = []
    ) throws -> Certificate {
        try Certificate(
            for: key.publicKey,
            name: "a test",
            validity: validity,
            extensions: extensions,
            signer: key
        )
    }

    @Test(
        "The validity of a certificate survives writing and reading",
        arguments: [0...1, 1_700_000_000...1_800_000_000, -86_401...0, 2_524_607_999...253_402_300_799]
            as [ClosedRange<Int64>]
    )
    func validity(_ validity: ClosedRange<Int64>) throws {
        #expect(try Certificate(der: certificate(validity: validity).der).validity == validity)
    }

    @Test("A certificate has the extensions that it was given")
    func extensions() throws {
        let made = try certificate(extensions: [("1.2.840.113635.100.6.3.1", "DER:05:00"), ("keyUsage", "keyCertSign")])
        let read = try Certificate(der: made.der)
        #expect(read.hasExtension("1.2.840.113635.100.6.3.1"))
        #expect(read.hasExtension("2.5.29.15"))
        #expect(!read.hasExtension("1.2.840.113635.100.6.3.2"))
        #expect(!read.hasExtension("keyUsage"))
    }

    @Test("Serial numbers differ")
    func serialNumbers() throws {
        #expect(try certificate().der != certificate().der)
    }

    @Test("An unknown extension, or one with an unknown value, is an error")
    func unknownExtensions() {
        #expect(throws: LibcryptoError.self) { try certificate(extensions: [("keyUse", "keyCertSign")]) }
        #expect(throws: LibcryptoError.self) { try certificate(extensions: [("keyUsage", "everything")]) }
    }

    @Test("A truncated certificate is refused")
    func truncated() throws {
        let der = try certificate().der
        for count in 0..<der.count {
            #expect(throws: LibcryptoError.self) { try Certificate(der: Array(der.prefix(count))) }
        }
    }

    @Test("A certificate with a changed byte is refused, or can be read without harm")
    func changed() throws {
        let der = try certificate(extensions: [("1.2.840.113635.100.6.3.1", "DER:05:00")]).der
        for place in 0..<der.count {
            for change: UInt8 in [0x01, 0x80, 0xFF] {
                var changed = der
                changed[place] ^= change
                guard let certificate = try? Certificate(der: changed) else { continue }
                _ = certificate.validity
                _ = certificate.hasExtension("1.2.840.113635.100.6.3.1")
            }
        }
    }
}
