import Foundation
import NIOSSL
import SwiftASN1
import Wire
import X509

/// A provider's certificate, as far as APNs checks it.
///
/// Apple's push certificates have Apple's own extensions for the environments in which they are valid; those of most
/// providers are valid in both.
struct ProviderCertificate {
    /// The period of validity [UNIX s]; `nil` if it cannot be read.
    private let validity: ClosedRange<Int64>?
    private let isForDevelopment: Bool
    private let isForProduction: Bool

    private static let development: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 3, 1]
    private static let production: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 3, 2]

    init(_ certificate: NIOSSLCertificate) {
        let certificate = try? Certificate(derEncoded: certificate.toDERBytes())
        let extensions = certificate?.extensions
        isForDevelopment = extensions?[oid: ProviderCertificate.development] != nil
        isForProduction = extensions?[oid: ProviderCertificate.production] != nil
        validity = certificate.flatMap { certificate in
            let begin = Int64(certificate.notValidBefore.timeIntervalSince1970)
            let end = Int64(certificate.notValidAfter.timeIntervalSince1970)
            return begin <= end ? begin...end : nil
        }
    }

    /// Returns why requests with it are rejected, by the wall clock [UNIX s]; `nil` if it is valid.
    func refusal(isDevelopment: Bool, at now: Int64) -> APNsResponseReason? {
        guard validity?.contains(now) ?? false else { return .wire(.badCertificate) }
        // A certificate without an environment was not issued by Apple, and counts as valid in both.
        guard isForDevelopment != isForProduction else { return nil }
        return isForDevelopment == isDevelopment ? nil : .wire(.badCertificateEnvironment)
    }
}
