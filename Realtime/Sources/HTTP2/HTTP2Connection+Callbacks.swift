import CNghttp2
import NIOCore

/// The callbacks of nghttp2.
///
/// None of them may make the library read or write.
extension HTTP2Connection {
    static func makeSession(_ role: HTTP2Configuration.Role) -> OpaquePointer {
        var option: OpaquePointer?
        var session: OpaquePointer?
        let callbacks = makeCallbacks()
        precondition(nghttp2_option_new(&option) == 0, "out of memory")
        // The reader of a body returns the window, so that a slow reader slows the writer.
        nghttp2_option_set_no_auto_window_update(option, 1)
        // Resets are counted here: the library would send INTERNAL_ERROR and wait for the other side to close. Its
        // other limits are unchanged: 1,000 queued responses to PING and SETTINGS, 8 CONTINUATION frames per head, 32
        // entries of SETTINGS. It keeps closed streams, up to the limit of open ones, to respond to late frames as RFC
        // 9113, section 5.1, requires. That costs no time (690 ns per request either way) and 0.26 kB each, 261 kB per
        // connection at 1,000.
        nghttp2_option_set_stream_reset_rate_limit(option, .max, .max)
        let failure =
            switch role {
            case .client: nghttp2_session_client_new2(&session, callbacks, nil, option)
            case .server: nghttp2_session_server_new2(&session, callbacks, nil, option)
            }
        nghttp2_option_del(option)
        nghttp2_session_callbacks_del(callbacks)
        guard failure == 0, let session else { fatalError("out of memory") }
        return session
    }

    static func provider(_ place: OutgoingBodies.Place) -> nghttp2_data_provider {
        nghttp2_data_provider(
            source: nghttp2_data_source(ptr: place.pointer),
            read_callback: { _, stream, buffer, length, flags, source, user in
                guard let buffer, let flags, let source,
                    let place = OutgoingBodies.Place(pointer: source.pointee.ptr)
                else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
                let target = UnsafeMutableRawBufferPointer(start: buffer, count: length)
                return withConnection(of: user) { $0.readBody(place, into: target, flags, stream: stream) }
            }
        )
    }

    private func readBody(
        _ place: OutgoingBodies.Place,
        into target: UnsafeMutableRawBufferPointer,
        _ flags: UnsafeMutablePointer<UInt32>,
        stream: Int32
    ) -> Int {
        guard let (count, isLast) = bodies.read(place, into: target) else {
            return Int(NGHTTP2_ERR_DEFERRED.rawValue)
        }
        if isLast {
            flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
            // A client that has its response early need not send the rest (RFC 9113, section 8.1).
            if role == .server, nghttp2_session_get_stream_remote_close(session, stream) == 0 {
                reset(stream: stream, .noError)
            }
        }
        return count
    }

