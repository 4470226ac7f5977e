import FreshnessCore
import Quantities
import Testing
import Wire

@Suite struct ActivityPayloadTests {
    private static let state = Array(#"{"eta": 4}"#.utf8)

    private static func text(_ payload: ActivityPayload) -> String { String(decoding: payload.bytes, as: UTF8.self) }

    @Test func writesApplesMembers() {
        let update = ActivityPayload(timestamp: 5, event: .update, staleDate: 65, contentState: Self.state)
        #expect(
            Self.text(update)
                == #"{"aps":{"timestamp":5,"event":"update","stale-date":65,"content-state":{"eta": 4}}}"#
        )
        let end = ActivityPayload(timestamp: 7, event: .end, dismissalDate: 9)
        #expect(Self.text(end) == #"{"aps":{"timestamp":7,"event":"end","dismissal-date":9}}"#)
        let start = ActivityPayload(
            timestamp: 7,
            event: .start,
            alert: PushAlert(title: "T\"", body: "X"),
            contentState: Self.state,
            start: .init(attributesType: "A", attributes: Array("{}".utf8))
        )
        #expect(
            Self.text(start)
                == #"{"aps":{"timestamp":7,"event":"start","attributes-type":"A","attributes":{},"#
                + #""alert":{"title":"T\"","body":"X"},"content-state":{"eta": 4}}}"#
        )
    }

    @Test("An update may light up the screen and state its relevance")
    func alertAndRelevance() throws {
        let update = ActivityPayload(
            timestamp: 5,
            event: .update,
            alert: PushAlert(title: "Here", body: "Your driver\nwaits", sound: "default"),
            staleDate: 65,
            relevanceScore: 0.5,
            contentState: Self.state
        )
        #expect(
            Self.text(update)
                == #"{"aps":{"timestamp":5,"event":"update","alert":{"title":"Here","body":"Your driver\nwaits","#
                + #""sound":"default"},"stale-date":65,"relevance-score":0.5,"content-state":{"eta": 4}}}"#
        )
        #expect(ActivityPayload(update.bytes) == update)
        #expect(update.alert?.title == "Here" && update.alert?.body == "Your driver\nwaits")
        let member = #","alert":{"title":"Here","body":"Your driver\nwaits","sound":"default"}"#
        #expect(update.alert?.byteCount == member.utf8.count)
    }

    @Test(
        "A phone shows an update whose alert or relevance it cannot read",
        arguments: [
            (#""alert":"Here""#, PushAlert(title: "", body: "Here")), (#""alert":"""#, nil), (#""alert":{}"#, nil),
            (#""alert":null"#, nil), (#""alert":7"#, nil), (#""relevance-score":"high""#, nil),
            (#""relevance-score":1e999"#, nil),
        ] as [(String, PushAlert?)]
    )
    func unreadableAlerts(member: String, alert: PushAlert?) throws {
        let text = #"{"aps":{"timestamp":1,"event":"update",\#(member),"content-state":{}}}"#
        let payload = try #require(ActivityPayload(Array(text.utf8)))
        #expect(payload.missingPart == nil && payload.relevanceScore == nil)
        #expect(payload.alert == alert)
    }

    @Test(arguments: [nil, 65] as [Double?], [nil, Array(#"{"a":{"b":[1]}}"#.utf8)] as [[UInt8]?])
    func readsWhatItWrites(date: Double?, state: [UInt8]?) {
        for event in [PushEvent.update, .end] {
            let payload = ActivityPayload(
                timestamp: 1_700_000_000,
                event: event,
                staleDate: date,
                dismissalDate: date,
                contentState: state
            )
            #expect(ActivityPayload(payload.bytes) == payload)
            #expect(ActivityPayload(payload.bytes(filledTo: 400)) == payload)
        }
    }

    @Test(arguments: [0, 84, 200, 4096])
    func isFilledToALength(count: Int) {
        let payload = ActivityPayload(timestamp: 1_700_000_000, event: .update, contentState: Array("{}".utf8))
        let least = payload.bytes(filledTo: 0).count
        #expect(payload.bytes(filledTo: count).count == max(count, least))
    }

    @Test func limits() {
        #expect(ActivityPayload.largest == 4096)
        #expect(ActivityPayload.largestContent == 3936)
        #expect(ActivityPayload.updateFrame == 90)
        // The largest payloads that a monitor writes, with a number of the most digits.
        let state = Array(repeating: 0x20 as UInt8, count: ActivityPayload.largestContent)
        let score = -2.2250738585072014e-308
        let update = ActivityPayload(
            timestamp: 8e9,
            event: .update,
            staleDate: 8e9,
            relevanceScore: score,
            contentState: state
        )
        let end = ActivityPayload(timestamp: 8e9, event: .end, dismissalDate: 8e9, contentState: state)
        #expect(max(update.bytes.count, end.bytes.count) <= ActivityPayload.largest)
    }

    @Test func datesAreWholeSeconds() {
        #expect(ActivityPayload.date(.never) == nil)
        #expect(ActivityPayload.date(Instant(microseconds: 5_999_999)) == 5)
    }

    @Test(
        arguments: [
            "", "{}", #"{"aps":7}"#, #"{"aps":{"timestamp":1}}"#, #"{"aps":{"event":"end"}}"#,
            #"{"aps":{"timestamp":"1","event":"end"}}"#, #"{"aps":{"timestamp":null,"event":"end"}}"#,
            #"{"aps":{"timestamp":1,"event":"end","stale-date":"x"}}"#, #"{"aps":{"timestamp":1,"event":5}}"#,
            #"{"aps":{"timestamp":1,"event":"end"}"#, #"{"aps":{"timestamp":1e999,"event":"end"}}"#,
            #"{"aps":{"timestamp":1,"event":"end","dismissal-date":-1e999}}"#,
        ]
    )
    func refusesWhatNoPhoneReads(text: String) {
        #expect(ActivityPayload(Array(text.utf8)) == nil)
    }

    @Test func takesFractionsAndUnknownEvents() {
        let text = #"{"aps":{"timestamp":1.5,"event":"pause","stale-date":null,"content-state":[]},"other":1}"#
        #expect(ActivityPayload(Array(text.utf8)) == ActivityPayload(timestamp: 1.5, event: nil))
    }

    @Test("A payload names the part that phones require and that is missing")
    func missingParts() throws {
        let start = ActivityPayload(
            timestamp: 7,
            event: .start,
            alert: PushAlert(title: "", body: ""),
            contentState: Self.state,
            start: .init(attributesType: "A", attributes: Array("{}".utf8))
        )
        let rows: [(String, ActivityPayload.Part?)] = [
            (Self.text(start), nil), (#"{"aps":{"timestamp":1,"event":"end"}}"#, nil),
            (#"{"aps":{"timestamp":1,"event":"pause"}}"#, nil),
            (#"{"aps":{"timestamp":1,"event":"start"}}"#, .attributes),
            (#"{"aps":{"timestamp":1,"event":"update"}}"#, .content),
            (#"{"aps":{"timestamp":1,"event":"update","content-state":{}}}"#, nil),
            (#"{"aps":{"timestamp":1,"event":"start","attributes-type":"A","attributes":{}}}"#, .alert),
            (
                #"{"aps":{"timestamp":1,"event":"start","attributes-type":"A","attributes":{},"alert":{"title":1}}}"#,
                .content
            ),
        ]
        for (text, part) in rows {
            #expect(try #require(ActivityPayload(Array(text.utf8))).missingPart == part, "\(text)")
        }
    }

    @Test(
        "A start asks for an update token or names a channel, as Apple spells it",
        arguments: [
            (.token, #","input-push-token":1"#), (.channel("AbC+/="), #","input-push-channel":"AbC+/=""#), (nil, ""),
        ] as [(ActivityPayload.Input?, String)]
    )
    func input(input: ActivityPayload.Input?, member: String) throws {
        let start = ActivityPayload(
            timestamp: 7,
            event: .start,
            alert: PushAlert(title: "T", body: "X"),
            contentState: Self.state,
            start: .init(attributesType: "A", attributes: Array("{}".utf8), input: input)
        )
        #expect(Self.text(start).contains(#""attributes":{}"# + member + #","alert""#))
        let read = try #require(ActivityPayload(start.bytes))
        #expect(read.input == input && read.missingPart == nil)
    }

    @Test("A start that names a channel and asks for a token lacks a single way of updates")
    func twoInputs() throws {
        let text =
            #"{"aps":{"timestamp":7,"event":"start","attributes-type":"A","attributes":{},"alert":"a","#
            + #""input-push-token":1,"input-push-channel":"AAAA","content-state":{}}}"#
        #expect(try #require(ActivityPayload(Array(text.utf8))).missingPart == .singleInput)
    }
}
