import CommandTestSupport
import NIOCore
import NIOPosix

/// A provider that pushes at a constant rate over its own connection on its own thread, and measures latencies.
struct GoodProvider {
    private let provider: TestProvider
    private let group: MultiThreadedEventLoopGroup
    private let fields: [(String, String)]
    private var next = 1

    static func connect(to address: StandInProcess.Address, _ fields: [(String, String)]) async throws -> GoodProvider {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let provider = try await TestProvider.connect(to: address.port, authority: address.authority, on: group)
        return GoodProvider(provider: provider, group: group, fields: fields)
    }

    /// Pushes for a time, 40 times a second; returns the latencies and the number of answers other than 200.
    mutating func pushes(for span: Duration) async throws -> (latencies: Latencies, errors: Int) {
        let clock = ContinuousClock()
        let start = clock.now
        var sent: [(id: Int, at: ContinuousClock.Instant)] = []
        for number in 0..<Int(span / .milliseconds(25)) {
            try await clock.sleep(until: start + .milliseconds(25) * number)
            sent.append((next, .now))
            provider.begin(next, path: TestServer.path, fields)
            provider.body(next, "{}")
            next += 2
        }
        var latencies: [Duration] = []
        var errors = 0
        for (id, at) in sent {
            let (status, end) = try await provider.eventually { state in
                state.isClosed || state.finished.contains(id)
                    ? (state.responses[id]?.status, state.finishedAt[id]) : nil
            }
            errors += status == "200" ? 0 : 1
            if let end { latencies.append(end - at) }
        }
        return (Latencies(latencies), errors)
    }

    func close() async throws {
        await provider.close()
        try await group.shutdownGracefully()
    }
}
