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
    private let count = Atomic<Int>(0)

    init(shards: [ObjectIdentifier: NIOLoopBound<LoopShard>], tls: NIOSSLContext, patience: TimeAmount) {
        self.shards = shards
        self.tls = tls
        self.patience = patience
    }

    /// A connection has been made.
    func receive(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            guard let shard = shards[ObjectIdentifier(channel.eventLoop)]?.value else {
                throw ChannelError.inappropriateOperationForState
            }
            // A provider may show a certificate of any authority, for a stand-in knows none. What is wrong with the
            // certificate itself is said to each request, as APNs does.
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
                return HTTP2Connection(provider.http2Configuration, peer: provider)
            } conclude: { result in
                // No TLS, or none that both sides understand.
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
        // Certificates of providers are taken from any authority. A machine that has no list of them fails to load one.
        configuration.trustRoots = .certificates([])
        return configuration
    }
}
