import APNsStandIn
import FreshnessCore
import LiveActivityModel
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP2
import Quantities
import Wire

/// The stand-in, over HTTP/2 and TLS on this machine, with phones on a line of their own: it gets at their instants the
/// requests that a cell makes.
struct StandInBackend: APNsBackend {
    /// How much faster than the wall clock.
    var speed = 50
    /// How many threads serve connections.
    var threads = 1

    /// Five seconds of the wall clock.
    var slack: TimeSpan { .seconds(5 * Int64(speed)) }

    func endings(in world: World) async throws -> [UInt64: Ending] {
        let news = StandInBackend.news(of: world)
        let change = Change {
            $0.apns = APNsRules(world: world)
            $0.threads = threads
        }
        return try await TestServer.running(with: change) { server in
            let phones = try await server.connect()
            let provider = try await server.connect()
            let play = Play(
                provider: provider,
                phones: phones,
                fields: try server.fields(),
                speed: Double(speed)
            )
            let endings = try await play.run(news, world.scenario)
            await phones.close()
            await provider.close()
            return endings
        }
    }

    /// What the cell tells an APNs outside that is silent.
    private static func news(of world: World) -> [(at: Instant, OutgoingNews)] {
        var cell = CellSimulation(world: world, cell: 0, remote: .observed)
        var news: [(Instant, OutgoingNews)] = []
        while cell.step(through: .never) {
            for item in cell.takeOutbox() {
                // This sender listens for a while, and lets its streams be.
                switch item {
                case .givenUp, .disconnected: continue
                case .request, .tokenDied, .server: break
                }
                news.append((cell.now, item))
            }
        }
        return news
    }

    /// One cell's news on their way, and what comes back.
    private struct Play {
        let provider: TestProvider
        let phones: TestProvider
        let fields: [(String, String)]
        let speed: Double

        /// When requests began, by stream.
        private let began = NIOLockedValueBox<[Int: ContinuousClock.Instant]>([:])

        init(provider: TestProvider, phones: TestProvider, fields: [(String, String)], speed: Double) {
            self.provider = provider
            self.phones = phones
            self.fields = fields
            self.speed = speed
        }

        private struct Sent {
            let id: OutgoingRequest.ID
            let stream: Int
            let due: Instant
        }

        func run(_ news: [(at: Instant, OutgoingNews)], _ scenario: Scenario) async throws -> [UInt64: Ending] {
            // Makes the provider known, so that it may have many streams; a refusal by the rules, before any conduct.
            let bad = try await provider.request(1, path: path(ride: 0, token: 0), fields + [("apns-priority", "7")])
            guard bad.body == #"{"reason":"BadPriority"}"# else { throw Unexpected(text: bad.body) }
            phones.begin(1, path: "/freshet/phones", [])
            phones.send(0, .windowUpdate(windowSizeIncrement: 1 << 24))
            let patience = scenario.sender.timeout
            let (sent, actions) = plan(news, losses: scenario.faults.filter { $0.kind == .connectionLost }.map(\.at))
            let isUnderWay = schedule(actions)
            phones.body(1, "begin \(speed) 0\n", isLast: false)
            try await isUnderWay.get()
            let lines = try await fates(of: sent)
            let answers = try await provider.eventually { state -> TestProvider.Inbox.State? in
                let isDone = sent.allSatisfy { state.finished.contains($0.stream) }
                return isDone || ContinuousClock.now > lastBegan + wall(patience) ? state : nil
            }
            phones.body(1, "end\n", isLast: true)
            return endings(sent, lines, answers, patience)
        }

        private var lastBegan: ContinuousClock.Instant { began.withLockedValue { $0.values.max() } ?? .now }

        private typealias Action = @Sendable () -> Void

