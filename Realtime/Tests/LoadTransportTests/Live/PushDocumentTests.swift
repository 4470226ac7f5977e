import APNsProtocol
import FreshnessCore
import LiveActivityModel
import NIOCore
import Quantities
import Testing

@testable import LoadTransport

@Suite("Payloads as phones read them")
struct PushDocumentTests {
    private static let update = #"""
        {"aps":{"timestamp":1700000002,"event":"update","stale-date":1700000062,"content-state":{"generated_at_us":\#
        1700000001750000,"p":"x"}}}
        """#

    @Test("An update and an end come in the run's own time")
    func read() throws {
        let document = try #require(PushDocument(ByteBuffer(string: Self.update)))
        let token = DeviceToken(ride: 9, number: 4)
        let push = PhonePush(document, token, priority: 5, epoch: 1_700_000_000_250_000)
        #expect(
            push
                == PhonePush(
                    ride: 9,
                    tokenNumber: 4,
                    isEnd: false,
                    priority: .considerate,
                    content: ContentStamp(
                        generatedAt: Instant(microseconds: 1_500_000),
                        staleDate: Instant(microseconds: 61_750_000)
                    ),
                    timestamp: 1_750_000
                )
        )
        let end = try #require(PushDocument(ByteBuffer(string: #"{"aps":{"timestamp":1700000003,"event":"end"}}"#)))
        #expect(end.isEnd)
        #expect(PhonePush(end, token, priority: 10, epoch: 0).content.staleDate == .never)
    }

    @Test(
        "What no phone could show is not read",
        arguments: [
            "", "{}", #"{"aps":{"timestamp":1,"event":"start","content-state":{"generated_at_us":1}}}"#,
            #"{"aps":{"timestamp":1,"event":"update"}}"#,
            #"{"aps":{"timestamp":1,"event":"update","content-state":{}}}"#,
            #"{"aps":{"event":"end"}}"#, #"{"aps":{"timestamp":9000000000000000000,"event":"end"}}"#,
            #"{"aps":{"timestamp":1,"event":"end","stale-date":-5}}"#,
            #"{"aps":{"timestamp":1,"event":"update","content-state":{"generated_at_us":-9223372036854775808}}}"#,
            #"{"aps":{"timestamp":1,"event":"update","content-state":{"generated_at_us":9223372036854775807}}}"#,
        ]
    )
    func unreadable(text: String) {
        #expect(PushDocument(ByteBuffer(string: text)) == nil)
    }
}
