import FreshnessCore
import LifecycleTraces
import LiveActivityModel
import LoadGenerator
import NIOCore
import NIOPosix
import Quantities
import Testing
import Wire

@testable import APNsStandIn

/// An arbitrary UNIX time [s].
private let epoch: Int64 = 1_700_000_000

@Suite("The stand-in's phones behave like the simulator's")
struct PhoneConformanceTests {
    /// Phones that receive payloads as sent over the wire.
    private struct Phones {
        private let loop = MultiThreadedEventLoopGroup.singleton.any()
        private let screens: PhoneScreens

        init(_ devices: Scenario.Devices = Scenario.Devices(), room: Int = 10) {
            screens = PhoneScreens(
                loop: loop,
                clock: RunClock(speed: 1, by: TestWall().time),
                epoch: epoch * 1_000_000,
                rules: PhoneStation.Rules(devices),
                room: room
            )
        }

        /// The number of screens that show something.
        var shown: Int {
            let census = screens.census()
            return census.fresh + census.stale + census.ended
        }

        /// Returns the effect of a push that arrives some seconds after the epoch.
        func receive(
            _ event: String,
            timestamp: Int64,
            at seconds: Int64,
            isImmediate: Bool = false,
            dismissal: Int64? = nil,
            token: Substring = DeviceToken(ride: 1, number: 1).hexadecimal[...]
        ) async throws -> String {
            try await receive(
                PhonePayload.text(event, at: epoch + timestamp, dismissal: dismissal.map { epoch + $0 }),
                at: seconds,
                isImmediate: isImmediate,
                token: token
            )
        }

        /// Returns the effect of a literal payload.
        func receive(
            _ payload: String,
            at seconds: Int64,
            isImmediate: Bool = false,
            token: Substring = DeviceToken(ride: 1, number: 1).hexadecimal[...]
        ) async throws -> String {
            let arrival = PhoneScreens.Arrival(
                token: token,
                payload: ByteBuffer(string: payload),
                isImmediate: isImmediate,
                at: Instant(microseconds: seconds * 1_000_000)
            )
            let before = screens.census()
            let dropped = screens.take([arrival])
            // The loop works in order, so the push has been processed once this has run.
            try await loop.submit {}.get()
            let after = screens.census()
            var words = PhoneScreen.Effect.names
                .compactMap { name, effect in after.effects[effect] == before.effects[effect] ? nil : name }
                .map { $0.replacing("_", with: " ") }
            if after.withoutRoom > before.withoutRoom { words.append("without room") }
            return dropped > 0 ? "dropped" : words.joined(separator: " and ")
        }
    }

    @Test("They produce the log of each history", arguments: History.phones)
    func histories(_ history: History) async throws {
        let phones = try Phones(history.devices())
        var log: [String] = []
        for push in history.arrivals {
            let word = try await phones.receive(
                push.event,
                timestamp: push.timestamp,
                at: push.at,
                isImmediate: push.isImmediate
            )
            log.append("\(push.words): \(word)")
        }
        #expect(history.difference(from: log) == nil)
    }

    @Test("A push after the end counts as such, although the card is gone and screens were read")
    func afterDismissal() async throws {
        let phones = Phones()
        #expect(try await phones.receive("end", timestamp: 5, at: 5, dismissal: -10) == "ended")
        #expect(try await phones.receive("update", timestamp: 6, at: 6) == "after end")
    }

    @Test("A screen that no longer shows anything makes room for another")
    func room() async throws {
        let phones = Phones(room: 1)
        #expect(try await phones.receive("update", timestamp: 1, at: 1) == "shown")
        #expect(try await phones.receive("update", timestamp: 2, at: 2, token: "cd") == "without room")
        #expect(try await phones.receive("end", timestamp: 3, at: 3, dismissal: 4) == "ended")
        #expect(try await phones.receive("update", timestamp: 62, at: 62, token: "cd") == "shown")
    }

    @Test("A rotated token reaches the same screen with its budget; another ride's token has its own")
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

