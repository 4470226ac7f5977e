import APNsStandIn
import Foundation
import LiveActivityModel
import NIOCore
import NIOHTTP2
import Studies
import Testing

/// Malicious peers: each loses at most its own connection, and the next provider is served.
@Suite(.serialized)
struct HostilePeersTests {
    private static let path = TestServer.path
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]

    /// Data after TLS: noise, half a preface, and frames that no peer may send.
    @Test(arguments: [
        Array("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n".utf8), [UInt8](repeating: 0xFF, count: 4096),
        // DATA on stream 0.
        preface + [0, 0, 1, 0, 0, 0, 0, 0, 0, 7],
        // HEADERS with a block that is not HPACK.
        preface + [0, 0, 4, 1, 5, 0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF],
        // WINDOW_UPDATE with an increment of 0.
        preface + [0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        // A frame larger than allowed.
        preface + [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1],
        // CONTINUATION without HEADERS.
        preface + [0, 0, 1, 9, 4, 0, 0, 0, 1, 0x82],
    ])
    func bytesThatAreNoHTTP2(bytes: [UInt8]) async throws {
        try await TestServer.running { server in
            let peer = try await RawPeer.connect(to: server)
            try await peer.send(bytes)
            try await peer.closed()
            #expect(try await server.statusOfPush() == "200")
        }
    }

    /// Bytes that are not TLS.
    @Test func bytesThatAreNoTLS() async throws {
        try await TestServer.running { server in
            let peer = try await RawPeer.connect(to: server, isSecure: false)
            try await peer.send(Self.preface)
            try await peer.closed()
            #expect(try await server.statusOfPush() == "200")
        }
    }

    /// A silent connection is closed.
    @Test func silentConnectionsAreClosed() async throws {
        let wall = TestWall()
        try await TestServer.running(with: Change(\.wall, wall.time)) { server in
            let peer = try await RawPeer.connect(to: server)
            try await peer.send([])
            try await server.eventually("freshet_apns_connections", is: 1)
            try await wall.advance(by: .seconds(601))
            try await peer.closed()
        }
    }

    /// Silent connections do not keep others from being served, however few are set up at a time.
    @Test func silentConnectionsDelayNoOther() async throws {
        try await TestServer.running { server in
            var peers: [RawPeer] = []
            for _ in 0..<100 { peers.append(try await RawPeer.connect(to: server, isSecure: false)) }
            #expect(try await server.statusOfPush() == "200")
            for peer in peers { await peer.close() }
        }
    }

    /// Invalid lines from phones: numbers that cannot be computed with, unknown words.
    private static let nonsense = [
        "begin 1e-300 0\n", "begin inf 0\n", "\0\n",
        // This one has the link already: ends of tokens that it reports before and after the nonsense are lost with the
        // link.
        "begin 1 0\ndead \(token) 0\ndead abab -9223372036854775808\ndead \(token) 0\n",
    ]
    private static let token = String(repeating: "0a", count: 80)

    /// The stream ends, its lines have no effect on pushes, and the link is free for other phones.
    @Test(arguments: nonsense)
    func phonesThatTalkNonsenseLoseTheirLine(lines: String) async throws {
        let rules = APNsRules(world: try ScenarioLoader.world(Scenario()))
        try await TestServer.running(with: Change(\.apns, rules)) { server in
            let bad = try await server.connect()
            bad.begin(1, path: "/freshet/phones", [])
            bad.body(1, lines + "begin 1 0\n", isLast: false)
            // The stand-in ends its response and reads no more of the request.
            let answer = try await bad.eventually { $0.responses[1]?.isReset == true ? $0.responses[1] : nil }
            #expect(answer.status == "200")
            #expect(answer.body == "", "no begun: neither before the nonsense nor after it")
            let provider = try await server.connect()
            let fields = try server.fields()
            #expect(try await provider.request(1, path: Self.path, fields).status == "200", "the token is not dead")
            let good = try await server.connect()
            let stream = try await Self.lineOnceFree(good)
            try await Self.expectPush(over: good, stream, from: provider, 3, fields)
        }
    }

    /// Phones with the link keep it, whatever others send.
    @Test(arguments: zip(nonsense, ["", "", "", "busy\n"]))
    func phonesThatTalkNonsenseLeaveOthersTheLine(lines: String, heard: String) async throws {
        try await TestServer.running { server in
            let good = try await server.connect()
            let stream = try await Self.lineOnceFree(good)
            #expect(stream == 1)
            let bad = try await server.connect()
            bad.begin(1, path: "/freshet/phones", [])
            bad.body(1, lines, isLast: false)
            let answer = try await bad.eventually { $0.responses[1]?.isReset == true ? $0.responses[1] : nil }
            #expect(answer.body == heard)
            let provider = try await server.connect()
            try await Self.expectPush(over: good, stream, from: provider, 1, try server.fields())
        }
    }

    /// Begins a run as soon as the previous phones are gone; returns the stream of the link.
    private static func lineOnceFree(_ phones: TestProvider) async throws -> Int {
        var stream = -1
        return try await TestServer.eventually {
            stream += 2
            phones.begin(stream, path: "/freshet/phones", [])
            phones.body(stream, "begin 1 0\n", isLast: false)
            let word = try await phones.eventually { [stream] state in
                state.responses[stream].flatMap { $0.body == "begun\n" || $0.isReset ? $0.body : nil }
            }
            if word == "begun\n" { return stream }
            #expect(word == "busy\n")
            return nil
        }
    }

    /// Expects that a push reaches the phones on the link as their next message.
    private static func expectPush(
        over phones: TestProvider,
        _ stream: Int,
        from provider: TestProvider,
        _ request: Int,
        _ fields: [(String, String)]
    ) async throws {
        let id = "01234567-89ab-cdef-0123-456789abcdef"
        let response = try await provider.request(request, path: path, fields + [("apns-id", id)])
        #expect(response.status == "200")
        let line = try await phones.eventually { state -> String? in
            let lines = state.responses[stream]?.body.split(separator: "\n") ?? []
            return lines.count == 2 ? String(lines[1]) : nil
        }
        #expect(line.split(separator: " ").prefix(3) == ["push", id[...], token[...]])
    }

    /// PING, many times: each needs a response, and only a few responses are stored.
    @Test func floodsOfPingsEndTheConnection() async throws {
        try await TestServer.running { server in
            let peer = try await RawPeer.connect(to: server)
            try await peer.send(Self.preface)
            let ping: [UInt8] = [0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]
            // More than may wait, and more than may arrive, however the server's reads divide them.
            let pings = (0..<20_000).flatMap { _ in ping }
            try? await peer.send(pings)
            try await peer.closed()
            #expect(try await server.statusOfPush() == "200")
        }
    }

    /// A peer that sends requests and does not read delays no other, and finds all responses when it resumes reading:
    /// its streams limit the backlog.
    @Test func slowReadersDelayNoOther() async throws {
        try await TestServer.running { server in
            let slow = try await server.connect()
            let other = try await server.connect()
            let fields = try server.fields()
            _ = try await slow.request(1, path: Self.path, fields)
            _ = try await slow.eventually { $0.streamLimits.count == 2 ? true : nil }
            try await slow.channel.setOption(.autoRead, value: false).get()
            for number in 1...900 { slow.begin(2 * number + 1, path: "/3/device/xyz", fields, isLast: true) }
            #expect(try await other.request(1, path: Self.path, fields).status == "200")
            try await slow.channel.setOption(.autoRead, value: true).get()
            let answered = try await slow.eventually { $0.finished.count == 901 ? $0.responses : nil }
            #expect(answered.values.filter { $0.body == #"{"reason":"BadDeviceToken"}"# }.count == 900)
        }
    }
}
