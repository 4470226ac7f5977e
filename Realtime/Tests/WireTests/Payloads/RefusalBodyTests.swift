import Testing
import Wire

@Suite struct RefusalBodyTests {
    @Test(
        arguments: [
            (#"{"reason":"BadDeviceToken"}"#, "BadDeviceToken", nil),
            (#"{"reason":"Unregistered","timestamp":1700000000123}"#, "Unregistered", 1_700_000_000_123),
            (#" { "timestamp" : 12 , "reason" : "ExpiredToken" } "#, "ExpiredToken", 12),
            (#"{"more":"x","reason":"Shutdown"}"#, "Shutdown", nil),
            (#"{"reason":7}"#, nil, nil), (#"{"reason":"open"#, nil, nil), ("", nil, nil), ("<html>", nil, nil),
            (#"{"timestamp":99999999999999999999,"reason":"Late"}"#, "Late", nil),
        ] as [(String, String?, Int64?)]
    )
    func reads(text: String, reason: String?, timestamp: Int64?) {
        let body = RefusalBody(Array(text.utf8))
        #expect(body.reason == reason)
        #expect(body.timestampMilliseconds == timestamp)
    }

    @Test(arguments: APNsResponseReason.allCases)
    func readsWhatItWrites(reason: APNsResponseReason) {
        for timestamp in [nil, 1_700_000_000_123] as [Int64?] {
            let body = RefusalBody(Array(RefusalBody.text(reason, timestampMilliseconds: timestamp).utf8))
            #expect(body.reason == reason.text)
            #expect(body.timestampMilliseconds == timestamp)
        }
    }
}
