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
            operations: MonitorOperations(instances: 10, seed: 1),
            prefix: "load-1-0-"
        )
        let tally = try await load.run(endingWith: EarlyEnd()) { _ in }.tally
        #expect(tally.learnt.notSent == 10 && tally.learnt.missing == 10, "\(tally.learnt)")
        #expect(tally.kinds.map(\.learnt.notSent) == [10, 0, 0, 0, 0])
        #expect(tally.causes == ["connection refused": 10] && tally.soleCause == "connection refused")
        #expect(tally.sent == 0 && tally.requests == 10 && tally.notBegun == 0)
    }

    /// A load must not change the instances of a monitor in service, and must leave none of its own.
    @Test func whatItHasPublishedIsWithdrawnAtTheEnd() async throws {
        let server = try await ScriptedServer { request in
            request.text.contains("/load-1-0-2/token") && request.text.hasPrefix("DELETE")
                ? .answer(status: 503) : .answer()
        }
        let load = MonitorLoad(
            monitor: server.url,
            secret: "any",
            authority: nil,
            schedule: LoadSchedule(.open(try .constant(perSecond: 20, for: .milliseconds(500)))),
            operations: MonitorOperations(instances: 4, seed: 1),
            prefix: "load-1-0-"
        )
        let progress = try await load.run(endingWith: EarlyEnd()) { _ in }
        let lines = server.received.map { String($0.text.prefix { !$0.isNewline }) }
        #expect(lines.allSatisfy { $0.contains(" /v1/instances/load-1-0-") }, "\(lines)")
        let last = Set(lines.suffix(4))
        #expect(last == Set((0..<4).map { "DELETE /v1/instances/load-1-0-\($0)/token HTTP/1.1" }), "\(lines)")
        #expect(progress.tally.requests == 10 && lines.count == 14)
        #expect(progress.remaining == 1)
        try await server.stop()
    }
}
