import FreshnessCore
import LiveActivityModel
import Quantities
import Testing
import Wire

@testable import MonitorServer

@Suite("The clocks of the monitor and of the app's server")
struct MonitorClockTests {
    private static let start = Instant(microseconds: 1_700_000_000_000_000)

    @Test("a retry is stamped and renewed by the monitor's clock, whatever the app server's clock")
    func retry() throws {
        let (id, start) = (try Fixture.id("r"), Self.start)
        var machine = try Fixture.machine(at: start)
        let token = PublishedToken(address: .token(DeviceToken(ride: 1, number: 1)), revision: 1, publishedAt: start)
        machine.tokenPublished(token, for: id, shown: nil, at: start)
        // The server's clock is an hour behind.
        let generated = Instant(microseconds: start.microseconds - TimeSpan.hours(1).microseconds)
        var content = Fixture.content(generated: generated, stale: start + .seconds(60))
        content.announcement.renewal = .seconds(100)
        machine.contentAnnounced(content, for: id, at: start)
        let update = try #require(machine.takeActions().pushes.first)
        #expect(update.decision.timestamp == generated.microseconds / 1_000_000)
        machine.answered(PushAnswer(number: update.number, outcome: .accepted), at: start)

        // The lapse: the fresh limit of two minutes after the stale date.
        let lapse = start + .seconds(180)
        machine.advance(to: Instant(microseconds: lapse.microseconds - 1))
        #expect(machine.takeActions().pushes.isEmpty)
        machine.advance(to: lapse)
        let retry = try #require(machine.takeActions().pushes.first)
        #expect(retry.kind == .retry)
        #expect(retry.decision.timestamp == lapse.microseconds / 1_000_000)
        #expect(retry.decision.content == ContentStamp(generatedAt: lapse, staleDate: lapse + .seconds(100)))
        machine.answered(PushAnswer(number: retry.number, outcome: .accepted), at: lapse)
        // So the phone shows it until its stale date, and the monitor believes the same.
        #expect(machine.view(of: id, at: lapse + .seconds(100))?.freshness == .fresh)
    }
}
