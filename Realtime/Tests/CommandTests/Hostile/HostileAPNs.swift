import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

@testable import APNsStandIn

/// Misbehaviour of a server that is not APNs towards its clients.
enum Misconduct: String, CaseIterable, Sendable {
    /// Before HTTP/2: bytes that are not TLS; no bytes; an immediate close.
    case noTLS, silence, hangsUp
    /// After the TLS handshake: noise; silence.
    case garbage, silenceInTLS
    /// 100 MB of headers; unrequested DATA without end; GOAWAY first.
    case endlessHead, floodOfData, goAwayFirst
    /// SETTINGS that allow no stream; RST_STREAM for each request; SETTINGS and PING without end.
    case noStreams, resetsAll, floodOfSettings, floodOfPings
    /// Responses with an invalid status; with a status that APNs never sends; on streams that were never opened;
    /// repeated; truncated before a close.
    case wrongStatus, teapot, otherStreams, twice, half
    /// 1xx without end; a push promise; a frame above the size limit; headers that are not HPACK.
    case endless1xx, pushPromise, hugeFrame, noHPACK

    /// The allowed exit codes of a load: 75 without a connection, 99 without a response, 0 with a response that has an
    /// HTTP status and is on the request's stream.
    var loadEnds: Set<Int32> {
        switch self {
        case .noTLS, .silence, .hangsUp: [75]
        case .teapot, .twice: [0, 99]
        default: [99]
        }
    }
}

/// A misbehaving server.
final class HostileAPNs: Sendable {
    /// The certificate of its authority (PEM).
    let authority: String
    private let channel: any Channel
    private let acts: Acts

    /// The number of times that the misconduct has happened, up to its last byte or the end of its connection.
    var actCount: Int { acts.count.withLock { $0 } }

    private final class Acts: Sendable {
        let count = Mutex(0)
    }

    var port: Int { channel.localAddress?.port ?? 0 }

    static func start(_ misconduct: Misconduct) async throws -> HostileAPNs {
        let identity = try ServerIdentity.throwAway()
        let tls = try NIOSSLContext(configuration: identity.tlsConfiguration)
        let acts = Acts()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    switch misconduct {
                    case .noTLS, .silence, .hangsUp: break
                    default: try pipeline.addHandler(NIOSSLServerHandler(context: tls))
                    }
                    try pipeline.addHandler(Handler(misconduct) { acts.count.withLock { $0 += 1 } })
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        return HostileAPNs(authority: identity.authorityPEM ?? "", channel: channel, acts: acts)
    }

    private init(authority: String, channel: any Channel, acts: Acts) {
        (self.authority, self.channel, self.acts) = (authority, channel, acts)
    }

    func stop() async throws { try await channel.close() }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let misconduct: Misconduct
        private let hasActed: @Sendable () -> Void
        private var received = ByteBuffer()
        private var hasBegun = false
        private var sentBytes = 0

        init(_ misconduct: Misconduct, hasActed: @escaping @Sendable () -> Void) {
            self.misconduct = misconduct
            self.hasActed = hasActed
        }

