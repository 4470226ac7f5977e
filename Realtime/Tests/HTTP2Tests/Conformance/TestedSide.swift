import HTTP2
import NIOCore
import NIOEmbedded

/// One side of a connection, which receives raw frames.
struct TestedSide {
    let peer: RecordingPeer
    private let channel = EmbeddedChannel()

    /// - Parameter isGreeted: `true` if the preface and SETTINGS have been exchanged, and a client has sent a request.
    init(
        _ role: HTTP2Configuration.Role,
        isGreeted: Bool = true,
        _ change: (inout HTTP2Configuration) -> Void = { _ in }
    ) throws {
        peer = RecordingPeer(answers: role == .server)
        var configuration =
            switch role {
            case .server: HTTP2Configuration(role: .server, settings: [.streams(100), .frame(16_384), .head(8000)])
            case .client: HTTP2Configuration(role: .client, settings: [.push(false), .head(16_384)])
            }
        change(&configuration)
        try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try channel.pipeline.syncOperations.addHandler(HTTP2Connection(configuration, peer: peer))
        guard isGreeted else { return }
        if role == .client { _ = peer.connection?.request(Line.fields(), body: nil) }
        _ = try send((role == .server ? [.preface] : []) + [.settings(), .settingsACK])
        _ = peer.take()
    }

    /// Sends frames in one piece, and returns the output; empty if the connection is closed.
    func send(_ frames: some Sequence<RawFrame>) throws -> [ConformanceAnswer] {
        guard channel.isActive else { return [] }
        try channel.writeInbound(ByteBuffer(bytes: frames.flatMap(\.bytes)))
        var bytes: [UInt8] = []
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += buffer.readableBytesView }
        return ConformanceAnswer.list(bytes)
    }

    /// Advances the time.
    func advance(by time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }
}
