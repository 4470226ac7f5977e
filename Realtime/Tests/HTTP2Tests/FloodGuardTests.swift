import HTTP2
import NIOCore
import Testing

/// Floods end their connection with GOAWAY, ENHANCE_YOUR_CALM.
///
/// Time is stopped here: everything arrives at once.
@Suite struct FloodGuardTests {
    /// 20,000 of each, whose answers are read.
    @Test(
        arguments: [
            [.ping], [.settings()], [.settings((4, 65_535))], [.windowUpdate(0, 1)], [.windowUpdate(1, 1)],
            [.priority()],
            [.data(1, "", isLast: false)], [.reset(1)],
            // A closed stream, and windows that open by one byte.
            [.window(0), .window(1)],
        ] as [[RawFrame]]
    )
    func cheapFramesEndTheConnection(frames: [RawFrame]) throws {
        let side = try TestedSide(.server)
        var answers = try side.send([.post()])
        var count = 0
        while side.peer.isConnected, count < 20_000 {
            answers += try side.send((0..<100 / frames.count).flatMap { _ in frames })
            count += 100
        }
        #expect(!side.peer.isConnected)
        #expect(answers.last == .goAway(code: 11))
        #expect((10_000...10_200).contains(count))
    }

    /// The same number, but over half a minute.
    @Test func slowPingsDoNot() throws {
        let side = try TestedSide(.server)
        for _ in 0..<200 {
            _ = try side.send([RawFrame](repeating: .ping, count: 100))
            side.advance(by: .milliseconds(150))
        }
        #expect(side.peer.isConnected)
    }

    /// The frames of a client's request: window updates after each frame, a body in many pieces, an empty DATA,
    /// trailers.
    @Test func requestsPayForTheirFrames() throws {
        let side = try TestedSide(.server)
        for number in 0..<5000 as Range<UInt32> {
            let stream = 2 * number + 1
            var frames: [RawFrame] = [.post(stream), .priority(stream)]
            frames += [RawFrame](repeating: .data(stream, isLast: false), count: 20)
            frames += number.isMultiple(of: 2) ? [.data(stream, "")] : [.headers(stream, [.field("x-test", "ok")])]
            frames += [.windowUpdate(stream, 80), .windowUpdate(0, 80)]
            #expect(try side.send(frames).contains(.data(stream, count: 80)))
        }
        #expect(side.peer.isConnected)
    }

    /// MadeYouReset: frames that make a server reset a stream while it works on the response.
    @Test(
        arguments: [
            [.windowUpdate(1, 1 << 31 - 1)],
            [.headers(1, [.field("x-test", "ok")], isLast: false)], [.headers(1, [.methodGet])],
            [.data(1, isLast: false), .headers(1, [.field("X-TEST", "ok")])],
        ] as [[RawFrame]]
    )
    func madeResetsEndTheConnection(frames: [RawFrame]) throws {
        let side = try TestedSide(.server)
        var answers: [ConformanceAnswer] = []
        var stream: UInt32 = 1
        while side.peer.isConnected, stream < 5000 {
            answers += try side.send([.post(stream)] + frames.map { $0.moved(to: stream) })
            stream += 2
        }
        #expect(!side.peer.isConnected)
        #expect(answers.last == .goAway(code: 11))
        #expect(answers.count { if case .reset = $0 { true } else { false } } == 1001)
    }

    /// 16 kB of references to an entry of 3.9 kB: 62 MB of fields.
    ///
    /// Only slightly more than ten allowed heads are decoded.
    @Test(arguments: [(HTTP2Configuration.Role.server, 80_000), (.client, 163_840)])
    func bombsAreNotDecoded(role: HTTP2Configuration.Role, limit: Int) throws {
        let side = try TestedSide(role)
        let head = role == .server ? RawField.get : [.indexed(8)]
        let entry = RawField.field("x-bomb", String(repeating: "x", count: 3900), .incremental)
        let reference = RawField.indexed(62)
        let bomb = RawFrame.headers(1, head + [entry] + [RawField](repeating: reference, count: 12_000))
        #expect(try side.send([bomb]).last == .goAway(code: 11))
        #expect(!side.peer.isConnected)
        let heard = side.peer.take().filter { $0.hasPrefix("x-bomb") }
        #expect(heard.count == (limit - (role == .server ? 180 : 42)) / 3938)
    }

    /// Late frames on streams that the server has reset, beyond those that the library still remembers.
    @Test func lateTrailersAreNoOffence() throws {
        let side = try TestedSide(.server) { $0.settings = [.streams(2)] }
        let streams: [UInt32] = (0..<500).map { 2 * $0 + 1 }
        for stream in streams { _ = try side.send([.post(stream), .windowUpdate(stream, 1 << 31 - 1)]) }
        for stream in streams {
            #expect(try side.send([.data(stream, isLast: false), .headers(stream, [.field("x-test", "ok")])]) == [])
        }
        #expect(side.peer.isConnected)
        #expect(try side.send([.get(1001)]) == [.headers(1001)])
        // It is an offence if the client has ended the stream itself, however long ago.
        for stream in stride(from: 1003, to: 1103, by: 2) { _ = try side.send([.get(UInt32(stream))]) }
        #expect(try side.send([.get(1001)]) == [.goAway(code: 5)])
        #expect(!side.peer.isConnected)
    }
}

extension RawFrame {
    /// Returns a copy of the frame on another stream.
    fileprivate func moved(to stream: UInt32) -> RawFrame {
        RawFrame(bytes[3], flags: bytes[4], stream: stream, Array(bytes[9...]))
    }
}
