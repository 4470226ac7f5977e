import LoadGenerator
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Quantities
import ServiceLoad
import Shell
import Testing

@Suite struct MonitorLoadTests {
    /// Returns a load of ten requests in half a second.
    private static func load(on address: String, instances: Int) throws -> MonitorLoad {
        MonitorLoad(
            monitor: address,
            secret: "any",
            authority: nil,
            schedule: LoadSchedule(.open(try .constant(perSecond: 20, for: .milliseconds(500)))),
            operations: MonitorOperations(instances: instances, seed: 1),
            prefix: "load-1-0-"
        )
    }

    /// Requests never reach a killed monitor, so they count as not sent.
    @Test func whatHasNoConnectionWasNeverSent() async throws {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port ?? 0
        try await channel.close().get()
        let load = try Self.load(on: "http://127.0.0.1:\(port)", instances: 10)
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
        let load = try Self.load(on: server.url, instances: 4)
        let progress = try await load.run(endingWith: EarlyEnd()) { _ in }
        let lines = server.received.map { String($0.text.prefix { !$0.isNewline }) }
        #expect(lines.allSatisfy { $0.contains(" /v1/instances/load-1-0-") }, "\(lines)")
        let last = Set(lines.suffix(4))
        #expect(last == Set((0..<4).map { "DELETE /v1/instances/load-1-0-\($0)/token HTTP/1.1" }), "\(lines)")
        #expect(progress.tally.requests == 10 && lines.count == 14)
        #expect(progress.remaining == 1)
        try await server.stop()
    }

    /// A monitor that does not answer delays the end by the patience, not by the timeout of its requests too.
    @Test(.timeLimit(.minutes(1))) func aSilentMonitorIsNotAwaitedForLonger() async throws {
        let server = try await ScriptedServer { $0.text.contains("/load-2/") ? .answer(status: 429) : .silence }
        let client = try MonitorClient(monitor: server.url, secret: "any", authority: nil, connections: 8)
        let end = EarlyEnd()
        end.workBegins()
        let (begin, patience) = (ContinuousClock.now, Duration.milliseconds(300))
        let names = (0..<8).map { "load-\($0)" }
        #expect(await LoadInstances.withdraw(names, from: client, patience: patience, of: end) == 8)
        // The client's timeout is half a minute.
        #expect(ContinuousClock.now - begin < .seconds(20))
        // The load is over, so it cannot be ended early.
        #expect(!end.ask(.interrupted))
        await client.shutDown()
        try await server.stop()
    }

    /// A monitor that limits requests answers later, and one of another shard has never watched the instance.
    @Test func aLimitDelaysAWithdrawalAndAnotherShardNeedsNone() async throws {
        let limited = "DELETE /v1/instances/load-1-0-1/token"
        let other = "DELETE /v1/instances/load-1-0-3/token"
        let seen = NIOLockedValueBox(0)
        let server = try await ScriptedServer { request in
            if request.text.hasPrefix(other) { return .answer(status: 421) }
            guard request.text.hasPrefix(limited) else { return .answer() }
            let count = seen.withLockedValue { count in
                count += 1
                return count
            }
            return .answer(status: count == 1 ? 429 : 200)
        }
        let load = try Self.load(on: server.url, instances: 4)
        #expect(try await load.run(endingWith: EarlyEnd()) { _ in }.remaining == 0)
        #expect(seen.withLockedValue(\.self) == 2)
        try await server.stop()
    }
}
