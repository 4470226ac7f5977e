import Foundation
import NIOCore
import NIOPosix

/// Why a connection could not be made, or was lost, in a few words.
package enum ConnectionCause {
    /// The words for an error of the network library, whose own say how it is built.
    package static func text(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            // Of all addresses of a host the last one tried.
            error.connectionErrors.last.map { text($0.error) } ?? error.dnsAError.map { "\($0)" }
                ?? error.dnsAAAAError.map { "\($0)" } ?? "no address for \(error.host)"
        case let error as IOError: String(cString: strerror(error.errnoCode)).lowercased()
        default: "\(error)"
        }
    }
}
