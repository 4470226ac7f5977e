package import NIOCore

/// Who speaks HTTP/2 over an ``HTTP2Connection``: hears what comes in, on the connection's event loop.
///
/// Streams are told by their number, fields and bodies by views that hold only during the call. A message is
/// `headBegan`, its fields, `headEnded`, any number of `bodyReceived`, and `bodyEnded` unless the head was all.
package protocol HTTP2Peer: AnyObject {
    /// HTTP/2 may be spoken from now on.
    func connected(_ connection: HTTP2Connection, on loop: any EventLoop)
    /// A head begins: of a request, a response, or trailers.
    func headBegan(stream: Int32)
    /// A field of the head that has begun; its name is in lowercase.
    func fieldReceived(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>)
    /// The head is complete; last where nothing follows on the stream.
    func headEnded(stream: Int32, isLast: Bool)
    /// A piece of a body; a peer that has dealt with it calls ``HTTP2Connection/consumed(_:stream:)``.
    func bodyReceived(_ bytes: UnsafeRawBufferPointer, stream: Int32)
    /// The body is complete.
    func bodyEnded(stream: Int32)
    /// The other side has given a stream up.
    func resetReceived(stream: Int32, _ code: HTTP2ErrorCode)
    /// A stream has ended, for either side's reasons.
    func streamClosed(_ stream: Int32, _ code: HTTP2ErrorCode)
    /// The other side has sent SETTINGS; with its limit of streams, if that was among them.
    func settingsReceived(streamLimit: Int?)
    /// The other side takes no more streams, and has not acted on those above the last one that it names.
    func goAwayReceived(lastStream: Int32, _ code: HTTP2ErrorCode, note: UnsafeRawBufferPointer)
    /// A PING has come back.
    func pingAnswered()
    /// All that has been read by now is told.
    func readCompleted()
    /// The network takes more, or no more for now.
    func writabilityChanged(isWritable: Bool)
    /// The other side breaks the protocol, on one stream or altogether, or the network fails.
    func failed(_ error: any Error)
    /// The connection is gone.
    func disconnected()
}

extension HTTP2Peer {
    package func streamClosed(_ stream: Int32, _ code: HTTP2ErrorCode) {}
    package func settingsReceived(streamLimit: Int?) {}
    package func goAwayReceived(lastStream: Int32, _ code: HTTP2ErrorCode, note: UnsafeRawBufferPointer) {}
    package func pingAnswered() {}
    package func writabilityChanged(isWritable: Bool) {}
}

/// Why a stream or a connection ends (RFC 9113, section 7).
package struct HTTP2ErrorCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// It ends without an error.
    package static let noError = HTTP2ErrorCode(rawValue: 0)
    /// A frame came for a stream that is closed.
    package static let streamClosed = HTTP2ErrorCode(rawValue: 5)
    /// The stream ends before its request was processed: it may be sent again.
    package static let refusedStream = HTTP2ErrorCode(rawValue: 7)
    /// The stream is not needed any more.
    package static let cancel = HTTP2ErrorCode(rawValue: 8)
    /// The other side asks for too much.
    package static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 11)
}

/// What is wrong with what the other side sends.
package enum HTTP2Error: Error, Hashable, CustomStringConvertible {
    /// It is no HTTP/2, or broken so badly that nothing more can be read; in the library's words.
    case unreadable(String)
    /// A message on one stream breaks the rules; that stream is reset.
    case brokenStream(Int32, String)

    package var description: String {
        switch self {
        case .unreadable(let what): "what the other side sends is no HTTP/2: \(what)"
        case .brokenStream(let stream, let what): "stream \(stream) breaks HTTP/2: \(what)"
        }
    }
}
