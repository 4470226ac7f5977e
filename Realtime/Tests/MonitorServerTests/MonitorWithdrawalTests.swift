import CommandTestSupport
import FreshnessCore
import LiveActivityModel
import Quantities
import Synchronization
import TestSupport
import Testing
import Wire

@testable import MonitorServer

/// Nothing reaches a token once its withdrawal is acknowledged: so pushes under way to it come first.
@Suite("A withdrawal")
struct MonitorWithdrawalTests {
    /// What happens when a token is withdrawn while a push to it has no answer yet, in its order.
    ///
    /// The push is answered once the withdrawal either waits for that or is acknowledged: one of the two comes, and no clock
    /// says which.
    private func events(
        withdrawing withdraw: @escaping @Sendable (MonitorFixture, InstanceID) async throws -> Void
    ) async throws -> [FakeTransport.Event] {
        let fixture = try MonitorFixture(scratch: Scratch())
        fixture.transport.outcome.withLock { $0 = nil }
        let id = try Fixture.id("r")
        _ = try await fixture.monitor.publish(DeviceToken(ride: 1, number: 1), for: id, shown: nil)
        let now = SystemClock().now
        _ = try await fixture.monitor
            .announce(
                ContentAnnouncement(state: Array("{}".utf8), generatedAt: now, staleDate: now + .minutes(5)),
                for: id
            )
        #expect(await eventually { fixture.transport.events == [.sent(.update)] })
        let withdrawal = Task {
            try await withdraw(fixture, id)
            fixture.transport.acknowledged()
        }
        let isDecided = await eventually {
            let awaited = await fixture.monitor.report().waitingWithdrawals
            return awaited == 1 || fixture.transport.events.last == .acknowledged
        }
        #expect(isDecided)
        fixture.transport.answer(fixture.transport.pushes, .accepted)
        try await withdrawal.value
        #expect(await fixture.monitor.report().waitingWithdrawals == 0)
        await fixture.close()
        return fixture.transport.events
    }

    @Test("It is acknowledged once the pushes under way are answered")
    func drains() async throws {
        let events = try await events { fixture, id in
            let isKnown = try await fixture.monitor.withdraw(id)
            #expect(isKnown)
        }
        #expect(events == [.sent(.update), .answered(.update), .acknowledged])
    }

    /// The canary: a monitor that acknowledges what is durable, whatever is under way, is one that the test above refuses.
    @Test("One that waits for the disk alone would be found out")
    func canary() async throws {
        let events = try await events { fixture, id in
            _ = try await fixture.registry.write(.withdraw(id, at: SystemClock().now))
        }
        #expect(events == [.sent(.update), .acknowledged, .answered(.update)])
    }
}
