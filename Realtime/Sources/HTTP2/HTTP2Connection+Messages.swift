import CNghttp2
package import NIOCore

/// The operations of a peer.
///
/// Nothing is sent before ``flush()``.
extension HTTP2Connection {
    /// Sends a request; returns its stream: 1, 3, 5 … in the order of calls.
    package func request(_ fields: HTTP2Fields, body: ByteBuffer?) -> Int32 {
        request(fields, body.map { bodies.insert(OutgoingBody(bytes: $0, isComplete: true)) })
    }

    /// Sends a request whose body follows in pieces, with ``append(_:isLast:stream:)``.
    package func requestWithOpenBody(_ fields: HTTP2Fields) -> Int32 {
        let place = bodies.insert(OutgoingBody(bytes: ByteBuffer(), isComplete: false))
        let stream = request(fields, place)
        openBodies[stream] = place
        return stream
    }

    /// Sends a response; does nothing if its stream has ended.
    package func respond(_ fields: HTTP2Fields, body: ByteBuffer?, stream: Int32) {
        respond(fields, body.map { OutgoingBody(bytes: $0, isComplete: true) }, stream: stream)
    }

    /// Sends a response whose body follows in pieces, with ``append(_:isLast:stream:)``.
    package func respondWithOpenBody(_ fields: HTTP2Fields, stream: Int32) {
        openBodies[stream] = respond(fields, OutgoingBody(bytes: ByteBuffer(), isComplete: false), stream: stream)
    }

    /// Adds bytes to an open body.
    package func append(_ bytes: ByteBuffer, isLast: Bool, stream: Int32) {
        guard let place = openBodies[stream] else { return }
        if bodies.append(bytes, isLast: isLast, at: place) { nghttp2_session_resume_data(session, stream) }
    }

    /// Returns the bytes of an open body that wait until the other side grants more.
    package func waitingBytes(stream: Int32) -> Int {
        openBodies[stream].map { bodies.waitingBytes(at: $0) } ?? 0
    }

    /// Resets a stream; its unsent data is dropped.
    package func reset(stream: Int32, _ code: HTTP2ErrorCode) {
        nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue)
    }

    /// Grants the other side more bytes of body, as many as have been processed.
    package func consumed(_ count: Int, stream: Int32) { nghttp2_session_consume(session, stream, count) }

    /// Announces to the other side how many streams it may open at once.
    package func submit(streamLimit: Int) { submit([.streams(streamLimit)]) }

    /// Sends a PING.
    package func ping() { nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil) }

    func submit(_ settings: [HTTP2Configuration.Setting]) {
        let entries = settings.map(\.entry)
        nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), entries, entries.count)
    }

    private func request(_ fields: HTTP2Fields, _ place: OutgoingBodies.Place?) -> Int32 {
        floodGuard.frames.earn(HTTP2Configuration.framesOfStream)
        return fields.withPairs(&pairs) { [session] start, count in
            guard let place else { return nghttp2_submit_request(session, nil, start, count, nil, nil) }
            var provider = HTTP2Connection.provider(place)
            return nghttp2_submit_request(session, nil, start, count, &provider, place.pointer)
        }
    }

    @discardableResult
    private func respond(_ fields: HTTP2Fields, _ body: OutgoingBody?, stream: Int32) -> OutgoingBodies.Place? {
        guard let body else {
            _ = fields.withPairs(&pairs) { [session] start, count in
                nghttp2_submit_response(session, stream, start, count, nil)
            }
            return nil
        }
        let place = bodies.insert(body)
        guard nghttp2_session_set_stream_user_data(session, stream, place.pointer) == 0 else {
            bodies.remove(place)
            return nil
        }
        var provider = HTTP2Connection.provider(place)
        _ = fields.withPairs(&pairs) { [session] start, count in
            nghttp2_submit_response(session, stream, start, count, &provider)
        }
        return place
    }
}
