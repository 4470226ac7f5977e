import Foundation
import NIOCore

/// A port that a program cannot listen on.
package struct PortUnavailable: Error, Hashable, CustomStringConvertible {
    /// The problem and its remedy.
    package let description: String

    /// A port with a reason.
    package init(description: String) { self.description = description }

    /// Describes an error of listening on a port.
    ///
    /// - Parameters:
    ///   - purpose: The purpose of the port, such as `metrics`.
    ///   - option: The option that sets the port, such as `--metrics-port`; nil if there is none.
    package init(_ error: any Error, host: String, port: Int, for purpose: String, option: String?) {
        let place = "port \(port) of \(host) for \(purpose)"
        let other = option.map { "; choose another one: \($0) NUMBER, or \($0) 0 for any free one" } ?? ""
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE?:
            description = "\(place) is in use\(other)"
        case EACCES?:
            description = "\(place) is not allowed for this user\(other)"
        case EADDRNOTAVAIL?:
            description = "\(host) is not an address of this machine, so nothing can listen there for \(purpose)"
        case let number?:
            description = "\(place) cannot be opened: \(String(cString: strerror(number)))"
        case nil where error is SocketAddressError:
            description = "\(host) is not an address of this machine, so nothing can listen there for \(purpose)"
        case nil:
            description = "\(place) cannot be opened: \(error)"
        }
    }

    /// `true` if an error comes from listening on a port.
    package static func isReason(_ error: any Error) -> Bool {
        if error is SocketAddressError { return true }
        return [EADDRINUSE, EACCES, EADDRNOTAVAIL].contains((error as? IOError)?.errnoCode)
    }
}
