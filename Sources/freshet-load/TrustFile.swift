import CommandShell
import Foundation
import NIOSSL

/// A file of certificates by which a server is known.
enum TrustFile {
    /// Says what is wrong with a file and ends the command; a directory of such files is taken as it is.
    static func check(_ path: String) throws {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue { return }
        guard let contents = FileManager.default.contents(atPath: path) else {
            printError("\(path): cannot be read")
            throw Failure.inputMissing
        }
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(Array(contents)), !certificates.isEmpty else {
            printError("\(path): must hold certificates in PEM")
            throw Failure.badData
        }
    }
}