        func channelActive(context: ChannelHandlerContext) {
            switch misconduct {
            case .noTLS: act(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), context)
            case .hangsUp: context.close().whenComplete { [hasActed] _ in hasActed() }
            default: break
            }
            context.fireChannelActive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            switch misconduct {
            case .noTLS, .hangsUp: return
            case .silence, .silenceInTLS:
                hasActed()
                return
            case .garbage:
                if !hasBegun {
                    act((0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }, context)
                }
                hasBegun = true
                return
            default: break
            }
            received.writeBuffer(&bytes)
            if !hasBegun {
                guard received.readSlice(length: 24) != nil else { return }
                hasBegun = true
                begin(context)
            }
            while let length = received.getInteger(at: received.readerIndex, as: UInt32.self).map({ Int($0 >> 8) }),
                let frame = received.readBytes(length: 9 + length)
            {
                let stream = frame[5..<9].reduce(0) { $0 << 8 | Int($1) }
                if frame[3] == 1 { answer(stream, context) }
            }
        }

        /// The bytes that are sent before any request.
        private func begin(_ context: ChannelHandlerContext) {
            let ping = Self.frame(6, 0, [1, 2, 3, 4, 5, 6, 7, 8])
            switch misconduct {
            case .goAwayFirst: act(Self.settings() + Self.frame(7, 0, [0, 0, 0, 0, 0, 0, 0, 0]), context)
            case .noStreams: act(Self.settings([0, 3, 0, 0, 0, 0]), context)
            case .hugeFrame: act(Self.settings() + [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1], context)
            case .floodOfSettings:
                send(Self.settings(), context)
                endlessly(Self.settings(), context)
            case .floodOfPings:
                send(Self.settings(), context)
                endlessly(ping, context)
            default: send(Self.settings(), context)
            }
        }

        /// The response to a request.
        private func answer(_ stream: Int, _ context: ChannelHandlerContext) {
            let body = [UInt8](repeating: 120, count: 16_000)
            switch misconduct {
            case .endlessHead:
                send(Self.frame(1, stream, [0x88]), context)
                endlessly(Self.frame(9, stream, [0, 1, 120, 0x7F, 0x80, 0x7C] + body.prefix(15_999)), context)
            case .floodOfData:
                send(Self.frame(1, flags: 4, stream, [0x88]), context)
                endlessly(Self.frame(0, stream, body), context)
            case .resetsAll: act(Self.frame(3, stream, [0, 0, 0, 2]), context)
            case .wrongStatus: act(Self.frame(1, flags: 5, stream, Self.status("99x")), context)
            case .teapot: act(Self.frame(1, flags: 5, stream, Self.status("418")), context)
            case .otherStreams: act(Self.frame(1, flags: 5, stream + 1000, [0x88]), context)
            case .twice:
                act([[UInt8]](repeating: Self.frame(1, flags: 5, stream, [0x88]), count: 3).flatMap { $0 }, context)
            case .half:
                act(Array(Self.frame(1, flags: 4, stream, Self.status("200")).dropLast(2)), context)
                context.close(promise: nil)
            case .endless1xx: endlessly(Self.frame(1, flags: 4, stream, Self.status("103")), context)
            case .pushPromise: act(Self.frame(5, flags: 4, stream, [0, 0, 0, 2, 0x82, 0x84, 0x87]), context)
            case .noHPACK: act(Self.frame(1, flags: 5, stream, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]), context)
            default: break
            }
        }

        private func send(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
        }

        /// Sends the bytes of the misconduct.
        private func act(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes))).whenComplete { [hasActed] _ in hasActed() }
        }

        /// Sends some bytes until 100 MB are gone or the other end has had enough.
        private func endlessly(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
            guard sentBytes < 100_000_000, context.channel.isActive else { return hasActed() }
            let count = max(1, 65_536 / bytes.count)
            sentBytes += count * bytes.count
            let all = ByteBuffer(bytes: [[UInt8]](repeating: bytes, count: count).joined())
            let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
            context.writeAndFlush(wrapOutboundOut(all))
                .whenComplete { result in
                    let (handler, context) = bound.value
                    guard case .success = result else { return handler.hasActed() }
                    handler.endlessly(bytes, context)
                }
        }

        private static func settings(_ entries: [UInt8] = []) -> [UInt8] { frame(4, 0, entries) }

        private static func status(_ text: String) -> [UInt8] { [0x08, 3] + Array(text.utf8) }

        private static func frame(_ type: UInt8, flags: UInt8 = 0, _ stream: Int, _ payload: [UInt8]) -> [UInt8] {
            func bytes(_ value: Int, _ count: Int) -> [UInt8] {
                (0..<count).reversed().map { UInt8(value >> (8 * $0) & 0xFF) }
            }
            return bytes(payload.count, 3) + [type, flags] + bytes(stream, 4) + payload
        }
    }
}
