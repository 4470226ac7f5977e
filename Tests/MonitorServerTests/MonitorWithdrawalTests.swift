import APNsProtocol
import FreshnessCore
import Quantities
import Synchronization
import Testing

@testable import MonitorServer

/// Nothing reaches a token once its withdrawal is acknowledged: so pushes under way to it come first.
@Suite("A withdrawal")
struct MonitorWithdrawalTests {
    /// Whether a way to withdraw acknowledges although a push to the token has no answer yet.
    ///
    /// Given time after the change is durable; a way that waits is let go at the end.
    private func acknowledgesTooSoon(
        _ withdraw: @escaping @Sendable (MonitorFixture, InstanceID) async throws -> Void
    ) async throws -> Bool {
        let fixture = try MonitorFixture(scratch: Scratch())
        fixture.sender.outcome.withLock { $0 = nil }
        let id = try Fixture.id("r")
        _ = try await fixture.monitor.publish(DeviceToken(ride: 1, number: 1), for: id, shown: nil)
        let now = MonitorClock().now
        _ = try await fixture.monitor.announce(Fixture.content(generated: now, stale: now + .minutes(5)), for: id)
        #expect(await eventually { fixture.sender.pushes.count == 1 })
        let withdrawal = Task {
            try await withdraw(fixture, id)
            return ContinuousClock.now
        }
        let isDurable = await eventually { await fixture.monitor.report().writes.changes >= 3 }
        #expect(isDurable)
        try await Task.sleep(for: .milliseconds(200))
        let answeredAt = ContinuousClock.now
        fixture.sender.answer(fixture.sender.pushes, .accepted)
        let acknowledgedAt = try await withdrawal.value
        await fixture.close()
        return acknowledgedAt < answeredAt
    }

    @Test("It is acknowledged once the pushes under way are answered")
    func drains() async throws {
        let isTooSoon = try await acknowledgesTooSoon { fixture, id in
            let isKnown = try await fixture.monitor.withdraw(id)
            #expect(isKnown)
        }
        #expect(!isTooSoon)
    }

    /// The canary: a monitor that acknowledges what is durable, whatever is under way, is one that the test above refuses.
    @Test("One that waits for the disk alone would be found out")
    func canary() async throws {
        let isTooSoon = try await acknowledgesTooSoon { fixture, id in
            _ = try await fixture.registry.write(.withdraw(id, at: MonitorClock().now))
        }
        #expect(isTooSoon)
    }
}
