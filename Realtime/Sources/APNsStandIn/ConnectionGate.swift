import NIOCore

/// Limits the accepted connections of a listener, and the number of them that are being set up.
///
/// A connection that is not accepted waits in the kernel's queue and takes no descriptor. Setting up a connection takes
/// time on the thread that serves others. So the listener, which has its own thread, must not be thousands of
/// connections ahead: 16 take that thread a few milliseconds. A connection that has been set up and is silent delays no
/// other.
final class ConnectionGate: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never
    typealias OutboundOut = Never

    /// An event of the listener: a connection has been set up.
    struct SetUp: Sendable {
        fileprivate let connection: ObjectIdentifier

        init(_ connection: any Channel) {
            self.connection = ObjectIdentifier(connection)
        }
    }

    private static let mostBeginning = 16

    private let most: Int
    private var count = 0
    private var beginning: Set<ObjectIdentifier> = []
    private var isWaiting = false

    /// - Parameter most: The maximum number of connections.
    init(most: Int) {
        self.most = most
    }

    private var isOpen: Bool { count < most && beginning.count < ConnectionGate.mostBeginning }

    func read(context: ChannelHandlerContext) {
        isWaiting = !isOpen
        if isOpen { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let connection = unwrapInboundIn(data)
        count += 1
        beginning.insert(ObjectIdentifier(connection))
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        connection.closeFuture.hop(to: context.eventLoop)
            .whenComplete { _ in
                let (gate, context) = bound.value
                gate.count -= 1
                // The connection is kept until here, so that its identifier is not reused.
                gate.beginning.remove(ObjectIdentifier(connection))
                gate.goOn(context)
            }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let event = event as? SetUp else { return context.fireUserInboundEventTriggered(event) }
        beginning.remove(event.connection)
        goOn(context)
    }

    private func goOn(_ context: ChannelHandlerContext) {
        if isWaiting && isOpen {
            isWaiting = false
            context.read()
        }
    }
}
