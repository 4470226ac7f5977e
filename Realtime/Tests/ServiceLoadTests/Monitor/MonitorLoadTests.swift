import LoadGenerator
import NIOCore
import NIOPosix
import Quantities
import ServiceLoad
import Testing

@Suite struct MonitorLoadTests {
    /// A killed monitor did not delay its requests, because they never reached it.
    @Test func whatHasNoConnectionWasNeverSent() async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port ?? 0
        try await channel.close().get()
        let load = MonitorLoad(
            monitor: "http://127.0.0.1:\(port)",
            secret: "any",
            authority: nil,
            plan: try .constant(perSecond: 20, for: .milliseconds(500)),
            operations: MonitorOperations(instances: 10, seed: 1)
        )
        let tally = try await load.run { _, _ in }
        #expect(tally.all.missing.notSent == 10 && tally.all.missing.missing == 10, "\(tally.all.missing)")
        #expect(tally.causes == ["connection refused": 10] && tally.soleCause == "connection refused")
        #expect(tally.requests == 0 && tally.course.learnt.total == 10)
    }
}
