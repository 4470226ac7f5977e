import FreshnessCore
import LifecycleTraces
import LiveActivityModel
import NIOCore
import NIOPosix
import Quantities
import Testing
import Wire

@testable import APNsStandIn

/// Some moment in UNIX time [s].
private let epoch: Int64 = 1_700_000_000

@Suite("The stand-in's phones do as the simulator's")
struct PhoneConformanceTests {
    /// Phones that payloads reach as they came over the wire.
    private struct Phones {
        private let loop = MultiThreadedEventLoopGroup.singleton.any()
        private let screens: PhoneScreens

        init(_ devices: Scenario.Devices = Scenario.Devices(), room: Int = 10) {
            screens = PhoneScreens(
                loop: loop,
                clock: RunClock(speed: 1) { .now() },
                epoch: epoch * 1_000_000,
                rules: PhoneStation.Rules(devices),
                room: room
            )
        }

        /// How many screens show something.
        var shown: Int {
            let census = screens.census()
            return census.fresh + census.stale + census.ended
        }

        /// What a push does that arrives some seconds after the epoch.
        func receive(
            _ event: String,
            timestamp: Int64,
            at seconds: Int64,
            isImmediate: Bool = false,
            dismissal: Int64? = nil,
            token: Substring = DeviceToken(ride: 1, number: 1).hexadecimal[...]
        ) async throws -> String {
            let fates: [(PhoneScreen.Effect, String)] = [
                (.judged(.shows), "shown"), (.judged(.ends), "ended"), (.judged(.older), "older"),
                (.judged(.throttled), "throttled"), (.judged(.undecodable), "undecodable"),
                (.judged(.afterEnd), "after end"), (.judged(.starts), "started"), (.judged(.duplicate), "duplicate"),
                (.unknownEvent, "unknown"),
            ]
            let date = dismissal.map { #""dismissal-date":\#(epoch + $0),"# } ?? ""
            let payload = #"{"aps":{\#(date)"timestamp":\#(epoch + timestamp),"event":"\#(event)"}}"#
            let arrival = PhoneScreens.Arrival(
                token: token,
                payload: ByteBuffer(string: payload),
                isImmediate: isImmediate,
                at: Instant(microseconds: seconds * 1_000_000)
            )
            let before = screens.census()
            let dropped = screens.take([arrival])
            // The loop works in order, so the push has been looked at when this has been.
            try await loop.submit {}.get()
            let after = screens.census()
            var words = fates.compactMap { after.effects[$0] == before.effects[$0] ? nil : $1 }
            if after.withoutRoom > before.withoutRoom { words.append("without room") }
            return dropped > 0 ? "dropped" : words.joined(separator: " and ")
        }
    }

    @Test("They come to the log of each history", arguments: PhoneHistory.all)
    func histories(_ history: PhoneHistory) async throws {
        var devices = Scenario.Devices()
        devices.budget.limit = history.budget
        devices.budget.window = .seconds(60)
        devices.budget.endsExempt = history.endsExempt
        let phones = Phones(devices)
        var log: [String] = []
        for push in history.arrivals {
            let word = try await phones.receive(
                push.event,
                timestamp: push.timestamp,
                at: push.at,
                isImmediate: push.isImmediate
            )
            log.append("\(push.at) \(word)")
        }
        #expect(log == history.log)
    }

    @Test("What follows the end comes after it, though the card is gone and what screens show was asked")
    func afterDismissal() async throws {
        let phones = Phones()
        #expect(try await phones.receive("end", timestamp: 5, at: 5, dismissal: -10) == "ended")
        #expect(try await phones.receive("update", timestamp: 6, at: 6) == "after end")
    }

    @Test("A screen that shows nothing any more makes room for another")
    func room() async throws {
        let phones = Phones(room: 1)
        #expect(try await phones.receive("update", timestamp: 1, at: 1) == "shown")
        #expect(try await phones.receive("update", timestamp: 2, at: 2, token: "cd") == "without room")
        #expect(try await phones.receive("end", timestamp: 3, at: 3, dismissal: 4) == "ended")
        #expect(try await phones.receive("update", timestamp: 62, at: 62, token: "cd") == "shown")
    }

    @Test("A token that rotates reaches the same screen, whose budget goes on; another's token has its own")
    func rotation() async throws {
        var devices = Scenario.Devices()
        devices.budget.limit = 1
        let phones = Phones(devices, room: 2)
        let tokens = [(7, 1), (7, 2), (8, 1)].map { DeviceToken(ride: $0, number: $1).hexadecimal }
        func receive(_ token: Int, at seconds: Int64) async throws -> String {
            try await phones.receive(
                "update",
                timestamp: seconds,
                at: seconds,
                isImmediate: true,
                token: tokens[token][...]
            )
        }
        #expect(try await receive(0, at: 1) == "shown")
        #expect(try await receive(1, at: 2) == "throttled")
        #expect(phones.shown == 1)
        #expect(try await receive(2, at: 3) == "shown")
        #expect(phones.shown == 2)
    }

    @Test("What is no event changes nothing, and no start brings back what has ended")
    func starts() {
        let rules = PhoneStation.Rules(Scenario.Devices())
        var screen = PhoneScreen()
        func receive(
            _ event: PushEvent?,
            _ timestamp: Double,
            stale: Double? = nil,
            dismissal: Double? = nil
        )
            -> PhoneScreen.Effect
        {
            let content = ActivityPayload(
                timestamp: timestamp,
                event: event,
                staleDate: stale,
                dismissalDate: dismissal
            )
            return screen.receive(content, isImmediate: false, at: Instant(microseconds: 1_000_000), rules: rules)
        }
        func display(_ seconds: Int64) -> PhoneScreen.Display {
            screen.display(at: Instant(microseconds: seconds * 1_000_000))
        }
        #expect(receive(nil, 1) == .unknownEvent)
        #expect(display(1) == .gone)
        #expect(receive(.start, 4, stale: 10) == .judged(.starts))
        #expect(display(9) == .fresh)
        #expect(receive(.start, 6, stale: 30) == .judged(.duplicate))
        #expect(display(10) == .stale)
        #expect(receive(.update, .infinity) == .judged(.older))
        #expect(receive(.update, 5, stale: 20) == .judged(.shows))
        #expect(display(19) == .fresh && display(20) == .stale)
        #expect(receive(.end, 7, dismissal: 30) == .judged(.ends))
        #expect(display(29) == .ended && display(30) == .gone)
        #expect(receive(.start, 8, stale: 50) == .judged(.afterEnd))
        #expect(display(49) == .gone)
    }
}
