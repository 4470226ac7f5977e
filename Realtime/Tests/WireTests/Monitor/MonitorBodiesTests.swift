import FreshnessCore
import Quantities
import Testing
import TextFormats

@testable import Wire

@Suite struct MonitorBodiesTests {
    private static let token = DeviceToken(ride: 7, number: 3)
    private static let now = Instant(microseconds: 1_700_000_000_250_000)

    @Test func publicationsAreReadAsTheyAreWritten() throws {
        for date in [nil, Self.now] {
            let publication = TokenPublication(token: Self.token, generatedAt: date, staleDate: date)
            #expect(try TokenPublication(Array(publication.json.utf8)) == publication)
        }
    }

    @Test("A publication has a token or a channel")
    func channels() throws {
        let channel = try #require(ChannelID("AbC+/w=="))
        let publication = TokenPublication(.channel(channel), staleDate: Self.now)
        #expect(publication.json.contains(#""channel":"AbC+/w=="#) && !publication.json.contains("token"))
        #expect(try TokenPublication(Array(publication.json.utf8)) == publication)
        let both = #expect(throws: MonitorBodyError.self) {
            try TokenPublication(Array(#"{"token":"0a","channel":"AbC+/w=="}"#.utf8))
        }
        #expect(both?.what == "fields token and channel" && both?.got == "both")
        // It goes into a header.
        for text in ["", "?", "AbC", "AbC+/w", "AbC+/w==x", "AbC+/w==\r\nx", "AbC+/x==", " AbC+/w=="] {
            #expect(ChannelID(text) == nil, "\(text)")
        }
        #expect(ChannelID(String(repeating: "A", count: 84)) != nil)
        #expect(ChannelID(String(repeating: "A", count: 88)) == nil)
    }

    @Test func announcementsAreReadAsTheyAreWritten() throws {
        let state = Array(#"{"eta": [4]}"#.utf8)
        let rows = [
            ContentAnnouncement(state: state),
            ContentAnnouncement(
                state: state,
                generatedAt: Self.now,
                staleDate: Self.now,
                priority: .considerate,
                renewal: TimeSpan(microseconds: 1_500_000)
            ),
            ContentAnnouncement(
                state: state,
                alert: PushAlert(title: "Here", body: "Your driver waits", sound: "default"),
                relevanceScore: 75
            ),
        ]
        for announcement in rows {
            #expect(try ContentAnnouncement(Array(announcement.json.utf8)) == announcement)
        }
    }

    @Test func anEmptyBodyHasNoMembers() throws {
        #expect(try EndRequest([]).dismissalDate == nil)
        #expect(try EndRequest(Array(#"{"dismissal_date":12.7}"#.utf8)).dismissalDate == 12)
    }

    @Test func wholeNumbersMayHaveAFractionOfZero() throws {
        let body = #"{"content_state":{},"generated_at_us":7209926328.0,"priority":5e0}"#
        let announcement = try ContentAnnouncement(Array(body.utf8))
        #expect(
            announcement.generatedAt == Instant(microseconds: 7_209_926_328) && announcement.priority == .considerate
        )
        #expect(throws: MonitorBodyError.self) {
            try ContentAnnouncement(Array(#"{"content_state":{},"generated_at_us":7.5}"#.utf8))
        }
    }

    @Test func whatIsWrongIsSaid() {
        #expect(throws: MonitorBodyError(what: "body, byte 4", got: "something else", allowed: "':'")) {
            try EndRequest(Array(#"{"a"}"#.utf8))
        }
        #expect(throws: MonitorBodyError(what: "an unknown field", got: "a", allowed: "dismissal_date")) {
            try EndRequest(Array(#"{"a":1}"#.utf8))
        }
        #expect(throws: MonitorBodyError(what: "field priority", got: "7", allowed: "5 or 10")) {
            try ContentAnnouncement(Array(#"{"content_state":{},"priority":7}"#.utf8))
        }
        let seconds = "seconds, above 0, at most 86400"
        #expect(throws: MonitorBodyError(what: "field renewable_for_s", got: "86401", allowed: seconds)) {
            try ContentAnnouncement(Array(#"{"content_state":{},"renewable_for_s":86401}"#.utf8))
        }
    }

    @Test(
        "An alert is an object with a title and a body; a relevance is a finite number",
        arguments: [
            (#""alert":"Here""#, "field alert", "a string of 4 bytes"),
            (#""alert":{"title":"Here"}"#, "field alert.body", "nothing"),
            (#""alert":{"title":"","body":"B"}"#, "field alert.title", "a string of 0 bytes"),
            (#""alert":{"title":"T","body":7}"#, "field alert.body", "7"),
            (#""alert":{"title":"T","body":"B","sound":""}"#, "field alert.sound", "a string of 0 bytes"),
            (#""alert":{"title":"T","body":"B","badge":1}"#, "an unknown field of alert", "badge"),
            (#""relevance_score":"high""#, "field relevance_score", "a string of 4 bytes"),
            (#""relevance_score":1e999"#, "field relevance_score", "1e999"),
        ]
    )
    func wrongAlerts(member: String, what: String, got: String) throws {
        let error = #expect(throws: MonitorBodyError.self) {
            try ContentAnnouncement(Array(#"{"content_state":{},\#(member)}"#.utf8))
        }
        #expect(error?.what == what && error?.got == got && error?.allowed.isEmpty == false)
    }

    @Test("A null alert, sound or relevance counts as missing; any finite relevance is accepted")
    func alertsWithNulls() throws {
        let none = try ContentAnnouncement(Array(#"{"content_state":{},"alert":null,"relevance_score":null}"#.utf8))
        #expect(none == ContentAnnouncement(state: Array("{}".utf8)))
        let body = #"{"content_state":{},"alert":{"title":"T","body":"B","sound":null},"relevance_score":-1e3}"#
        let some = try ContentAnnouncement(Array(body.utf8))
        #expect(some.alert == PushAlert(title: "T", body: "B") && some.relevanceScore == -1000)
    }

    @Test("Content and alert share the room of a payload")
    func alertBesideLargeContent() throws {
        let alert = PushAlert(title: "T", body: "B")
        #expect(alert.byteCount == 33)
        func announced(_ count: Int) throws -> ContentAnnouncement {
            let state = Array((#"{"p":""# + String(repeating: "x", count: count - 8) + #""}"#).utf8)
            return try ContentAnnouncement(Array(ContentAnnouncement(state: state, alert: alert).json.utf8))
        }
        #expect(try announced(ActivityPayload.largestContent - 33).alert == alert)
        let error = #expect(throws: MonitorBodyError.self) { _ = try announced(ActivityPayload.largestContent - 32) }
        #expect(error?.what == "fields content_state and alert" && error?.got == "3937 bytes")
    }

    @Test func endsAreReadAsTheyAreWritten() throws {
        for date in [nil, 1_700_000_000] as [Int64?] {
            #expect(try EndRequest(Array(EndRequest(dismissalDate: date).json.utf8)).dismissalDate == date)
        }
    }

    @Test func healthIsReadAsItIsWritten() {
        let health = MonitorHealth(instances: 3, nowMicroseconds: 1_700_000_000_000_000, speed: 1)
        #expect(health.json.document == #"{"status":"ok","instances":3,"now_us":1700000000000000,"speed":1.0}"#)
        #expect(MonitorHealth(Array(health.json.document.utf8)) == health)
        #expect(MonitorHealth(Array("{}".utf8)) == nil)
    }

    @Test func pathsNameTheInstance() {
        #expect(MonitorRoute.publish.path(of: "ride-7.2") == "/v1/instances/ride-7.2/token")
        #expect(MonitorRoute.list.path(of: "") == "/v1/instances")
        #expect(MonitorRoute.methods(ofPath: "/v1/instances/ride-7.2/token") == ["PUT", "DELETE"])
        #expect(MonitorRoute.methods(ofPath: "/v1/instances/ride-7.2") == ["GET"])
        #expect(MonitorRoute.methods(ofPath: "/v1/rides").isEmpty)
    }
}
