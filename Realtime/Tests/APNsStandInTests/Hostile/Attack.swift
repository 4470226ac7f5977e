import CommandTestSupport

/// An attack on a stand-in while a provider pushes to it.
enum Attack: CustomStringConvertible, Sendable {
    /// Flooding connections, one after the other.
    case flood(Flood.Kind)
    /// Heads and bodies on many connections that arrive byte by byte.
    case slowHeads, slowBodies
    /// Connections that are reset: at once, or after the start of TLS, which costs the server a signature.
    case churn, handshakeChurn

    static let all: [Attack] =
        Flood.Kind.allCases.map(Attack.flood) + [.slowHeads, .slowBodies, .churn, .handshakeChurn]

    var description: String {
        switch self {
        case .flood(let kind): "flood: \(kind)"
        case .slowHeads: "flood: slow heads"
        case .slowBodies: "flood: slow bodies"
        case .churn: "flood: churn"
        case .handshakeChurn: "flood: churn of handshakes"
        }
    }

    /// Continues until it is stopped; returns the number of its connections.
    func run(
        _ address: StandInProcess.Address,
        _ fields: [(String, String)],
        until isDone: @escaping @Sendable () -> Bool
    ) async throws -> Int {
        var made = 0
        switch self {
        case .flood(let kind):
            let flood = Flood(kind, fields: fields)
            while !isDone() {
                let peer = try await RawPeer.connect(to: address.port, authority: address.authority)
                made += 1
                _ = await flood.attack(over: peer, until: isDone)
            }
        case .slowHeads, .slowBodies:
            let head = Flood.head(path: TestServer.path, fields)
            var opening = HostilePeersTests.preface
            // Without END_HEADERS; for bodies with it, but without END_STREAM.
            if case .slowBodies = self { opening += Flood.frame(1, flags: 4, 1, head) }
            let last = Flood.frame(1, 3, head)
            var peers: [RawPeer] = []
            for _ in 0..<200 where !isDone() {
                let peer = try await RawPeer.connect(to: address.port, authority: address.authority)
                try? await peer.send(opening)
                peers.append(peer)
            }
            made = peers.count
            var place = 0
            while !isDone() {
                for peer in peers where peer.isConnected {
                    if case .slowBodies = self {
                        try? await peer.send(Flood.frame(0, 1, [32]))
                    } else {
                        try? await peer.send([last[place % last.count]])
                    }
                }
                // The head is never finished: its last byte is never sent.
                place = min(place + 1, last.count - 2)
                try await Task.sleep(for: .milliseconds(200))
            }
            for peer in peers { await peer.close() }
        case .churn, .handshakeChurn:
            let hello = if case .handshakeChurn = self { Self.clientHello } else { [UInt8]() }
            made = await PlainFlood.again(hello, isReset: true).run(port: address.port, until: isDone)
        }
        return made
    }

    /// A ClientHello of TLS 1.2: ECDHE on X25519, signed by ECDSA on P-256 (RFC 5246, section 7.4.1.2; RFC 8422).
    private static let clientHello: [UInt8] = {
        let extensions: [UInt8] =
            [0, 10, 0, 4, 0, 2, 0, 29] + [0, 11, 0, 2, 1, 0] + [0, 13, 0, 4, 0, 2, 4, 3]
        let body: [UInt8] =
            [3, 3] + [UInt8](repeating: 7, count: 32) + [0, 0, 2, 0xC0, 0x2B, 1, 0]
            + [0, UInt8(extensions.count)] + extensions
        let handshake: [UInt8] = [1, 0, 0, UInt8(body.count)] + body
        return [22, 3, 1, 0, UInt8(handshake.count)] + handshake
    }()
}
