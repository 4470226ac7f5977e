import Foundation
import NIOCore
import Testing

@testable import Servers

@Suite("Ports that are not available")
struct PortUnavailableTests {
    private func words(_ error: any Error, option: String? = "--port") -> String {
        PortUnavailable(error, host: "127.0.0.1", port: 80, for: "pushes", option: option).description
    }

    @Test("The message states the problem and its remedy")
    func messages() {
        let other = "; choose another one: --port NUMBER, or --port 0 for any free one"
        let place = "port 80 of 127.0.0.1 for pushes"
        #expect(words(IOError(errnoCode: EADDRINUSE, reason: "bind")) == "\(place) is in use\(other)")
        #expect(words(IOError(errnoCode: EACCES, reason: "bind")) == "\(place) is not allowed for this user\(other)")
        #expect(words(IOError(errnoCode: EADDRINUSE, reason: "bind"), option: nil) == "\(place) is in use")
        #expect(
            words(IOError(errnoCode: EADDRNOTAVAIL, reason: "bind"))
                .hasPrefix("127.0.0.1 is not an address of this machine")
        )
        let plain = PortUnavailable(
            IOError(errnoCode: EACCES, reason: "bind"),
            host: "::1",
            port: 1,
            for: nil,
            option: nil
        )
        #expect(plain.description == "port 1 of ::1 is not allowed for this user")
        #expect(words(SocketAddressError.unsupported).hasPrefix("127.0.0.1 is not an address of this machine"))
        #expect(words(IOError(errnoCode: EMFILE, reason: "bind")) == "\(place) cannot be opened: Too many open files")
    }

    @Test("Other errors are not about a port")
    func reasons() {
        #expect(PortUnavailable.isReason(IOError(errnoCode: EADDRINUSE, reason: "bind")))
        #expect(!PortUnavailable.isReason(IOError(errnoCode: EPIPE, reason: "write")))
        #expect(!PortUnavailable.isReason(CancellationError()))
    }
}