    private static func makeCallbacks() -> OpaquePointer? {
        var callbacks: OpaquePointer?
        precondition(nghttp2_session_callbacks_new(&callbacks) == 0, "out of memory")
        nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, header, user in
            if let header { withConnection(of: user) { $0.began(header.pointee) } }
            return 0
        }
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, user in
            guard let frame else { return 0 }
            withConnection(of: user) { this in
                this.floodGuard.headBegan()
                this.peer?.headBegan(stream: frame.pointee.hd.stream_id)
            }
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) { _, _, name, length, value, valueLength, _, user in
            withConnection(of: user) { this in
                guard this.floodGuard.hasRoom(name: length, value: valueLength) else {
                    // Both are needed: one sends GOAWAY, the other leaves the loop over the block.
                    this.giveUp(.enhanceYourCalm)
                    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
                }
                let name = UnsafeBufferPointer(start: name, count: length)
                let value = UnsafeBufferPointer(start: value, count: valueLength)
                this.peer?.fieldReceived(name: name, value: value)
                return 0
            }
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, stream, bytes, count, user in
            let bytes = UnsafeRawBufferPointer(start: bytes, count: count)
            withConnection(of: user) { $0.peer?.bodyReceived(bytes, stream: stream) }
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, user in
            if let frame { withConnection(of: user) { $0.received(frame) } }
            return 0
        }
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) { _, frame, code, user in
            // An error of the whole connection makes the library give it up.
            guard let frame, frame.pointee.hd.stream_id != 0 else { return 0 }
            let what = String(cString: nghttp2_strerror(code))
            withConnection(of: user) { $0.peer?.failed(HTTP2Error.brokenStream(frame.pointee.hd.stream_id, what)) }
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, user in
            if let frame { withConnection(of: user) { $0.sent(frame) } }
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { session, stream, code, user in
            withConnection(of: user) { this in
                let data = nghttp2_session_get_stream_user_data(session, stream)
                if let place = OutgoingBodies.Place(pointer: data) { this.bodies.remove(place) }
                if !this.openBodies.isEmpty { this.openBodies[stream] = nil }
                this.peer?.streamClosed(stream, HTTP2ErrorCode(rawValue: code))
            }
            return 0
        }
        return callbacks
    }

    /// Records the start of a frame.
    ///
    /// The library calls this for all frames except those that it skips: unknown ones, and DATA on streams that it has
    /// forgotten. Those cost it no more than their bytes.
    private func began(_ header: nghttp2_frame_hd) {
        guard !isGivingUp else { return }
        if role == .server, UInt32(header.type) == NGHTTP2_HEADERS.rawValue, !floodGuard.opens(header.stream_id),
            isForgotten(header.stream_id)
        {
            giveUp(.streamClosed)
        } else if UInt32(header.type) != NGHTTP2_DATA.rawValue || header.length == 0 {
            if !floodGuard.frames.take(at: now) { giveUp(.enhanceYourCalm) }
        }
    }

    /// Returns `true` if a client may no longer send HEADERS on a stream of its own.
    ///
    /// The client has skipped the stream or ended it long ago, and the library would ignore the HEADERS. After a reset
    /// or GOAWAY from this side they may still have been in flight.
    private func isForgotten(_ stream: Int32) -> Bool {
        guard !stream.isMultiple(of: 2), !isLeaving else { return false }
        let isKnown = nghttp2_session_find_stream(session, stream)
            .map { nghttp2_stream_get_state($0) != NGHTTP2_STREAM_STATE_IDLE }
        return isKnown != true && !floodGuard.hasReset(stream)
    }

    /// Records that a frame has been sent.
    private func sent(_ frame: UnsafePointer<nghttp2_frame>) {
        switch UInt32(frame.pointee.hd.type) {
        case NGHTTP2_DATA.rawValue:
            floodGuard.frames.earn(HTTP2Configuration.framesOfData)
        case NGHTTP2_RST_STREAM.rawValue where role == .server:
            let code = HTTP2ErrorCode(rawValue: frame.pointee.rst_stream.error_code)
            if !floodGuard.reset(frame.pointee.hd.stream_id, code, at: now) { giveUp(.enhanceYourCalm) }
        case NGHTTP2_GOAWAY.rawValue:
            if !isLeaving || isGivingUp { isGivenUp = true }
        default:
            break
        }
    }

    private func received(_ frame: UnsafePointer<nghttp2_frame>) {
        let header = frame.pointee.hd
        let isLast = UInt32(header.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0
        switch UInt32(header.type) {
        case NGHTTP2_HEADERS.rawValue:
            peer?.headEnded(stream: header.stream_id, isLast: isLast)
        case NGHTTP2_DATA.rawValue:
            if isLast { peer?.bodyEnded(stream: header.stream_id) }
        case NGHTTP2_RST_STREAM.rawValue:
            let code = HTTP2ErrorCode(rawValue: frame.pointee.rst_stream.error_code)
            peer?.resetReceived(stream: header.stream_id, code)
            if !floodGuard.resets.take(at: now) { giveUp(.enhanceYourCalm) }
        case NGHTTP2_SETTINGS.rawValue:
            if UInt32(header.flags) & NGHTTP2_FLAG_ACK.rawValue == 0 { received(frame.pointee.settings) }
        case NGHTTP2_PING.rawValue:
            if UInt32(header.flags) & NGHTTP2_FLAG_ACK.rawValue != 0 { peer?.pingAnswered() }
        case NGHTTP2_GOAWAY.rawValue:
            let goAway = frame.pointee.goaway
            isLeft = true
            let (code, last) = (HTTP2ErrorCode(rawValue: goAway.error_code), goAway.last_stream_id)
            let note = UnsafeRawBufferPointer(start: goAway.opaque_data, count: goAway.opaque_data_len)
            peer?.goAwayReceived(lastStream: last, code, note: note)
        default:
            break
        }
    }

    private func received(_ settings: nghttp2_settings) {
        let entries = UnsafeBufferPointer(start: settings.iv, count: settings.niv)
        let limit = entries.last { $0.settings_id == Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue) }
        peer?.settingsReceived(streamLimit: limit.map { Int($0.value) })
    }
}

/// Calls a function with the connection of a callback.
///
/// The connection outlives the callback, so its references need not be counted: a request makes about twenty callbacks.
private func withConnection<Value>(of user: UnsafeMutableRawPointer?, _ body: (HTTP2Connection) -> Value) -> Value {
    guard let user else { preconditionFailure("a session without its connection") }
    return Unmanaged<HTTP2Connection>.fromOpaque(user)._withUnsafeGuaranteedRef(body)
}
