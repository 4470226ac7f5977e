import Foundation
import TestSupport

/// A plain TCP connection to a port of this machine, cheap enough for peers that open thousands.
///
/// Its calls block, so it belongs on a thread of its own.
public struct RawSocket: Sendable {
    private let descriptor: Int32

    /// Connects; nil if the connection fails.
    public init?(port: Int) {
        #if os(Linux)
        let kind = Int32(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(truncatingIfNeeded: port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            Foundation.close(descriptor)
            return nil
        }
    }

    /// Sends as much as the socket accepts; returns `true` if the connection is still usable.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        #if os(Linux)
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        #else
        let flags = Int32(MSG_DONTWAIT)
        #endif
        return Foundation.send(descriptor, bytes, bytes.count, flags) >= 0 || errno == EAGAIN
    }

    /// Reads until a text has arrived or the peer closes the connection; nil if neither happens.
    ///
    /// - Parameter end: The text; nil to read until the end.
    public func read(until end: String? = nil) -> String? {
        var wait = timeval(tv_sec: Patience.seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout.size(ofValue: wait)))
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &piece, piece.count, 0)
            // A connection that is closed with unread data is reset.
            if count == 0 || count < 0 && errno == ECONNRESET { return String(decoding: text, as: UTF8.self) }
            guard count > 0 else { return nil }
            text += piece[..<count]
            let all = String(decoding: text, as: UTF8.self)
            if let end, all.contains(end) { return all }
        }
    }

    /// Reads like ``read(until:)``, on a thread of its own.
    public func text(until end: String? = nil) async -> String? {
        await withCheckedContinuation { read in
            Thread.detachNewThread { read.resume(returning: self.read(until: end)) }
        }
    }

    /// Sends an HTTP request over a connection of its own to this machine; returns nil if it has no answer.
    ///
    /// - Parameter fields: Lines of the head.
    public static func ask(
        _ url: String,
        method: String = "GET",
        fields: [String] = [],
        body: String = ""
    ) async -> (status: Int, text: String)? {
        guard let address = URLComponents(string: url), let port = address.port, let socket = RawSocket(port: port)
        else {
            return nil
        }
        defer { socket.close() }
        let target = address.percentEncodedPath + (address.percentEncodedQuery.map { "?" + $0 } ?? "")
        let head =
            ["\(method) \(target) HTTP/1.1", "Host: localhost:\(port)", "Connection: close"]
            + ["Content-Length: \(body.utf8.count)"] + fields + ["", body]
        guard socket.send(Array(head.joined(separator: "\r\n").utf8)), let answer = await socket.text(),
            let status = Int(answer.dropFirst(9).prefix(3)), let blank = answer.range(of: "\r\n\r\n")
        else { return nil }
        return (status, String(answer[blank.upperBound...]))
    }

    /// Closes the connection, with a reset if the system should drop it at once.
    public func close(byReset: Bool = false) {
        var linger = linger(l_onoff: byReset ? 1 : 0, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        Foundation.close(descriptor)
    }
}

/// A TCP socket that listens on a free port of this machine.
///
/// It accepts no connection and sends nothing.
public struct ListeningSocket: Sendable {
    private let descriptor: Int32

    /// The port.
    public let port: Int

    /// Starts to listen; nil if that fails.
    public init?() {
        #if os(Linux)
        let kind = Int32(SOCK_STREAM.rawValue)
        #else
        let kind = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else {
            Foundation.close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        port = Int(in_port_t(bigEndian: address.sin_port))
    }

    /// Waits for a connection; false if none is made.
    public func isAsked() -> Bool {
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&ready, 1, Int32(Patience.seconds * 1000)) > 0
    }

    /// Closes the socket.
    public func close() { Foundation.close(descriptor) }
}
