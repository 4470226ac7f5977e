import Foundation
import NIOSSL
import Shell

extension APNsEndpoint.Trust {
    /// The trust that a command's options select; reports a wrong file of certificates and ends the command.
    ///
    /// - Parameter ca: A file of certificates in PEM, or a directory of such files, which is not checked; nil: the system's
    ///   certificates.
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
