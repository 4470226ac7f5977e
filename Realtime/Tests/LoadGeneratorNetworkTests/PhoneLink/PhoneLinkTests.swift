import APNsStandIn
import LoadGenerator
import NIOCore
import NIOPosix
import TestSupport
import Testing
import Wire

/// Tests of the phone line against a stand-in.
@Suite struct PhoneLinkTests {
    @Test func beginsAndEnds() async throws {
        let identity = try ServerIdentity.throwAway()
        let standIn = try await StandIn.start(StandInConfiguration(identity: identity))
        let endpoint = APNsEndpoint(host: "127.0.0.1", port: standIn.port, trust: .unchecked)
        let first = Listener()
        let link = try await connect(to: endpoint, first)
        // Only one run at a time.
        await #expect(throws: PhoneLinkError.busy) { _ = try await connect(to: endpoint, Listener()) }
        await link.end()
        #expect(await first.wasItself.reaches { $0 == true })
        await standIn.stop()
    }

    private func connect(to endpoint: APNsEndpoint, _ listener: Listener) async throws -> PhoneLink {
        try await PhoneLink.connect(
            to: endpoint,
            speed: 100,
            group: MultiThreadedEventLoopGroup.singleton,
            listener: listener
        )
    }

    private final class Listener: PhoneLinkListener {
        /// `true` if the line was closed by its own side; nil: it is open.
        let wasItself = Observed<Bool?>(nil)

        func heard(_ news: [PhoneNews]) {}

        func hungUp(asWished: Bool) {
            wasItself.change { $0 = asWished }
        }
    }
}
