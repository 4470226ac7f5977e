import HTTP2
import NIOCore
import NIOSSL
import NIOTLS
import Synchronization

/// Sets new connections up: TLS, then HTTP/2, whether or not the client has named it by ALPN.
final class ConnectionArrivals: Sendable {
    private let shards: [ObjectIdentifier: NIOLoopBound<LoopShard>]
    private let tls: NIOSSLContext
    private let patience: TimeAmount
    private let count: ConnectionCount

    init(shards: [ObjectIdentifier: NIOLoopBound<LoopShard>], tls: NIOSSLContext, most: Int, patience: TimeAmount) {
        self.shards = shards
        self.tls = tls
        self.patience = patience
        count = ConnectionCount(most: most)
    }

    /// A connection has been made.
    func receive(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            guard let shard = shards[ObjectIdentifier(channel.eventLoop)]?.value else {
                throw ChannelError.inappropriateOperationForState
            }
            guard count.enters(channel) else {
                shard.tally.connectionsRefused += 1
                return
            }
            // A provider may show a certificate of any authority, for a stand-in knows none. What is wrong with the
            // certificate itself is said to each request, as APNs does.
            let handler = NIOSSLServerHandler(
                context: tls,
                customVerificationCallback: { _, promise in promise.succeed(.certificateVerified) }
            )
            let welcome = HandshakeWait(shard: shard, patience: patience)
            try channel.pipeline.syncOperations.addHandlers(handler, welcome)
        }
    }
}

/// Waits for the end of the handshake and then makes place for HTTP/2.
final class HandshakeWait: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    private let shard: LoopShard
    private let patience: TimeAmount
    private var timeout: Scheduled<Void>?

    init(shard: LoopShard, patience: TimeAmount) {
        self.shard = shard
        self.patience = patience
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        timeout = context.eventLoop.scheduleTask(in: patience) { bound.value.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timeout?.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted = event as? TLSUserEvent else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        do {
            let pipeline = context.pipeline.syncOperations
            let certificate = try pipeline.handler(type: NIOSSLServerHandler.self).peerCertificate
            let provider = PushConnection(shard: shard, certificate: certificate.map { ProviderCertificate($0) })
            let http2 = HTTP2Connection(provider.http2Configuration, peer: provider)
            try pipeline.addHandler(http2, position: .after(self))
        } catch {
            context.fireErrorCaught(error)
            context.close(promise: nil)
            return
        }
        context.fireUserInboundEventTriggered(event)
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // No TLS, or none that both sides understand.
        shard.tally.protocolErrors += 1
        context.close(promise: nil)
    }
}

extension ServerIdentity {
    var tlsConfiguration: TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: key)
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["h2"]
        configuration.certificateVerification = .optionalVerification
        return configuration
    }
}

/// Counts the connections of a listener, up to its limit.
final class ConnectionCount: Sendable {
    private let most: Int
    private let count = Atomic<Int>(0)

    init(most: Int) {
        self.most = most
    }

    /// Counts a connection until it is closed; closes it where there are too many, and returns false.
    func enters(_ channel: any Channel) -> Bool {
        guard count.add(1, ordering: .relaxed).newValue <= most else {
            count.subtract(1, ordering: .relaxed)
            channel.close(promise: nil)
            return false
        }
        channel.closeFuture.whenComplete { _ in self.count.subtract(1, ordering: .relaxed) }
        return true
    }
}
