import Foundation
import NIOCore
import NIOPosix

/// Short descriptions of the errors by which connections fail.
package enum ConnectionCause {
    /// The description of an error of the network library, whose own descriptions are technical.
    package static func text(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            // The error of the last address of the host that was tried.
            error.connectionErrors.last.map { text($0.error) } ?? error.dnsAError.map { "\($0)" }
                ?? error.dnsAAAAError.map { "\($0)" } ?? "no address for \(error.host)"
        case let error as IOError: String(cString: strerror(error.errnoCode)).lowercased()
        default: "\(error)"
        }
    }
}
