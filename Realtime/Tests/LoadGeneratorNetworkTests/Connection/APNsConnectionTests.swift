import HTTP2
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2
import Testing
import Wire

@testable import LoadGenerator

/// A single connection, tested frame by frame without a network.
@Suite struct APNsConnectionTests {
    @Test func sendsHeadersAndPayloadAndHearsTheAnswer() throws {
        let wire = try Wire()
        wire.submit(1)
        let frames = try wire.sent()
        #expect(frames == ["headers 1 open", "data 1 2 end"])
        try wire.answer(1, status: 200)
        #expect(wire.heard.outcomes == ["1 200"])
    }

    @Test func readsWhyAPushIsRefused() throws {
        let wire = try Wire()
        wire.submit(1)
        try wire.headers(1, status: 410, isLast: false)
        try wire.data(1, #"{"reason":"Unregis"#, isLast: false)
        try wire.data(1, #"tered","timestamp":5}"#, isLast: true)
        #expect(wire.heard.outcomes == ["1 410 Unregistered"])
        #expect(
            wire.heard.all.first?.outcome
                == .answered(APNsAnswer(status: 410, reason: "Unregistered", timestampMilliseconds: 5))
        )
    }

    @Test func waitsForRoomAndSendsInOrder() throws {
        let wire = try Wire(streams: nil)
        for number in 1...3 { wire.submit(UInt64(number)) }
        // One stream before SETTINGS are known.
        #expect(try wire.sent() == ["headers 1 open", "data 1 2 end"])
        try wire.settings(streams: 2)
        #expect(try wire.sent() == ["headers 3 open", "data 3 2 end"])
        try wire.answer(3, status: 200)
        #expect(try wire.sent() == ["headers 5 open", "data 5 2 end"])
        #expect(wire.heard.outcomes == ["2 200"])
    }

    @Test func resetStreams() throws {
        let wire = try Wire()
        wire.submit(1)
        wire.submit(2)
        try wire.read(HTTP2Frame(streamID: 1, payload: .rstStream(.refusedStream)))
        try wire.read(HTTP2Frame(streamID: 3, payload: .rstStream(.internalError)))
        #expect(wire.heard.outcomes == ["1 notProcessed", "2 connectionLost"])
    }

    @Test func goAwayDrains() throws {
        let wire = try Wire()
        for number in 1...3 { wire.submit(UInt64(number)) }
        let note = ByteBuffer(string: #"{"reason":"Shutdown"}"#)
        try wire.read(
            HTTP2Frame(streamID: 0, payload: .goAway(lastStreamID: 1, errorCode: .noError, opaqueData: note))
        )
        #expect(wire.heard.outcomes == ["2 notProcessed", "3 notProcessed"])
        #expect(wire.lane.noted.lastGoAwayReason == "Shutdown")
        wire.submit(4)
        #expect(wire.lane.waiting == 1)
        #expect(wire.channel.isActive)
        try wire.answer(1, status: 200)
        #expect(!wire.channel.isActive)
        #expect(wire.heard.outcomes.last == "1 200")
    }

    @Test func aLostConnectionIsTold() throws {
        let wire = try Wire()
        wire.submit(1)
        wire.channel.pipeline.fireChannelInactive()
        #expect(wire.heard.outcomes == ["1 connectionLost"])
    }

    @Test func lateRequestsAreGivenUpAndTheirStreamsReset() throws {
        let wire = try Wire()
        wire.submit(1)
        _ = try wire.sent()
        wire.checkTime(after: .seconds(11))
        wire.lane.dispatch()
        #expect(try wire.sent() == ["reset 1"])
        #expect(wire.heard.outcomes == ["1 timedOut"])
        // A late answer has no request: HEADERS of stream 1 with its end and `:status: 200` from HPACK's table.
        try wire.channel.writeInbound(ByteBuffer(bytes: [0, 0, 1, 1, 5, 0, 0, 0, 1, 0x88]))
        #expect(wire.heard.outcomes == ["1 timedOut"])
    }

    /// A request without an answer and a request that was never sent are different outcomes.
    @Test func whatWaitedForAStreamInVainWasNotSent() throws {
        let wire = try Wire(streams: 1)
        wire.submit(1)
        for number in 2...3 { wire.submit(UInt64(number), ago: .seconds(11)) }
        wire.checkTime(after: .seconds(11))
        #expect(wire.heard.outcomes.sorted() == ["1 timedOut", "2 notSent", "3 notSent"])
        #expect(wire.heard.all.map { $0.sent != nil } == wire.heard.all.map { $0.number == 1 })
        #expect(wire.lane.waiting == 0)
    }

    /// Otherwise a sender that is short of streams would only send requests that are about to time out.
    @Test func whatHasWaitedTooLongTakesNoStream() throws {
        let wire = try Wire()
        wire.submit(1, ago: .seconds(11))
        wire.submit(2)
        #expect(try wire.sent() == ["headers 1 open", "data 1 2 end"])
        try wire.answer(1, status: 200)
        #expect(wire.heard.outcomes == ["1 notSent", "2 200"])
        #expect(wire.lane.waiting == 0)
    }

    @Test func aRequestThatHasWaitedHasTheWholeTimeForItsAnswer() throws {
        // The minute is so much less than the timeout that the time of the test itself does not matter.
        let wire = try Wire(timeout: .hours(10))
        wire.submit(1, ago: .minutes(1))
        wire.checkTime(after: .hours(10) - .seconds(40))
        #expect(wire.heard.outcomes.isEmpty && wire.lane.waiting == 0)
        wire.checkTime(after: .hours(11))
        #expect(wire.heard.outcomes == ["1 timedOut"])
    }

    @Test func asksForASignOfLife() throws {
        let wire = try Wire()
        let later = NIODeadline.now() + .hours(2)
        wire.connection.checkTime(now: later, pingInterval: .hours(1), timeout: .seconds(10))
        #expect(try wire.sent() == ["ping"])
        wire.connection.checkTime(now: later + .seconds(11), pingInterval: .hours(1), timeout: .seconds(10))
        #expect(!wire.channel.isActive)
    }

    @Test func grantsWhatItHasRead() throws {
        let wire = try Wire()
        wire.submit(1)
        _ = try wire.sent()
        try wire.headers(1, status: 500, isLast: false)
        for _ in 0..<3 { try wire.data(1, String(repeating: "x", count: 16_000), isLast: false) }
        // nghttp2 sends WINDOW_UPDATE once half of a window is used up.
        #expect(try wire.sent() == ["window 0 48000", "window 1 48000"])
    }
}

/// A connection to another HTTP/2 implementation, whose frames the test reads and writes.
private struct Wire {
    let channel = EmbeddedChannel()
    let heard = HeardCompletions()
    let lane: APNsLane
    let connection: APNsConnection
    private let server = EmbeddedChannel()

    private let timeout: TimeAmount

    /// - Parameter streams: The limit in the server's SETTINGS; nil if it has sent none.
    init(streams: Int? = 10, timeout: TimeAmount = .seconds(10)) throws {
        self.timeout = timeout
        lane = APNsLane(
            loop: channel.embeddedEventLoop,
            index: 0,
            connectionCount: 1,
            configuration: APNsPoolConfiguration(connections: 1, timeout: timeout),
            connector: try EndpointConnector(APNsEndpoint(host: "localhost", port: 1, trust: nil)),
            authorization: nil,
            handler: heard
        )
        connection = APNsConnection(lane: lane, streamLimit: 100, showsToken: false)
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
        try server.pipeline.syncOperations.addHandler(NIOHTTP2Handler(mode: .server, initialSettings: []))
        try server.connect(to: address).wait()
        try channel.connect(to: address).wait()
        try channel.pipeline.syncOperations.addHandler(
            HTTP2Connection(APNsConnection.http2Configuration, peer: connection)
        )
        lane.adopt(connection)
        if let streams { try settings(streams: streams) }
    }

    /// Submits a request that has been waiting for some time.
    func submit(_ number: UInt64, ago: TimeAmount = .zero) {
        lane.submit(
            APNsRequest(
                number: number,
                id: RequestID(high: number, low: 0),
                target: .device(DeviceToken(bytes: [1])),
                topic: "t",
                payload: ByteBuffer(string: "{}")
            ),
            now: .now() - ago
        )
        lane.dispatch()
    }

    /// Checks the connection for timeouts some time from now.
    func checkTime(after time: TimeAmount) {
        connection.checkTime(now: .now() + time, pingInterval: .hours(100), timeout: timeout)
        lane.dispatch()
    }

    /// The bytes that the server writes; before the first call it writes nothing, not even SETTINGS.
    func read(_ frame: HTTP2Frame) throws {
        try forward()
        try server.writeOutbound(frame)
        var bytes = ByteBuffer()
        while var more = try server.readOutbound(as: ByteBuffer.self) { bytes.writeBuffer(&more) }
        try channel.writeInbound(bytes)
    }

    func settings(streams: Int) throws {
        let limit = HTTP2Setting(parameter: .maxConcurrentStreams, value: streams)
        try read(HTTP2Frame(streamID: 0, payload: .settings(.settings([limit]))))
    }

    func headers(_ stream: HTTP2StreamID, status: Int, isLast: Bool) throws {
        let block = HPACKHeaders([(":status", "\(status)")])
        try read(HTTP2Frame(streamID: stream, payload: .headers(.init(headers: block, endStream: isLast))))
    }

    func data(_ stream: HTTP2StreamID, _ text: String, isLast: Bool) throws {
        let bytes = IOData.byteBuffer(ByteBuffer(string: text))
        try read(HTTP2Frame(streamID: stream, payload: .data(.init(data: bytes, endStream: isLast))))
    }

    func answer(_ stream: HTTP2StreamID, status: Int) throws {
        try headers(stream, status: status, isLast: true)
    }

    /// The frames sent since the last call, except for SETTINGS.
    func sent() throws -> [String] {
        try forward()
        var texts: [String] = []
        while let frame = try server.readInbound(as: HTTP2Frame.self) {
            let stream = Int(frame.streamID)
            switch frame.payload {
            case .headers(let block): texts.append("headers \(stream) \(block.endStream ? "end" : "open")")
            case .data(let block):
                texts.append("data \(stream) \(block.data.readableBytes) \(block.endStream ? "end" : "open")")
            case .rstStream: texts.append("reset \(stream)")
            case .windowUpdate(let increment): texts.append("window \(stream) \(increment)")
            case .ping: texts.append("ping")
            case .settings: break
            default: texts.append("other")
            }
        }
        return texts
    }

    private func forward() throws {
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { try server.writeInbound(bytes) }
    }
}
