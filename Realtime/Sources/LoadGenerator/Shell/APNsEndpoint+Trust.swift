import Foundation
import NIOSSL
import Reporting

extension APNsEndpoint.Trust {
    /// Whose word is taken by a command's options, or says what is wrong with the file of certificates and ends it.
    ///
    /// - Parameter ca: A file of certificates in PEM, or a directory of such files, which is taken as it is; nil: the
    ///   system's.
    package static func checked(ca: String?, skipsVerification: Bool = false) throws -> Self {
        guard let ca else { return skipsVerification ? .unchecked : .system }
        var isDirectory: ObjCBool = false
        if !FileManager.default.fileExists(atPath: ca, isDirectory: &isDirectory) || !isDirectory.boolValue {
            let contents = try bytesOrExit(ca)
            guard let certificates = try? NIOSSLCertificate.fromPEMBytes(contents), !certificates.isEmpty else {
                printError("\(ca): must hold certificates in PEM")
                throw Failure.badData
            }
        }
        return skipsVerification ? .unchecked : .file(ca)
    }
}
