import FreshnessCore
import LiveActivityModel
import LoadGenerator
import Quantities
import Testing
import Wire

@testable import ServiceLoad

@Suite("Payloads as the phones of a run read them")
struct PhonePushPayloadTests {
    private static let update = #"""
        {"aps":{"timestamp":1700000002,"event":"update","stale-date":1700000062,"content-state":{"generated_at_us":\#
        1700000001750000,"p":"x"}}}
        """#

    private func read(_ text: String, priority: Int = 10, epoch: Int64 = 0) -> PhonePush? {
        ActivityPayload(Array(text.utf8))
            .flatMap { PhonePush($0, DeviceToken(ride: 9, number: 4), priority: priority, epoch: epoch) }
    }

    @Test("An update and an end have the run's own time")
    func read() throws {
        let push = read(Self.update, priority: 5, epoch: 1_700_000_000_250_000)
        #expect(
            push
                == PhonePush(
                    ride: 9,
                    tokenNumber: 4,
                    event: .update,
                    priority: .considerate,
                    content: ContentStamp(
                        generatedAt: Instant(microseconds: 1_500_000),
                        staleDate: Instant(microseconds: 61_750_000)
                    ),
                    timestamp: 1_750_000
                )
        )
        let end = try #require(read(#"{"aps":{"timestamp":1700000003,"event":"end"}}"#))
        #expect(end.event == .end)
        #expect(end.content.staleDate == .never)
    }

    @Test(
        "A payload that no phone could show is rejected",
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
        #expect(read(text) == nil)
    }

    @Test("Content has its generation time and the requested length", arguments: [0, 34, 100, 3936])
    func content(count: Int) {
        let state = RideContent.state(generatedAt: 1_700_000_001_750_000, filledTo: count)
        #expect(RideContent.generatedAt(state) == 1_700_000_001_750_000)
        #expect(state.count == max(count, 36) || count < 44 && state.count == 36)
    }
}
