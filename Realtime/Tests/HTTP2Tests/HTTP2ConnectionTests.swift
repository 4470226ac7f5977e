import NIOCore
import NIOEmbedded
import Testing

@testable import HTTP2

/// Both sides of a connection, without a network.
@Suite struct HTTP2ConnectionTests {
    @Test func carriesARequestAndItsResponse() throws {
        let line = try Line(answers: true)
        #expect(line.client.take() == ["streams 1000"])
        _ = line.server.take()
        #expect(try line.request("/a", body: Array("hello".utf8)) == 1)
        #expect(try line.request("/b") == 3)
        try line.settle()
        #expect(
            line.server.take() == [
                ":method: POST", ":scheme: https", ":authority: localhost", ":path: /a", "head 1", ":method: POST",
                ":scheme: https", ":authority: localhost", ":path: /b", "head 3 end", "body 1 of 5",
            ]
        )
        #expect(line.client.take() == [":status: 200", "head 3 end", ":status: 200", "head 1", "body 1 of 5"])
        #expect(line.client.bodies[1] == Array("hello".utf8))
    }

    /// Bodies of all sizes, more streams than either side keeps at once, and windows that are exhausted on the way.
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func echoesWhateverIsSent(seed: UInt64) throws {
        let line = try Line(answers: true)
        var state = seed
        func draw(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var sent: [Int32: [UInt8]] = [:]
        for round in 0..<20 {
            for _ in 0..<draw(30) {
                let size = draw(4) == 0 ? draw(100_000) : draw(300)
                let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &+ round) }
                sent[try line.request(body: size == 0 ? nil : body)] = body
            }
            try line.settle()
        }
        let wrong = sent.filter { line.client.bodies[$0.key] ?? [] != $0.value }
        #expect(wrong.count == 0)
        #expect(line.client.isConnected && line.server.isConnected)
    }

    @Test func openBodiesComeInPieces() throws {
        let line = try Line()
        guard let client = line.client.connection, let server = line.server.connection else { return }
        let stream = client.requestWithOpenBody(Line.fields())
        client.append(ByteBuffer(string: "zero "), isLast: false, stream: stream)
        try line.settle()
        var fields = HTTP2Fields()
        fields.add(":status", "200")
        server.respondWithOpenBody(fields, stream: stream)
        for piece in ["one ", "two "] {
            client.append(ByteBuffer(string: piece), isLast: false, stream: stream)
            server.append(ByteBuffer(string: piece), isLast: false, stream: stream)
            try line.settle()
        }
        client.append(ByteBuffer(string: "end"), isLast: true, stream: stream)
        try line.settle()
        server.append(ByteBuffer(), isLast: true, stream: stream)
        try line.settle()
        #expect(line.server.bodies[stream] == Array("zero one two end".utf8))
        #expect(line.client.bodies[stream] == Array("one two ".utf8))
        #expect(line.client.take().last == "body 1 of 8")
    }

    /// A peer that does not process its input is sent no more than the window; the rest waits at the sender.
    @Test func slowReadersAreWaitedFor() throws {
        let line = try Line()
        line.server.grants = false
        guard let client = line.client.connection else { return }
        let stream = client.requestWithOpenBody(Line.fields())
        client.append(ByteBuffer(repeating: 1, count: 200_000), isLast: true, stream: stream)
        try line.settle()
        #expect(line.server.bodies[stream]?.count == 65_535)
        #expect(client.waitingBytes(stream: stream) == 200_000 - 65_535)
        line.server.grants = true
        line.server.connection?.consumed(65_535, stream: stream)
        try line.settle()
        #expect(line.server.bodies[stream]?.count == 200_000)
        #expect(client.waitingBytes(stream: stream) == 0)
    }

    /// Sent bytes are not kept, however long a body is.
    @Test func openBodiesDoNotGrow() throws {
        let line = try Line()
        guard let client = line.client.connection else { return }
        let stream = client.requestWithOpenBody(Line.fields())
        for _ in 0..<200 {
            client.append(ByteBuffer(repeating: 1, count: 10_000), isLast: false, stream: stream)
            try line.settle()
        }
        #expect(line.server.bodies[stream]?.count == 2_000_000)
        #expect(client.bodies.bodies.reduce(0) { $0 + $1.bytes.capacity } < 100_000)
        client.append(ByteBuffer(), isLast: true, stream: stream)
        var fields = HTTP2Fields()
        fields.add(":status", "200")
        line.server.connection?.respond(fields, body: nil, stream: stream)
        try line.settle()
        // Nothing remains of a closed stream.
        #expect(client.bodies.bodies.count == client.bodies.free.count)
    }

    /// A response before the end of a request: the rest of the request is not needed.
    @Test func earlyAnswersEndRequests() throws {
        let line = try Line()
        guard let client = line.client.connection else { return }
        let stream = client.requestWithOpenBody(Line.fields())
        try line.settle()
        var fields = HTTP2Fields()
        fields.add(":status", "413")
        line.server.connection?.respond(fields, body: ByteBuffer(string: "too much"), stream: stream)
        try line.settle()
        #expect(line.client.take().suffix(4) == [":status: 413", "head 1", "body 1 of 8", "reset 1 0"])
        client.append(ByteBuffer(string: "more"), isLast: true, stream: stream)
        try line.settle()
        #expect(line.server.bodies[stream] == nil)
    }

    @Test func resetsAreTold() throws {
        let line = try Line()
        let stream = try line.request(body: Array("x".utf8))
        try line.settle()
        _ = line.server.take()
        line.client.connection?.reset(stream: stream, .cancel)
        try line.settle()
        #expect(line.server.take() == ["reset 1 8"])
        // A response to a cancelled request.
        line.server.connection?.respond(Line.fields(), body: ByteBuffer(string: "late"), stream: stream)
        try line.settle()
        #expect(line.client.isConnected)
    }

    @Test func whoResetsTooOftenLosesTheConnection() throws {
        let line = try Line { $0.resetLimit = FloodLimit(20, in: .seconds(30)) }
        for _ in 0..<15 { line.client.connection?.reset(stream: try line.request(body: [1]), .cancel) }
        try line.settle()
        #expect(line.server.isConnected)
        for _ in 0..<40 where line.client.isConnected {
            let stream = try line.request(body: [1])
            try line.settle()
            line.client.connection?.reset(stream: stream, .cancel)
            try line.settle()
        }
        #expect(line.client.take().contains { $0.hasPrefix("go away") && $0.hasSuffix(", 11 ") })
        #expect(!line.server.isConnected)
    }

    @Test func goAwaySaysWhyAndLeavesTheRestToFinish() throws {
        let line = try Line()
        let stream = try line.request(body: Array("x".utf8))
        try line.settle()
        line.server.connection?.goAway(lastStream: stream, note: ByteBuffer(string: "why"))
        try line.settle()
        #expect(line.client.take().last == "go away after 1, 0 why")
        #expect(line.client.isConnected)
        var fields = HTTP2Fields()
        fields.add(":status", "200")
        line.server.connection?.respond(fields, body: nil, stream: stream)
        try line.settle()
        #expect(line.client.take() == [":status: 200", "head 1 end"])
        #expect(!line.client.isConnected)
    }

    @Test func pingsAndLaterSettings() throws {
        let line = try Line()
        _ = line.client.take()
        line.client.connection?.ping()
        line.server.connection?.submit(streamLimit: 7)
        try line.settle()
        #expect(line.client.take() == ["streams 7", "pong"])
    }

    /// Input that is not HTTP/2 ends the connection and has no other effect.
    @Test(arguments: 0..<64)
    func garbageEndsTheConnection(seed: Int) throws {
        var state = UInt64(seed) &+ 1
        func byte() -> UInt8 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 40)
        }
        let line = try Line()
        if seed.isMultiple(of: 2) {
            // A peer that has begun correctly.
            try line.serverChannel.writeInbound(ByteBuffer(bytes: (0..<4096).map { _ in byte() }))
        } else {
            let channel = EmbeddedChannel()
            let peer = RecordingPeer()
            try channel.connect(to: try SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            let configuration = HTTP2Configuration(role: .server, settings: [])
            try channel.pipeline.syncOperations.addHandler(HTTP2Connection(configuration, peer: peer))
            try channel.writeInbound(ByteBuffer(bytes: (0..<4096).map { _ in byte() }))
            #expect(!peer.isConnected)
            #expect(peer.heard.count == 1)
        }
        // Random bytes may announce a long frame and wait for the rest of it.
        #expect(line.server.heard.allSatisfy { !$0.hasPrefix("head") })
    }

    @Test func floodsOfPingsAreNotStored() throws {
        let line = try Line()
        // The answers are not read.
        line.serverChannel.isWritable = false
        var ping = ByteBuffer(bytes: [0, 0, 8, 6, 0, 0, 0, 0, 0])
        ping.writeInteger(UInt64(7))
        for _ in 0..<5000 where line.server.isConnected { try line.serverChannel.writeInbound(ping) }
        #expect(!line.server.isConnected)
    }
}
