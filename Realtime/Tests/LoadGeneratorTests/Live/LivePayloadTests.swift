import FreshnessCore
import LiveActivityModel
import LoadGenerator
import Quantities
import Testing
import Wire

@Suite("Payloads of a live run")
struct LivePayloadTests {
    private func text(
        _ kind: StoryLine.PushKind,
        bytes: Int,
        alerts: Bool = false,
        staleDate: Instant,
        dismissedAfter: TimeSpan = .zero,
        input: ActivityPayload.Input = .token
    ) -> String {
        let clock = LiveClock(speed: 1, epochMicroseconds: 1_700_000_000_000_000)
        let request = OutgoingRequest(
            id: OutgoingRequest.ID(ride: 7, drawIndex: 0, place: 0),
            tokenNumber: 1,
            kind: kind,
            priority: .immediate,
            bytes: bytes,
            alerts: alerts,
            content: ContentStamp(generatedAt: Instant(microseconds: 5_500_000), staleDate: staleDate),
            timestamp: 5_000_000,
            sentAt: Instant(microseconds: 5_600_000)
        )
        var dismissal = Scenario.Dismissal()
        dismissal.byPush = dismissedAfter
        let bytes = LivePayload.bytes(request, clock, dismissal: dismissal, input: input)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("An update has its timestamp, stale date and content")
    func update() {
        #expect(
            text(.update, bytes: 0, staleDate: Instant(microseconds: 65_500_000)) == """
                {"aps":{"timestamp":1700000005,"event":"update","stale-date":1700000065,\
                "content-state":{"generated_at_us":1700000005500000}},"p":""}
                """
        )
    }

    @Test("Without a stale date there is none")
    func withoutStaleDate() {
        #expect(
            text(.retry, bytes: 0, staleDate: .never)
                == #"{"aps":{"timestamp":1700000005,"event":"update","content-state":{"generated_at_us":1700000005500000}},"p":""}"#
        )
    }

    @Test("A start has an alert and the attributes")
    func start() {
        #expect(
            text(.start, bytes: 0, staleDate: .never) == """
                {"aps":{"timestamp":1700000005,"event":"start","attributes-type":"Ride","attributes":{},\
                "input-push-token":1,"alert":{"title":"Ride","body":"Requested"},"content-state":{"generated_at_us":1700000005500000}},"p":""}
                """
        )
    }

    @Test("A start of a card that follows a channel names it; no other push does")
    func channel() {
        let start = text(.start, bytes: 0, staleDate: .never, input: .channel("AbC+/w=="))
        #expect(start.contains(#""attributes":{},"input-push-channel":"AbC+/w==","alert""#))
        #expect(!start.contains("input-push-token"))
        #expect(!text(.update, bytes: 0, staleDate: .never, input: .channel("AbC+/w==")).contains("input-push"))
    }

    @Test("The first update of a stage with an alert has one")
    func alert() {
        #expect(
            text(.update, bytes: 0, alerts: true, staleDate: .never) == """
                {"aps":{"timestamp":1700000005,"event":"update","alert":{"title":"Ride","body":"Next stage"},\
                "content-state":{"generated_at_us":1700000005500000}},"p":""}
                """
        )
        #expect(text(.update, bytes: 400, alerts: true, staleDate: .never).utf8.count == 400)
    }

    @Test(
        "An end has the dismissal date of the scenario: its own time, a later one, or none for Apple's default",
        arguments: [
            (.zero, #","dismissal-date":1700000005,"#), (.minutes(2), #","dismissal-date":1700000125,"#),
            (.hours(4), #","event":"end","content-state""#),
        ] as [(TimeSpan, String)]
    )
    func dismissal(after: TimeSpan, member: String) {
        #expect(text(.end, bytes: 0, staleDate: .never, dismissedAfter: after).contains(member))
        #expect(!text(.update, bytes: 0, staleDate: .never, dismissedAfter: after).contains("dismissal-date"))
    }

    @Test("Its length is the model's", arguments: [200, 1500, 4096])
    func length(bytes: Int) {
        #expect(text(.end, bytes: bytes, staleDate: .never).utf8.count == bytes)
    }
}
