import CommandTestSupport
import FreshnessCore
import LiveActivityModel
import Quantities
import Synchronization
import TestSupport
import Testing
import Wire

@testable import MonitorServer

/// After the acknowledgement of a withdrawal nothing reaches the token, so pushes in flight to it come first.
@Suite("A withdrawal")
struct MonitorWithdrawalTests {
    /// Returns the events, in order, if a token is withdrawn while a push to it has no answer yet.
    ///
    /// The push is answered once the withdrawal either waits for that or is acknowledged. One of the two happens,
    /// independent of any clock.
    private func events(
        withdrawing withdraw: @escaping @Sendable (MonitorFixture, InstanceID) async throws -> Void
    ) async throws -> [FakeTransport.Event] {
        let fixture = try MonitorFixture()
        fixture.transport.outcome.withLock { $0 = nil }
        let id = try Fixture.id("r")
        _ = try await fixture.monitor.publish(.token(DeviceToken(ride: 1, number: 1)), for: id, shown: nil)
        let now = SystemClock().now
        _ = try await fixture.monitor
            .announce(
                ContentAnnouncement(state: Array("{}".utf8), generatedAt: now, staleDate: now + .minutes(5)),
                for: id
            )
        #expect(await fixture.transport.hasSent(1))
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

    @Test("It is acknowledged once the pushes in flight are answered")
    func drains() async throws {
        let events = try await events { fixture, id in
            let isKnown = try await fixture.monitor.withdraw(id)
            #expect(isKnown)
        }
        #expect(events == [.sent(.update), .answered(.update), .acknowledged])
    }

    /// The canary: the test above refuses a monitor that acknowledges durable withdrawals despite pushes in flight.
    @Test("The test detects a withdrawal that only waits for the disk")
    func canary() async throws {
        let events = try await events { fixture, id in
            _ = try await fixture.registry.write(.withdraw(id, at: SystemClock().now))
        }
        #expect(events == [.sent(.update), .acknowledged, .answered(.update)])
    }
}
