import HTTP2
import LoadGenerator
import NIOCore
import NIOSSL
import Synchronization

/// Sets up new connections: TLS, then HTTP/2, whether or not the client has negotiated it by ALPN.
final class ConnectionArrivals: Sendable {
    private let shards: [ObjectIdentifier: NIOLoopBound<LoopShard>]
    private let tls: NIOSSLContext
    private let patience: TimeAmount
    private let count = Atomic<Int>(0)

    init(shards: [ObjectIdentifier: NIOLoopBound<LoopShard>], tls: NIOSSLContext, patience: TimeAmount) {
        self.shards = shards
        self.tls = tls
        self.patience = patience
    }

    /// Sets up a new connection.
    func receive(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            guard let shard = shards[ObjectIdentifier(channel.eventLoop)]?.value else {
                throw ChannelError.inappropriateOperationForState
            }
            // A provider may present a certificate of any authority, because a stand-in knows none. As in APNs, errors
            // in the certificate itself are reported to each request.
            let handler = NIOSSLServerHandler(
                context: tls,
                customVerificationCallback: { _, promise in promise.succeed(.certificateVerified) }
            )
            let readiness = TLSReadiness(within: patience) { _, pipeline in
                let certificate = try pipeline.handler(type: NIOSSLServerHandler.self).peerCertificate
                let provider = PushConnection(
                    shard: shard,
                    number: self.count.wrappingAdd(1, ordering: .relaxed).oldValue,
                    certificate: certificate.map { ProviderCertificate($0) }
                )
                try pipeline.addHandler(HTTP2Connection(provider.http2Configuration, peer: provider))
            } conclude: { result in
                // No TLS, or no version that both sides support.
                guard case .failure(let error) = result, !(error is ConnectionError) else { return }
                shard.tally.protocolErrors += 1
            }
            try channel.pipeline.syncOperations.addHandlers(handler, readiness)
            channel.parent?.pipeline.fireUserInboundEventTriggered(ConnectionGate.SetUp(channel))
        }
    }
}

extension ServerIdentity {
    var tlsConfiguration: TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: key)
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["h2"]
        configuration.certificateVerification = .optionalVerification
        // Providers' certificates are accepted from any authority. On a machine without a list of authorities, loading
        // the list would fail.
        configuration.trustRoots = .certificates([])
        return configuration
    }
}
