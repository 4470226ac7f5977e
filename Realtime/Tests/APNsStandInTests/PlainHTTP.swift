import NIOCore
import NIOPosix

/// A minimal HTTP/1.1 client: one request over its own connection.
enum PlainHTTP {
    /// Sends a request and reads until the connection closes.
    ///
    /// - Parameter headers: More lines of the head, each with its line end.
    static func send(
        _ method: String,
        _ path: String,
        headers: String = "",
        _ body: String = "",
        port: Int
    ) async throws -> (status: Int, body: String, head: String) {
        let head =
            "\(method) \(path) HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n"
            + "content-length: \(body.utf8.count)\r\n\(headers)\r\n"
        let text = try await exchange(head + body, port: port)
        guard let blank = text.firstRange(of: "\r\n\r\n"), let status = Int(text.dropFirst(9).prefix(3)) else {
            throw ChannelError.eof
        }
        return (status, String(text[blank.upperBound...]), String(text[..<blank.lowerBound]).lowercased())
    }

    /// Sends bytes over their own connection and reads until it closes.
    static func exchange(_ bytes: String, port: Int) async throws -> String {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: bytes))
            var text = ByteBuffer()
            for try await bytes in inbound { text.writeImmutableBuffer(bytes) }
            return String(buffer: text)
        }
    }
}
