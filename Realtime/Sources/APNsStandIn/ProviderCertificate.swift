import Foundation
import NIOSSL
import SwiftASN1
import Wire
import X509

/// The certificate that a provider has shown, as far as APNs asks.
///
/// Apple's certificates for push say by extensions of Apple's own in which environments they are good; those that many
/// providers have are good in both.
struct ProviderCertificate {
    /// From when to when it is valid [UNIX s]; nil if it cannot be read.
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

    /// Why requests with it are refused by the wall clock [UNIX s]; nil if they are not, for this.
    func refusal(isDevelopment: Bool, at now: Int64) -> APNsResponseReason? {
        guard validity?.contains(now) ?? false else { return .wire(.badCertificate) }
        // One that names no environment was not made by Apple, and is taken as good in both.
        guard isForDevelopment != isForProduction else { return nil }
        return isForDevelopment == isDevelopment ? nil : .wire(.badCertificateEnvironment)
    }
}
