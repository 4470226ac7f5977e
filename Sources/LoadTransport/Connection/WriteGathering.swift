import NIOCore

/// Gathers what is written until the next flush into one buffer.
///
/// TLS makes a record of each write, and HTTP/2 writes each frame alone; gathered, hundreds of requests cost one
/// encryption and one system call.
final class WriteGathering: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private var gathered = ByteBuffer()
    private var promise: EventLoopPromise<Void>?

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .byteBuffer(var bytes) = unwrapOutboundIn(data) else {
            context.write(data, promise: promise)
            return
        }
        gathered.writeBuffer(&bytes)
        if let promise { self.promise.setOrCascade(to: promise) }
    }

    func flush(context: ChannelHandlerContext) {
        if gathered.readableBytes > 0 {
            context.write(wrapOutboundOut(.byteBuffer(gathered)), promise: promise)
            gathered = context.channel.allocator.buffer(capacity: gathered.capacity)
            promise = nil
        }
        context.flush()
    }
}
