import FreshnessCore
import LiveActivityModel
import LoadGenerator
import Quantities
import Testing
import Wire

@testable import ServiceLoad

/// Tests of the requests of an app's server, as the monitor reads them.
@Suite("Requests to a monitor")
struct MonitorMessageTests {
    private static let epoch: Int64 = 1_700_000_000_250_000
    private static let instance = ServerNews.Instance(ride: 7, life: 2)
    private static let stamp = ContentStamp(
        generatedAt: Instant(microseconds: 1_500_000),
        staleDate: Instant(microseconds: 61_500_007)
    )
    private static let token = DeviceToken(ride: 7, number: 3).hexadecimal

    private func message(
        _ message: ServerNews.Message,
        timeToLive: TimeSpan = .minutes(2),
        dismissedAfter: TimeSpan = .zero
    ) -> MonitorMessage {
        let news = ServerNews(instance: Self.instance, message: message, at: .start)
        var dismissal = Scenario.Dismissal()
        dismissal.byPush = dismissedAfter
        return MonitorMessage(news, epoch: Self.epoch, timeToLive: timeToLive, dismissal: dismissal)
    }

    private func path(_ message: MonitorMessage) -> String { message.route.path(of: message.instance) }

    @Test("Each has its contents, in the monitor's time")
    func words() {
        let first = message(.token(number: 3, shown: Self.stamp))
        #expect(path(first) == "/v1/instances/ride-7.2/token")
        #expect(
            first.body
                == #"{"token":"\#(Self.token)","generated_at_us":1700000001750000,"stale_date":1700000061.750007}"#
        )
        #expect(message(.token(number: 3, shown: nil)).body == #"{"token":"\#(Self.token)"}"#)
        let content = message(.content(Self.stamp, priority: .considerate, bytes: 0))
        #expect(path(content) == "/v1/instances/ride-7.2/content")
        #expect(
            content.body
                == #"{"content_state":{"generated_at_us":1700000001750000},"generated_at_us":1700000001750000,"#
                + #""stale_date":1700000061.750007,"priority":5,"renewable_for_s":120.000000}"#
        )
        #expect(path(message(.withdrawal)) == "/v1/instances/ride-7.2/token")
        #expect(path(message(.rideOver)) == "/v1/instances/ride-7.2/end")
        let kinds = [.token(number: 1, shown: nil), .withdrawal, .rideOver].map { message($0).route }
        #expect(kinds == [.publish, .withdraw, .end])
        #expect(message(.rideOver).body == #"{"dismissal_date":1700000000}"#)
        #expect(message(.rideOver, dismissedAfter: .minutes(2)).body == #"{"dismissal_date":1700000120}"#)
        // Apple's default has no date.
        #expect(message(.rideOver, dismissedAfter: .hours(4)).body == nil)
    }

    @Test("The names of a load in a running monitor carry its run and its beginning")
    func names() {
        let prefix = LoadInstances.prefix(of: "9f86d081884c7d65", beganAt: 1_700_000_000_000_000)
        #expect(prefix == "load-9f86d081884c7d65-gqll7vatq8-")
        let news = ServerNews(instance: Self.instance, message: .withdrawal, at: .start)
        let message = MonitorMessage(
            news,
            epoch: Self.epoch,
            timeToLive: .minutes(2),
            dismissal: Scenario.Dismissal(),
            prefix: prefix
        )
        #expect(path(message) == "/v1/instances/\(prefix)7.2/token")
    }

    @Test("Content without a stale date has none in its request, and with a TTL of zero it is not renewed")
    func withoutStaleDate() {
        let stamp = ContentStamp(generatedAt: .start, staleDate: .never)
        let body = message(.content(stamp, priority: .immediate, bytes: 0), timeToLive: .zero).body
        #expect(
            body
                == #"{"content_state":{"generated_at_us":1700000000250000},"generated_at_us":1700000000250000,"#
                + #""priority":10}"#
        )
    }

    /// The payload has 90 bytes around the content; the monitor accepts 3,936 bytes of content.
    @Test(
        "Content gives the payload the model's length",
        arguments: [(400, 310), (4026, 3936), (4096, 3936), (5000, 4910)]
    )
    func size(payload: Int, state: Int) throws {
        let body = try #require(message(.content(Self.stamp, priority: .immediate, bytes: payload)).body)
        let start = try #require(body.firstRange(of: "\"content_state\":")?.upperBound)
        let end = try #require(body.firstRange(of: ",\"generated_at_us\":1700000001750000,\"stale")?.lowerBound)
        #expect(body[start..<end].utf8.count == state)
    }

    @Test("An alert is part of the payload's length", arguments: [(400, 265), (4096, 3891)])
    func sizeWithAlert(payload: Int, state: Int) throws {
        let message = message(.content(Self.stamp, priority: .immediate, bytes: payload, alerts: true))
        let announcement = try ContentAnnouncement(Array(#require(message.body).utf8))
        #expect(announcement.alert == RideContent.alert && RideContent.alert.byteCount == 45)
        #expect(announcement.state.count == state)
    }
}
