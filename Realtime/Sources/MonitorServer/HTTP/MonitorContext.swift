package import Hummingbird
package import NIOCore

/// What handlers know of a request besides itself: who sends it.
package struct MonitorContext: RequestContext, RemoteAddressRequestContext {
    /// Hummingbird's own.
    package var coreContext: CoreRequestContextStorage
    /// The client.
    package let remoteAddress: SocketAddress?

    /// A context for a request on a connection.
    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        remoteAddress = source.channel.remoteAddress
    }
}