        /// What is to be done, and when.
        ///
        /// - Parameter losses: When the connection is lost; no request may come later.
        private func plan(
            _ news: [(at: Instant, OutgoingNews)],
            losses: [TimeSpan]
        ) -> ([Sent], [(at: Instant, act: Action)]) {
            var sent: [Sent] = []
            var actions: [(Instant, Action)] = losses.map { span in
                (.start + span, { [provider] in provider.channel.close(promise: nil) })
            }
            for (instant, news) in news {
                switch news {
                case .request(let request):
                    let stream = 3 + 2 * sent.count
                    sent.append(Sent(id: request.id, stream: stream, due: instant))
                    let path = path(ride: request.id.ride, token: request.tokenNumber)
                    let priority = request.priority == .immediate ? "10" : "5"
                    let fields = fields + [("apns-id", request.id.name), ("apns-priority", priority)]
                    let body = String(repeating: "x", count: max(1, request.bytes))
                    let act: Action = { [provider, began] in
                        began.withLockedValue { $0[stream] = .now }
                        provider.begin(stream, path: path, fields)
                        provider.body(stream, body)
                    }
                    actions.append((instant, act))
                case .tokenDied(let ride, let number, let since):
                    let token = DeviceToken(ride: ride, number: number).hexadecimal
                    let act: Action = { [phones] in
                        phones.body(1, "dead \(token) \(since.microseconds)\n", isLast: false)
                    }
                    actions.append((instant, act))
                case .givenUp, .disconnected, .server:
                    break
                }
            }
            return (sent, actions)
        }

        /// Does everything in its time from when the phones' line is up.
        ///
        /// On a thread of the network's: those of tasks may be busy with other tests for long.
        private func schedule(_ actions: [(at: Instant, act: Action)]) -> EventLoopFuture<Void> {
            let loop = provider.channel.eventLoop
            let timed = actions.map { (delay: TimeAmount.nanoseconds(nanoseconds($0.at - .start)), act: $0.act) }
            return phones.firstData(of: 1).hop(to: loop)
                .map { [phones] begin in
                    phones.send(1, .windowUpdate(windowSizeIncrement: 1 << 24))
                    for (delay, act) in timed { loop.scheduleTask(deadline: begin + delay, act) }
                }
        }

        /// The line that the phones hear of each request.
        private func fates(of sent: [Sent]) async throws -> [[Substring]] {
            let text = try await phones.eventually { state -> String? in
                let body = state.responses[1]?.body ?? ""
                return body.utf8.count { $0 == UInt8(ascii: "\n") } > sent.count ? body : nil
            }
            return text.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
        }

        private func endings(
            _ sent: [Sent],
            _ lines: [[Substring]],
            _ answers: TestProvider.Inbox.State,
            _ patience: TimeSpan
        ) -> [UInt64: Ending] {
            var endings: [UInt64: Ending] = [:]
            for request in sent {
                endings[request.id.ride, default: Ending()].answers.append(answer(to: request, answers, patience))
            }
            var requests: [String: Sent] = [:]
            for request in sent { requests[request.id.name] = request }
            var latest: [UInt64: Int] = [:]
            for line in lines where line.count > 1 {
                guard let request = requests[String(line[1])] else { continue }
                var ending = endings[request.id.ride] ?? Ending()
                switch line[0] {
                case "push":
                    ending.fates.append(.arrived)
                    let instant = Instant(microseconds: Int64(line[3]) ?? 0)
                    ending.latency = ending.latency ?? instant - request.due
                    if request.stream < latest[request.id.ride] ?? 0 { ending.isInOrder = false }
                    latest[request.id.ride] = request.stream
                case "lost": ending.fates.append(.lost)
                default: break
                }
                endings[request.id.ride] = ending
            }
            return endings
        }

        /// What the sender of a request hears while it listens.
        private func answer(
            to request: Sent,
            _ state: TestProvider.Inbox.State,
            _ patience: TimeSpan
        ) -> Ending.Answer {
            guard let response = state.responses[request.stream], let heardAt = state.finishedAt[request.stream],
                let beganAt = began.withLockedValue({ $0[request.stream] }),
                heardAt <= beganAt + wall(patience), !response.isReset
            else { return .silence }
            if response.status == "200" { return .accepted }
            let reason = APNsReason.allCases.first { response.body.hasPrefix("{\"reason\":\"\($0.rawValue)\"") }
            return reason.map { .refused($0) } ?? .silence
        }

        private func path(ride: UInt64, token: UInt32) -> String {
            "/3/device/" + DeviceToken(ride: ride, number: token).hexadecimal
        }

        private func wall(_ span: TimeSpan) -> Duration { .nanoseconds(nanoseconds(span)) }

        /// How long a span is by the wall clock.
        private func nanoseconds(_ span: TimeSpan) -> Int64 { Int64(Double(span.microseconds) * 1000 / speed) }
    }

    private struct Unexpected: Error {
        let text: String
    }
}

extension OutgoingRequest.ID {
    fileprivate var name: String { RequestID(ride: ride, drawIndex: drawIndex, suffix: place).canonical }
}
