import NIOSSL
import Signatures
import Wire

/// A provider's certificate, as far as APNs checks it.
///
/// Apple's push certificates have Apple's own extensions for the environments in which they are valid; those of most
/// providers are valid in both.
struct ProviderCertificate {
    /// The period of validity [UNIX s]; `nil` if it cannot be read.
    private let validity: ClosedRange<Int64>?
    private let isForDevelopment: Bool
    private let isForProduction: Bool

    init(_ certificate: NIOSSLCertificate) {
        let certificate = try? Certificate(der: certificate.toDERBytes())
        validity = certificate?.validity
        isForDevelopment = certificate?.hasExtension("1.2.840.113635.100.6.3.1") ?? false
        isForProduction = certificate?.hasExtension("1.2.840.113635.100.6.3.2") ?? false
    }

    /// Returns why requests with it are rejected, by the wall clock [UNIX s]; `nil` if it is valid.
    func refusal(isDevelopment: Bool, at now: Int64) -> APNsResponseReason? {
        guard validity?.contains(now) ?? false else { return .wire(.badCertificate) }
        // A certificate without an environment was not issued by Apple, and counts as valid in both.
        guard isForDevelopment != isForProduction else { return nil }
        return isForDevelopment == isDevelopment ? nil : .wire(.badCertificateEnvironment)
    }
}
