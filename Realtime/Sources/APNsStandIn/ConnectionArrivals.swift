import HTTP2
import LoadGenerator
import NIOCore
import NIOSSL
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
            let readiness = TLSReadiness(within: patience) { _, pipeline in
                let certificate = try pipeline.handler(type: NIOSSLServerHandler.self).peerCertificate
                let provider = PushConnection(shard: shard, certificate: certificate.map { ProviderCertificate($0) })
                return HTTP2Connection(provider.http2Configuration, peer: provider)
            } conclude: { result in
                // No TLS, or none that both sides understand.
                guard case .failure(let error) = result, !(error is ConnectionError) else { return }
                shard.tally.protocolErrors += 1
            }
            try channel.pipeline.syncOperations.addHandlers(handler, readiness)
        }
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
