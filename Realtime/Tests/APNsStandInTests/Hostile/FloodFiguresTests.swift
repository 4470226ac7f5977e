import CommandTestSupport
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

/// Effects of a flood on a provider beside it, and on the process.
///
/// The tests take minutes and measure a machine, so only `make hostile` runs them; FloodTests has a short form of each.
/// Figures of processes are read from `/proc`.
#if os(Linux)
@Suite(.serialized, .enabled(if: Loop.isHostile)) struct FloodFiguresTests {
    @Test(arguments: FloodFigures.chosen(Attack.all))
    func providerAndProcess(attack: Attack) async throws {
        let tally = HostileTally("\(attack)", checks: 5)
        let server = try await StandInProcess(["--threads", "1"])
        let (address, fields) = (server.address, try server.fields())
        // The provider has a thread of its own.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let good = try await TestProvider.connect(to: address.port, authority: address.authority, on: group)
        let next = Mutex(1)
        let measured = try await FloodFigures.measured(server.processID) {
            let id = next.withLock { id in
                defer { id += 2 }
                // Streams begin in the order of their numbers.
                good.begin(id, path: TestServer.path, fields)
                good.body(id, "{}")
                return id
            }
            let answer = try? await good.eventually { state in
                state.isClosed || state.finished.contains(id)
                    ? (state.finishedAt[id], state.responses[id]?.status) : nil
            }
            return (answer?.0 ?? .now, answer?.1 == "200" ? nil : "\(answer?.1 ?? "no answer")")
        } attack: { isOver in
            try await attack.run(address, fields, until: isOver)
        }
        await good.close()
        try await group.shutdownGracefully()
        let figures = try #require(measured)
        #expect(figures.failures(tally, atLeast: .milliseconds(4), megabytes: 150, descriptors: 4096) == [])
        #expect(tally.counts(server.isRunning && figures.after.descriptors <= figures.before.descriptors + 8))
    }
}
#endif
