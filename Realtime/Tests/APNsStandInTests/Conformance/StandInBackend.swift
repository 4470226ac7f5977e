import APNsStandIn
import FreshnessCore
import LiveActivityModel
import NIOCore
import NIOHTTP2
import Quantities
import Wire

/// The stand-in, over HTTP/2 and TLS on this machine, with phones on a phone link: it receives a cell's requests at
/// their instants.
///
/// The connections are real, the time is the test's. The stand-in's wall clock moves to the next instant once nothing
/// more happens at this one. So results do not depend on the speed of the machine, and instants are exact.
struct StandInBackend: APNsBackend {
    /// The number of threads that serve connections.
    var threads = 1

    func endings(in world: World) async throws -> [UInt64: Ending] {
        let news = StandInBackend.news(of: world)
        let wall = TestWall()
        let change = Change {
            $0.apns = APNsRules(world: world)
            $0.threads = threads
            $0.wall = wall.time
            // Hours pass instantly.
            ($0.idleSeconds, $0.patienceSeconds) = (1_000_000, 1_000_000)
        }
        return try await TestServer.running(with: change) { server in
            let phones = try await server.connect()
            let provider = try await server.connect()
            let manager = world.scenario.hasChannels ? try await server.connect() : nil
            var play = Play(
                server: server,
                wall: wall,
                provider: provider,
                phones: phones,
                manager: manager,
                storesNewest: world.scenario.groups?.channel.storage != Scenario.ChannelStorage.none,
                fields: try server.fields(),
                patience: world.scenario.sender.timeout
            )
            return try await play.run(news)
        }
    }

    /// Returns the cell's messages to an external APNs that is silent.
    private static func news(of world: World) -> [(at: Instant, OutgoingNews)] {
        var cell = CellSimulation(world: world, cell: 0, remote: .observed)
        var news: [(Instant, OutgoingNews)] = []
        while cell.step(through: .never) {
            for item in cell.takeOutbox() {
                // This sender waits for a while, and does not reset its streams.
                switch item {
                case .givenUp, .disconnected: continue
                case .request, .tokenDied, .server, .channel: break
                }
                news.append((cell.now, item))
            }
        }
        return news
    }

    /// The messages of one cell in flight, and the answers.
    private struct Play {
        let server: TestServer
        let wall: TestWall
        let provider: TestProvider
        let phones: TestProvider
        /// The connection for calls about channels; `nil` without channels.
        let manager: TestProvider?
        let storesNewest: Bool
        let fields: [(String, String)]
        let patience: TimeSpan

        /// The ids of channels by number.
        private var channels: [UInt64: String] = [:]
        /// The deletions that are due.
        private var deletions: [(channel: UInt64, at: Instant)] = []
        private var calls = 0

        private struct Sent {
            let id: OutgoingRequest.ID
            let stream: Int
            let due: Instant
        }

        private var sent: [Sent] = []
        /// The instants at which the ends of responses arrived, by stream.
        private var finishedAt: [Int: Instant] = [:]

        init(
            server: TestServer,
            wall: TestWall,
            provider: TestProvider,
            phones: TestProvider,
            manager: TestProvider?,
            storesNewest: Bool,
            fields: [(String, String)],
            patience: TimeSpan
        ) {
            self.manager = manager
            self.storesNewest = storesNewest
            self.server = server
            self.wall = wall
            self.provider = provider
            self.phones = phones
            self.fields = fields
            self.patience = patience
        }

        mutating func run(_ news: [(at: Instant, OutgoingNews)]) async throws -> [UInt64: Ending] {
            // Authenticates the provider, so that it may have many streams; the rules refuse this request before any
            // scripted behaviour.
            let bad = try await provider.request(1, path: path(ride: 0, token: 0), fields + [("apns-priority", "7")])
            guard bad.body == #"{"reason":"BadPriority"}"# else { throw Unexpected(text: bad.body) }
            phones.begin(1, path: "/freshet/phones", [])
            phones.send(0, .windowUpdate(windowSizeIncrement: 1 << 24))
            phones.body(1, "begin 1 0\n", isLast: false)
            _ = try await phones.eventually { $0.responses[1]?.body == "begun\n" ? true : nil }
            phones.send(1, .windowUpdate(windowSizeIncrement: 1 << 24))
            var rest = news[...]
            while let next = nextInstant(rest.first?.at) {
                try await wall.advance(to: deadline(of: next))
                try await settle()
                while let deletion = deletions.first, deletion.at <= next {
                    deletions.removeFirst()
                    _ = try await call("DELETE", deletion.channel)
                }
                if rest.first?.at == next {
                    while let item = rest.first, item.at == next {
                        rest.removeFirst()
                        try await tell(item.1, at: next)
                    }
                    try await provider.roundTrip()
                    try await settle()
                }
                note(at: next)
            }
            phones.body(1, "end\n", isLast: true)
            let lines = try await phones.response(1).body.split(separator: "\n").dropFirst()
            return endings(lines.map { $0.split(separator: " ") }, try await provider.eventually { $0 })
        }

        /// Returns the next instant with an event, of the stand-in or of the cell.
        private func nextInstant(_ due: Instant?) -> Instant? {
            let alarm = wall.nextAlarm.map {
                // Rounded up to the microsecond, as the stand-in rounds instants down.
                Instant(microseconds: (($0 - wall.begin).nanoseconds + 999) / 1000)
            }
            return [due, alarm, deletions.first?.at].compactMap { $0 }.min()
        }

        private func deadline(of instant: Instant) -> NIODeadline {
            wall.begin + .microseconds(instant.microseconds)
        }

