import FreshnessCore
import LoadGenerator
import NIOPosix
import Quantities
import TestSupport
import Testing
import Wire

@testable import MonitorServer

@Suite("The monitor's connection to APNs")
struct APNsPushTransportTests {
    @Test("A push goes to the path of its token, or to that of the app with its channel")
    func addresses() async throws {
        let start = Instant(microseconds: 1_700_000_000_000_000)
        let channel = try #require(ChannelID("AbC+/w=="))
        let token = DeviceToken(ride: 3, number: 1)
        var machine = try Fixture.machine(at: start)
        for (name, address) in [("a", PushAddress.token(token)), ("b", .channel(channel))] {
            let id = try Fixture.id(name)
            let published = PublishedToken(address: address, revision: 1, publishedAt: start)
            machine.tokenPublished(published, for: id, shown: nil, at: start)
            machine.contentAnnounced(
                Fixture.content(generated: start, stale: start + .minutes(1)),
                for: id,
                at: start
            )
        }
        let pushes = machine.takeActions().pushes
        #expect(pushes.count == 2)
        let recorder = try await PushRecorder.start()
        let transport = try await APNsPushTransport(
            endpoint: APNsEndpoint(host: "127.0.0.1", port: recorder.port, trust: nil),
            provider: nil,
            topic: "com.example.rides.push-type.liveactivity",
            configuration: APNsPoolConfiguration(connections: 1),
            clock: SystemClock(),
            group: MultiThreadedEventLoopGroup.singleton
        )
        transport.send(pushes)
        #expect(await eventually { recorder.arrivals.count == 2 })
        await transport.shutDown()
        try await recorder.stop()
        let arrivals = recorder.arrivals.sorted { $0.path < $1.path }
        #expect(arrivals.map(\.path) == ["/3/device/\(token.hexadecimal)", "/4/broadcasts/apps/com.example.rides"])
        #expect(arrivals.first?.fields["apns-channel-id"] == nil)
        let fields = arrivals.last?.fields ?? [:]
        #expect(fields["apns-channel-id"] == "AbC+/w==" && fields["apns-push-type"] == "liveactivity")
        #expect(fields["apns-priority"] == "10" && fields["apns-request-id"] == pushes.last?.requestID.canonical)
        #expect(fields["apns-topic"] == nil && fields["apns-expiration"] == nil)
    }
}
