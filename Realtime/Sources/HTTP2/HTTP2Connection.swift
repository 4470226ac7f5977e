import CNghttp2
package import NIOCore

/// One side of an HTTP/2 connection, at the end of a channel's pipeline: nghttp2 between the channel's bytes and a peer
/// that handles requests and responses.
///
/// ```
///   bytes ─► nghttp2 ─► HTTP2Peer: heads, bodies, resets, settings
///   bytes ◄─ nghttp2 ◄─ request, respond, append, reset …
/// ```
///
/// The library handles frames, HPACK, flow control, limits and the state of streams (RFC 9113, RFC 7541). A stream has
/// no channel, task or promise of its own. The peer's output is collected and sent by ``flush()``, or automatically
/// after all bytes of one read have been processed. Output that the network does not accept waits here. Meanwhile a
/// server reads nothing more, which limits a client that sends requests without reading responses.
///
/// Everything happens on the channel's event loop.
package final class HTTP2Connection: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundIn = Never
    package typealias OutboundOut = ByteBuffer

    /// The receiver of incoming messages, from when the handler is added until the connection is closed.
    private(set) var peer: (any HTTP2Peer)?
    let role: HTTP2Configuration.Role
    let session: OpaquePointer
    var bodies = OutgoingBodies()
    /// The bodies that are sent in pieces.
    ///
    /// The library knows a stream only after its head has been sent.
    var openBodies: [Int32: OutgoingBodies.Place] = [:]
    /// Space for heads in the library's form.
    var pairs: ContiguousArray<nghttp2_nv> = []

    private var context: ChannelHandlerContext?
    /// `true` while the library reads, when it cannot write.
    private var isReceiving = false
    private var isReadSuspended = false
    private var isBroken = false
    private var hasBegun = false
    /// `true` once the last GOAWAY has been sent because the other side violates the protocol or floods.
    var isGivenUp = false
    /// `true` while that GOAWAY is pending.
    private(set) var isGivingUp = false
    /// Without checks of exclusive access, because each field and frame is counted; no counting function calls another.
    @exclusivity(unchecked) var floodGuard: FloodGuard
    /// `true` once this side has sent a GOAWAY; it closes when it chooses.
    private(set) var isLeaving = false
    /// `true` once the other side has sent a GOAWAY; the connection closes after its streams have ended.
    var isLeft = false
    /// The size of recent output, used for the next buffer [bytes].
    private var usualOutput = 1024

    /// Creates a connection; it keeps its peer until it is closed.
    package init(_ configuration: HTTP2Configuration, peer: any HTTP2Peer) {
        role = configuration.role
        self.peer = peer
        floodGuard = FloodGuard(configuration)
        session = HTTP2Connection.makeSession(configuration.role)
        nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
        submit(configuration.settings)
        nghttp2_session_set_local_window_size(
            session,
            UInt8(NGHTTP2_FLAG_NONE.rawValue),
            0,
            Int32(clamping: configuration.connectionWindow)
        )
    }

    deinit { nghttp2_session_del(session) }

    /// Ends the connection with a GOAWAY; further input is ignored.
    func giveUp(_ code: HTTP2ErrorCode) {
        isGivingUp = true
        nghttp2_session_terminate_session(session, code.rawValue)
    }

    /// The time on the channel's clock.
    var now: NIODeadline { context?.eventLoop.now ?? .now() }

    /// Announces that streams after a last one are not processed; the other side may finish the existing ones.
    package func goAway(lastStream: Int32, _ code: HTTP2ErrorCode = .noError, note: ByteBuffer? = nil) {
        isLeaving = true
        let noFlags = UInt8(NGHTTP2_FLAG_NONE.rawValue)
        guard let note else {
            nghttp2_submit_goaway(session, noFlags, lastStream, code.rawValue, nil, 0)
            return
        }
        note.withUnsafeReadableBytes { bytes in
            _ = nghttp2_submit_goaway(
                session,
                noFlags,
                lastStream,
                code.rawValue,
                bytes.assumingMemoryBound(to: UInt8.self).baseAddress,
                bytes.count
            )
        }
    }

    /// Sends pending output as far as network and flow control permit.
    package func flush() {
        guard !isReceiving, let context else { return }
        while context.channel.isWritable, nghttp2_session_want_write(session) != 0 {
            var output = context.channel.allocator.buffer(capacity: usualOutput)
            guard gather(into: &output) else {
                fail(HTTP2Error.unreadable("no more data can be sent"))
                return
            }
            guard output.readableBytes > 0 else { break }
            usualOutput = max(1024, min(output.readableBytes, HTTP2Connection.largestOutput))
            context.writeAndFlush(wrapOutboundOut(output), promise: nil)
        }
        if isGivenUp {
            fail(HTTP2Error.unreadable("a protocol error or a flood"))
        } else {
            closeIfOver()
        }
    }

    /// Closes without a GOAWAY.
    package func close() { context?.close(promise: nil) }

    // MARK: - The channel

    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { begin(context) }
    }

    package func channelActive(context: ChannelHandlerContext) {
        begin(context)
        context.fireChannelActive()
    }

    package func handlerRemoved(context: ChannelHandlerContext) { end() }

    package func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isBroken else { return }
        let bytes = unwrapInboundIn(data)
        isReceiving = true
        let read = bytes.withUnsafeReadableBytes { bytes in
            nghttp2_session_mem_recv(session, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, bytes.count)
        }
        isReceiving = false
        if read < 0 { fail(HTTP2Error.unreadable(String(cString: nghttp2_strerror(Int32(read))))) }
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        peer?.readCompleted()
        flush()
        context.fireChannelReadComplete()
    }

    package func read(context: ChannelHandlerContext) {
        // A client reads at any time, because reading responses makes room.
        if role == .client || context.channel.isWritable {
            context.read()
        } else {
            isReadSuspended = true
        }
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        let isWritable = context.channel.isWritable
        peer?.writabilityChanged(isWritable: isWritable)
        if isWritable {
            flush()
            if isReadSuspended {
                isReadSuspended = false
                context.read()
            }
        }
        context.fireChannelWritabilityChanged()
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(error) }

    // MARK: - Private

    private static var largestOutput: Int { 256 << 10 }

    private func begin(_ context: ChannelHandlerContext) {
        guard !hasBegun else { return }
        hasBegun = true
        peer?.connected(self, on: context.eventLoop)
        flush()
    }

    private func end() {
        context = nil
        guard let peer else { return }
        self.peer = nil
        peer.disconnected()
    }

    private func fail(_ error: any Error) {
        guard !isBroken else { return }
        isBroken = true
        peer?.failed(error)
        context?.close(promise: nil)
    }

    private func closeIfOver() {
        if isLeft, nghttp2_session_want_read(session) == 0, nghttp2_session_want_write(session) == 0 {
            context?.close(promise: nil)
        }
    }

    /// Collects the library's output; returns `false` if the connection is no longer usable.
    private func gather(into output: inout ByteBuffer) -> Bool {
        while output.readableBytes < HTTP2Connection.largestOutput {
            var start: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session, &start)
            if count <= 0 { return count == 0 }
            output.writeBytes(UnsafeRawBufferPointer(start: start, count: count))
        }
        return true
    }
}

@available(*, unavailable)
extension HTTP2Connection: Sendable {}