        /// Waits until nothing more happens at this instant.
        private func settle() async throws {
            // From a connection's thread to the servers' and back, to the end of its turn and on to the phones': a
            // thread that has reported its counts has done its part.
            for _ in 0..<4 { _ = try await server.standIn.metrics() }
            async let isHeard: Void = phones.roundTrip()
            try await provider.roundTrip()
            try await isHeard
            if provider.isClosed { try await server.eventually("freshet_apns_connections", is: 1) }
        }

        /// Records the arrival times of the ends of responses.
        private mutating func note(at instant: Instant) {
            let finished = provider.finished
            for stream in finished where finishedAt[stream] == nil { finishedAt[stream] = instant }
        }

        private mutating func tell(_ news: OutgoingNews, at instant: Instant) async throws {
            switch news {
            case .request(let request):
                let stream = 3 + 2 * sent.count
                sent.append(Sent(id: request.id, stream: stream, due: instant))
                let priority = request.priority == .immediate ? "10" : "5"
                if request.isToChannel {
                    let name = [
                        ("apns-channel-id", channels[request.id.ride] ?? ""), ("apns-request-id", request.id.name),
                    ]
                    provider.begin(
                        stream,
                        path: "/4/broadcasts/apps/a.b",
                        fields + name + [("apns-priority", priority)]
                    )
                } else {
                    provider.begin(
                        stream,
                        path: path(ride: request.id.ride, token: request.tokenNumber),
                        fields + [("apns-id", request.id.name), ("apns-priority", priority)]
                    )
                }
                provider.body(stream, String(repeating: "x", count: max(1, request.bytes)))
            case .tokenDied(let ride, let number, let since):
                let token = DeviceToken(ride: ride, number: number).hexadecimal
                phones.body(1, "dead \(token) \(since.microseconds)\n", isLast: false)
                try await phones.roundTrip()
                try await settle()
            case .channel(let news):
                try await change(news)
            case .givenUp, .disconnected, .server:
                break
            }
        }

        private mutating func change(_ news: ChannelNews) async throws {
            switch news {
            case .created(let channel):
                let answer = try await call("POST", channel)
                channels[channel] = answer.headers["apns-channel-id"]
            case .vanishes(let channel, let instant):
                deletions.append((channel, instant))
                deletions.sort { $0.at < $1.at }
            case .closed(let channel):
                if let due = deletions.firstIndex(where: { $0.channel == channel }) { deletions.remove(at: due) }
                _ = try await call("DELETE", channel)
            case .followed(let channel, let ride): try await report("follow", channel, ride)
            case .left(let channel, let ride): try await report("leave", channel, ride)
            }
        }

        /// Creates or deletes a channel.
        private mutating func call(_ method: String, _ channel: UInt64) async throws -> TestProvider.Response {
            guard let manager else { throw Unexpected(text: "a channel without groups") }
            calls += 1
            let policy = #"{"message-storage-policy":\#(storesNewest ? 1 : 0),"push-type":"LiveActivity"}"#
            let id = channels[channel].map { [("apns-channel-id", $0)] } ?? []
            return try await manager.request(
                2 * calls - 1,
                path: "/1/apps/a.b/channels",
                fields + id,
                body: method == "POST" ? policy : "",
                method: method
            )
        }

        private func report(_ word: String, _ channel: UInt64, _ ride: UInt64) async throws {
            guard let id = channels[channel] else { return }
            phones.body(1, "\(word) \(id) \(ride)\n", isLast: false)
            try await phones.roundTrip()
        }

        private func endings(_ lines: [[Substring]], _ answers: TestProvider.Inbox.State) -> [UInt64: Ending] {
            var endings: [UInt64: Ending] = [:]
            for request in sent {
                endings[request.id.ride, default: Ending()].answers.append(answer(to: request, answers))
            }
            var requests: [String: Sent] = [:]
            for request in sent { requests[request.id.name] = request }
            var latest: [UInt64: Int] = [:]
            for line in lines where line.count > 1 {
                guard let request = requests[String(line[1])] else { continue }
                let isCopy = line[0] == "copy" || line[0] == "missed"
                let ride = isCopy ? UInt64(line[2]) ?? 0 : request.id.ride
                var ending = endings[ride] ?? Ending()
                switch line[0] {
                case "push", "copy":
                    ending.fates.append(.arrived)
                    let instant = Instant(microseconds: Int64(line[3]) ?? 0)
                    ending.latency = ending.latency ?? instant - request.due
                    if request.stream < latest[ride] ?? 0 { ending.isInOrder = false }
                    latest[ride] = request.stream
                case "lost", "missed": ending.fates.append(.lost)
                default: break
                }
                endings[ride] = ending
            }
            return endings
        }

        /// Returns the answer that the sender of a request receives in time.
        private func answer(to request: Sent, _ state: TestProvider.Inbox.State) -> Ending.Answer {
            guard let response = state.responses[request.stream], let heardAt = finishedAt[request.stream],
                heardAt <= request.due + patience, !response.isReset
            else { return .silence }
            if response.status == "200" { return .accepted }
            let reason = APNsReason.allCases.first { response.body.hasPrefix("{\"reason\":\"\($0.rawValue)\"") }
            return reason.map { .refused($0) } ?? .silence
        }

        private func path(ride: UInt64, token: UInt32) -> String {
            "/3/device/" + DeviceToken(ride: ride, number: token).hexadecimal
        }
    }

    private struct Unexpected: Error {
        let text: String
    }
}

extension OutgoingRequest.ID {
    fileprivate var name: String { RequestID(ride: ride, drawIndex: drawIndex, suffix: place).canonical }
}
