import LoadGenerator
import NIOCore
import NIOPosix
import Quantities
import ServiceLoad
import Shell
import Testing

@Suite struct MonitorLoadTests {
    /// Requests never reach a killed monitor, so they count as not sent.
    @Test func whatHasNoConnectionWasNeverSent() async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port ?? 0
        try await channel.close().get()
        let load = MonitorLoad(
            monitor: "http://127.0.0.1:\(port)",
            secret: "any",
            authority: nil,
            schedule: LoadSchedule(.open(try .constant(perSecond: 20, for: .milliseconds(500)))),
            operations: MonitorOperations(instances: 10, seed: 1)
        )
        let tally = try await load.run(endingWith: EarlyEnd()) { _ in }.tally
        #expect(tally.learnt.notSent == 10 && tally.learnt.missing == 10, "\(tally.learnt)")
        #expect(tally.kinds.map(\.learnt.notSent) == [10, 0, 0, 0, 0])
        #expect(tally.causes == ["connection refused": 10] && tally.soleCause == "connection refused")
        #expect(tally.sent == 0 && tally.requests == 10 && tally.notBegun == 0)
    }
}
