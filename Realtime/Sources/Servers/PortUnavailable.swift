import Foundation
import NIOCore

/// A port that a program cannot listen on.
package struct PortUnavailable: Error, Hashable, CustomStringConvertible {
    /// The problem and its remedy.
    package let description: String

    /// Describes an error of listening on a port.
    ///
    /// - Parameters:
    ///   - purpose: The purpose of the port, such as `metrics`; nil if the program has no other port.
    ///   - option: The option that sets the port, such as `--metrics-port`; nil if there is none.
    package init(_ error: any Error, host: String, port: Int, for purpose: String?, option: String?) {
        let purpose = purpose.map { " for \($0)" } ?? ""
        let place = "port \(port) of \(host)\(purpose)"
        let foreign = "\(host) is not an address of this machine, so nothing can listen there\(purpose)"
        let other = option.map { "; choose another one: \($0) NUMBER, or \($0) 0 for any free one" } ?? ""
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE?:
            description = "\(place) is in use\(other)"
        case EACCES?:
            description = "\(place) is not allowed for this user\(other)"
        case EADDRNOTAVAIL?:
            description = foreign
        case let number?:
            description = "\(place) cannot be opened: \(String(cString: strerror(number)))"
        case nil where error is SocketAddressError:
            description = foreign
        case nil:
            description = "\(place) cannot be opened: \(error)"
        }
    }

    /// `true` if an error comes from listening on a port.
    static func isReason(_ error: any Error) -> Bool {
        if error is SocketAddressError { return true }
        return [EADDRINUSE, EACCES, EADDRNOTAVAIL].contains((error as? IOError)?.errnoCode)
    }
}
