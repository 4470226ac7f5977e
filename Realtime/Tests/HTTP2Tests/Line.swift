import HTTP2
import NIOCore
import NIOEmbedded

/// A client and a server that are connected directly.
struct Line {
    let client = RecordingPeer()
    let server: RecordingPeer
    let clientChannel = EmbeddedChannel()
    let serverChannel = EmbeddedChannel()

    init(answers: Bool = false, _ change: (inout HTTP2Configuration) -> Void = { _ in }) throws {
        server = RecordingPeer(answers: answers)
        var configuration = HTTP2Configuration(role: .server, settings: [.streams(1000), .head(8000)])
        change(&configuration)
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
        try clientChannel.connect(to: address).wait()
        try serverChannel.connect(to: address).wait()
        let first = HTTP2Connection(HTTP2Configuration(role: .client, settings: [.push(false)]), peer: client)
        try clientChannel.pipeline.syncOperations.addHandler(first)
        try serverChannel.pipeline.syncOperations.addHandler(HTTP2Connection(configuration, peer: server))
        try settle()
    }

    /// Transfers bytes both ways until neither side has any.
    func settle() throws {
        client.connection?.flush()
        server.connection?.flush()
        while true {
            var isQuiet = true
            while let bytes = try clientChannel.readOutbound(as: ByteBuffer.self) {
                isQuiet = false
                if serverChannel.isActive { try serverChannel.writeInbound(bytes) }
            }
            while let bytes = try serverChannel.readOutbound(as: ByteBuffer.self) {
                isQuiet = false
                if clientChannel.isActive { try clientChannel.writeInbound(bytes) }
            }
            if isQuiet { return }
        }
    }

    /// Sends a request from the client.
    func request(_ path: String = "/", body: [UInt8]? = nil) throws -> Int32 {
        guard let connection = client.connection else { throw ChannelError.ioOnClosedChannel }
        return connection.request(Line.fields(path), body: body.map { ByteBuffer(bytes: $0) })
    }

    static func fields(_ path: String = "/") -> HTTP2Fields {
        var fields = HTTP2Fields()
        fields.add(":method", "POST")
        fields.add(":scheme", "https")
        fields.add(":authority", "localhost")
        fields.add(":path", path, isIndexed: false)
        return fields
    }
}