    @Test(
        "A payload that iOS drops shows nothing and has its own effect",
        arguments: [
            (
                #""event":"start","content-state":{},"attributes-type":"A","attributes":{},"alert":{}"#,
                "start without alert"
            ),
            (#""event":"start","content-state":{},"attributes-type":"A","attributes":{}"#, "start without alert"),
            (
                #""event":"start","content-state":{},"attributes-type":"A","attributes":{},"alert":null"#,
                "start without alert"
            ),
            (
                #""event":"start","content-state":{},"attributes-type":"A","attributes":{},"alert":"""#,
                "start without alert"
            ),
            (#""event":"start","content-state":{},"attributes":{},"alert":{"title":"T"}"#, "start without attributes"),
            (
                #""event":"start","content-state":{},"attributes-type":"A","alert":{"title":"T"}"#,
                "start without attributes"
            ),
            (
                #""event":"start","content-state":{},"attributes-type":"","attributes":{},"alert":"T""#,
                "start without attributes"
            ),
            (
                #""event":"start","content-state":{},"attributes-type":7,"attributes":{},"alert":"T""#,
                "start without attributes"
            ),
            (
                #""event":"start","content-state":{},"attributes-type":"A","attributes":"{}","alert":"T""#,
                "start without attributes"
            ),
            (#""event":"start","attributes-type":"A","attributes":{},"alert":{"title":"T"}"#, "undecodable"),
            (#""event":"update""#, "undecodable"), (#""event":"update","content-state":null"#, "undecodable"),
            (#""event":"update","content-state":"{}""#, "undecodable"),
            (#""event":"update","content-state":[{}]"#, "undecodable"),
            (#""event":"update","content-state":{},"stale-date":"1700000600""#, "undecodable"),
            (#""event":"update","content-state":{},"stale-date":1e999"#, "undecodable"),
            (#""event":"end","dismissal-date":true"#, "undecodable"),
        ]
    )
    func dropped(members: String, effect: String) async throws {
        let phones = Phones(room: 1)
        #expect(try await phones.receive(#"{"aps":{"timestamp":\#(epoch),\#(members)}}"#, at: 0) == effect)
        #expect(phones.shown == 0)
        // It does not displace another screen either.
        #expect(try await phones.receive("update", timestamp: 1, at: 1, token: "cd") == "shown")
    }

    @Test(
        "Payloads with increasing timestamps are shown, whatever the unit; others are older",
        arguments: [
            (["1700000000", "1700000005", "1700000010"], ["shown", "shown", "shown"]),
            (["1700000000000", "1700000005000", "1700000010000"], ["shown", "shown", "shown"]),
            (["1700000000000000", "1700000005000000", "1700000010000000"], ["shown", "shown", "shown"]),
            (["1700000000000000000", "1700000005000000000", "1700000010000000000"], ["shown", "shown", "shown"]),
            (["1700000000.25", "1700000000.5", "1700000000.375"], ["shown", "shown", "older"]),
            (["1700000000000", "1700000005"], ["shown", "older"]), (["1700000000", "17e8"], ["shown", "older"]),
            (["-5", "-6", "-0.0", "0", "1"], ["shown", "older", "shown", "older", "shown"]),
            (["-1e300", "1e300", "1e301"], ["shown", "shown", "shown"]),
            (
                ["\"1700000000\"", "1e999", "true", "null"],
                ["undecodable", "undecodable", "undecodable", "undecodable"]
            ),
        ]
    )
    func timestamps(timestamps: [String], effects: [String]) async throws {
        let phones = Phones()
        var log: [String] = []
        for (place, timestamp) in timestamps.enumerated() {
            let payload = #"{"aps":{"timestamp":\#(timestamp),"event":"update","content-state":{}}}"#
            log.append(try await phones.receive(payload, at: 5 * Int64(place)))
        }
        #expect(log == effects)
    }

    @Test("A stale date in milliseconds never comes; a dismissal date in milliseconds is four hours away")
    func datesInMilliseconds() async throws {
        let phones = Phones()
        let milliseconds = (epoch + 60) * 1000
        let stale =
            #"{"aps":{"timestamp":\#(epoch),"event":"update","content-state":{},"stale-date":\#(milliseconds)}}"#
        #expect(try await phones.receive(stale, at: 0) == "shown")
        let end = #"{"aps":{"timestamp":\#(epoch + 1),"event":"end","dismissal-date":\#(milliseconds)}}"#
        #expect(try await phones.receive(end, at: 1) == "ended")
        var screen = PhoneScreen()
        let rules = PhoneStation.Rules(Scenario.Devices())
        for (place, text) in [stale, end].enumerated() {
            let push = try #require(ActivityPayload(Array(text.utf8)))
            let now = Instant(microseconds: (epoch + Int64(place)) * 1_000_000)
            _ = screen.receive(push, isImmediate: false, at: now, rules: rules)
            #expect(screen.display(at: now + .hours(3)) == (place == 0 ? .fresh : .ended))
        }
        #expect(screen.display(at: Instant(microseconds: (epoch + 1) * 1_000_000) + .hours(4)) == .gone)
    }

    @Test("An unknown event changes nothing, and a start does not restore an ended activity")
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
                alert: PushAlert(title: "a", body: "b"),
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

    @Test("A start that is stale on arrival or has no alert is never presented, and takes its part of the budget")
    func staleStart() {
        var devices = Scenario.Devices()
        devices.start.presentsStale = false
        devices.start.pushBudget = Scenario.StartBudget()
        devices.start.pushBudget?.starts = 3
        let rules = PhoneStation.Rules(devices)
        var screen = PhoneScreen()
        func receive(staleDate: Double, hasAlert: Bool = true) -> PhoneScreen.Effect {
            let alert = hasAlert ? PushAlert(title: "a", body: "b") : nil
            let push =
                ActivityPayload(timestamp: 5, event: .start, alert: alert, staleDate: staleDate, dismissalDate: nil)
            return screen.receive(push, isImmediate: true, at: Instant(microseconds: 10_000_000), rules: rules)
        }
        #expect(receive(staleDate: 10) == .startDropped(.stale))
        #expect(screen.display(at: Instant(microseconds: 10_000_000)) == .gone)
        #expect(receive(staleDate: 20, hasAlert: false) == .startDropped(.noAlert))
        #expect(receive(staleDate: 10.000_001) == .judged(.starts))
        #expect(receive(staleDate: 20) == .startDropped(.overBudget))
    }

    @Test(
        "A card stays after an end of a load for as long as in the simulator",
        arguments: [.zero, .minutes(2), .hours(4)] as [TimeSpan]
    )
    func dismissal(stay: TimeSpan) throws {
        let clock = LiveClock(speed: 1, epochMicroseconds: epoch * 1_000_000)
        var dismissal = Scenario.Dismissal()
        dismissal.byPush = stay
        func receive(_ kind: StoryLine.PushKind, at second: Int64, by screen: inout PhoneScreen) throws {
            let now = Instant.start + .seconds(second)
            let request = OutgoingRequest(
                id: OutgoingRequest.ID(ride: 7, drawIndex: 0, place: 0),
                tokenNumber: 1,
                kind: kind,
                priority: .considerate,
                bytes: 0,
                alerts: kind == .update,
                content: ContentStamp(generatedAt: now, staleDate: .never),
                timestamp: now.microseconds,
                sentAt: now
            )
            let push = try #require(ActivityPayload(LivePayload.bytes(request, clock, dismissal: dismissal)))
            let effect = screen.receive(
                push,
                isImmediate: false,
                at: Instant(microseconds: clock.epochMicroseconds) + .seconds(second),
                rules: PhoneStation.Rules(Scenario.Devices())
            )
            #expect(effect == .judged(kind == .end ? .ends : .shows))
        }
        var screen = PhoneScreen()
        try receive(.update, at: 1, by: &screen)
        try receive(.end, at: 2, by: &screen)
        let endedAt = Instant(microseconds: clock.epochMicroseconds) + .seconds(2)
        if stay > .zero { #expect(screen.display(at: endedAt + (stay - TimeSpan(microseconds: 1))) == .ended) }
        #expect(screen.display(at: endedAt + stay) == .gone)
    }
}
