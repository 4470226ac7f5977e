import APNsStandIn
import NIOConcurrencyHelpers
import Testing

/// Floods by peers: a provider on another connection is served meanwhile, and most flooding peers lose their
/// connection.
@Suite(.serialized) struct FloodTests {
    @Test(arguments: Flood.Kind.allCases)
    func othersAreServed(kind: Flood.Kind) async throws {
        try await TestServer.running(with: Change(\.mostResets, 1000)) { server in
            // One provider token for all: APNs refuses tokens that change within minutes.
            let fields = try server.fields()
            let flood = Flood(kind, fields: fields)
            let good = try await server.connect()
            let isOver = NIOLockedValueBox(false)
            // A peer that has lost its connection opens another.
            async let attack = Task { () -> Int in
                var lostCount = 0
                repeat {
                    let peer = try await RawPeer.connect(to: server)
                    if try await flood.attackToTheEnd(over: peer) { lostCount += 1 }
                } while !isOver.withLockedValue { $0 }
                return lostCount
            }
            .value
            var statuses: [String] = []
            for number in 0..<50 {
                let response = try await good.request(2 * number + 1, path: TestServer.path, fields)
                statuses.append(response.status)
            }
            isOver.withLockedValue { $0 = true }
            let lostCount = try await attack
            #expect(statuses == [String](repeating: "200", count: 50))
            #expect(flood.losesConnection ? lostCount > 0 : lostCount == 0)
            #expect(try await server.statusOfPush() == "200")
        }
    }
}

/// Data that a peer sends to keep a server busy.
struct Flood: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case rapidReset, madeYouReset, longHeads, continuation, settings, ping, emptyData, zeroWindow, bomb
    }

    /// `true` if the server closes the connection because of it.
    let losesConnection: Bool
    private let opening: [UInt8]
    /// The data of each round, by its number.
    private let piece: @Sendable (Int) -> [UInt8]
    private let roundCount: Int

    init(_ kind: Kind, fields: [(String, String)]) {
        let post = Flood.head(path: TestServer.path, fields)
        let refused = Flood.head(path: "/3/device/xyz", fields)
        /// Frames on a new stream each, a hundred times.
        func onStreams(_ frames: @escaping @Sendable (Int) -> [UInt8]) -> @Sendable (Int) -> [UInt8] {
            { round in (0..<100).flatMap { frames(200 * round + 2 * $0 + 3) } }
        }
        func again(_ frame: [UInt8]) -> @Sendable (Int) -> [UInt8] {
            let frames = (0..<100).flatMap { _ in frame }
            return { _ in frames }
        }
        var opening = HostilePeersTests.preface
        // A valid push: from now on as many streams are allowed as for any provider.
        opening += Flood.frame(1, flags: 5, 1, post)
        var roundCount = 1000
        switch kind {
        case .rapidReset:
            piece = onStreams { Flood.frame(1, flags: 5, $0, post) + Flood.frame(3, $0, [0, 0, 0, 8]) }
        case .madeYouReset:
            piece = onStreams { Flood.frame(1, flags: 4, $0, post) + Flood.frame(8, $0, [0x7F, 0xFF, 0xFF, 0xFF]) }
        case .longHeads:
            let long = post + Flood.literal("x-long", String(repeating: "x", count: 9000))
            piece = onStreams { Flood.frame(1, flags: 4, $0, long) }
        case .continuation:
            opening += Flood.frame(1, 3, post)
            piece = again(Flood.frame(9, 3, []))
        case .settings:
            piece = again(Flood.frame(4, 0, []))
        case .ping:
            piece = again(Flood.frame(6, 0, [1, 2, 3, 4, 5, 6, 7, 8]))
        case .emptyData:
            opening += Flood.frame(1, flags: 4, 3, post)
            piece = again(Flood.frame(0, 3, []))
        case .zeroWindow:
            // The reasons of refusals wait forever.
            opening =
                HostilePeersTests.preface + Flood.frame(4, 0, [0, 4, 0, 0, 0, 0]) + Flood.frame(1, flags: 5, 1, post)
            piece = onStreams { Flood.frame(1, flags: 5, $0, refused) }
            roundCount = 9
        case .bomb:
            let entry = [0x40] + Flood.literal("x-bomb", String(repeating: "x", count: 3900)).dropFirst()
            // All of it in one frame, which may have 16,384 bytes.
            let bomb = post + entry + [UInt8](repeating: 0xBE, count: 11_000)
            piece = onStreams { Flood.frame(1, flags: 5, $0, bomb) }
        }
        losesConnection = kind != .zeroWindow
        self.opening = opening
        self.roundCount = roundCount
    }

    /// Floods over a connection; returns `true` if the server has closed it, and closes it.
    ///
    /// Buffers can hold a whole flood that the server has not read yet, so this waits for the server to close.
    func attackToTheEnd(over peer: RawPeer) async throws -> Bool {
        try? await peer.send(opening)
        for round in 0..<roundCount where peer.isConnected { try? await peer.send(piece(round)) }
        if losesConnection { try await peer.closed() }
        let isLost = !peer.isConnected
        await peer.close()
        return isLost
    }

    /// Floods over a connection until it is closed or everything is sent; returns `true` if it was closed, and closes
    /// it.
    func attack(over peer: RawPeer, until isOver: () -> Bool = { false }) async -> Bool {
        try? await peer.send(opening)
        for round in 0..<roundCount where peer.isConnected && !isOver() { try? await peer.send(piece(round)) }
        let isLost = !peer.isConnected
        await peer.close()
        return isLost
    }

    /// Returns a frame.
    static func frame(_ type: UInt8, flags: UInt8 = 0, _ stream: Int, _ payload: [UInt8]) -> [UInt8] {
        func bytes(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(value >> (8 * $0) & 0xFF) }
        }
        return bytes(payload.count, 3) + [type, flags] + bytes(stream, 4) + payload
    }

    /// Returns the block of a POST.
    static func head(path: String, _ fields: [(String, String)]) -> [UInt8] {
        [0x83, 0x87] + ([(":path", path), (":authority", "localhost")] + fields).flatMap { literal($0.0, $0.1) }
    }

    /// Returns a literal field that is not added to the table.
    private static func literal(_ name: String, _ value: String) -> [UInt8] { [0] + string(name) + string(value) }

    private static func string(_ text: String) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), text.utf8.count - 127)
        if rest < 0 { return [UInt8(text.utf8.count)] + Array(text.utf8) }
        while rest >= 128 {
            bytes.append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        return [127] + bytes + [UInt8(rest)] + Array(text.utf8)
    }
}
