package import NIOCore

/// A user of an ``HTTP2Connection``, which calls it on the connection's event loop.
///
/// Streams are identified by their number. Fields and bodies are views that are valid only during the call. A message
/// is `headBegan`, its fields, `headEnded`, any number of `bodyReceived`, and `bodyEnded` unless the head ended the
/// message.
package protocol HTTP2Peer: AnyObject {
    /// The connection is ready for use.
    func connected(_ connection: HTTP2Connection, on loop: any EventLoop)
    /// A head begins: of a request, a response, or trailers.
    func headBegan(stream: Int32)
    /// A field of the head that has begun; its name is in lowercase.
    func fieldReceived(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>)
    /// The head is complete; `isLast` if nothing follows on the stream.
    func headEnded(stream: Int32, isLast: Bool)
    /// A piece of a body; after processing it the peer calls ``HTTP2Connection/consumed(_:stream:)``.
    func bodyReceived(_ bytes: UnsafeRawBufferPointer, stream: Int32)
    /// The body is complete.
    func bodyEnded(stream: Int32)
    /// The other side has reset a stream.
    func resetReceived(stream: Int32, _ code: HTTP2ErrorCode)
    /// A stream has ended, because of either side.
    func streamClosed(_ stream: Int32, _ code: HTTP2ErrorCode)
    /// The other side has sent SETTINGS, with its stream limit if included.
    func settingsReceived(streamLimit: Int?)
    /// The other side accepts no more streams and has not processed those above the last one that it names.
    func goAwayReceived(lastStream: Int32, _ code: HTTP2ErrorCode, note: UnsafeRawBufferPointer)
    /// A PING has been acknowledged.
    func pingAnswered()
    /// All bytes that have been read are processed.
    func readCompleted()
    /// The network has become writable or unwritable.
    func writabilityChanged(isWritable: Bool)
    /// The other side violates the protocol, on one stream or on the connection, or the network fails.
    func failed(_ error: any Error)
    /// The connection is closed.
    func disconnected()
}

extension HTTP2Peer {
    package func streamClosed(_ stream: Int32, _ code: HTTP2ErrorCode) {}
    package func settingsReceived(streamLimit: Int?) {}
    package func goAwayReceived(lastStream: Int32, _ code: HTTP2ErrorCode, note: UnsafeRawBufferPointer) {}
    package func pingAnswered() {}
    package func writabilityChanged(isWritable: Bool) {}
}

/// The reason why a stream or a connection ends (RFC 9113, section 7).
package struct HTTP2ErrorCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The end without an error.
    package static let noError = HTTP2ErrorCode(rawValue: 0)
    /// A frame arrived for a stream that is closed.
    package static let streamClosed = HTTP2ErrorCode(rawValue: 5)
    /// The stream ends before its request was processed, so the request may be retried.
    package static let refusedStream = HTTP2ErrorCode(rawValue: 7)
    /// The stream is no longer needed.
    package static let cancel = HTTP2ErrorCode(rawValue: 8)
    /// The other side requests too much.
    package static let enhanceYourCalm = HTTP2ErrorCode(rawValue: 11)
}

/// An error in the other side's data.
package enum HTTP2Error: Error, Hashable, CustomStringConvertible {
    /// The data is not HTTP/2, or so invalid that nothing more can be read; in the library's words.
    case unreadable(String)
    /// A message on one stream violates the rules; that stream is reset.
    case brokenStream(Int32, String)

    package var description: String {
        switch self {
        case .unreadable(let what): "the other side does not send valid HTTP/2: \(what)"
        case .brokenStream(let stream, let what): "stream \(stream) violates HTTP/2: \(what)"
        }
    }
}
