import FreshnessCore
import Testing

@Suite struct APNsReasonTests {
    /// Every reason with its name and status in Apple's table ("Handling notification responses from APNs").
    static let table: [(reason: APNsReason, name: String, status: Int, verdict: APNsVerdict)] = [
        (.badDeviceToken, "BadDeviceToken", 400, .tokenIsDead),
        (.deviceTokenNotForTopic, "DeviceTokenNotForTopic", 400, .tokenIsDead),
        (.topicDisallowed, "TopicDisallowed", 400, .retryAfterRepair),
        (.channelNotRegistered, "ChannelNotRegistered", 400, .tokenIsDead),
        (.expiredProviderToken, "ExpiredProviderToken", 403, .retryAfterRepair),
        (.forbidden, "Forbidden", 403, .neverRetry),
        (.expiredToken, "ExpiredToken", 410, .tokenIsDead),
        (.unregistered, "Unregistered", 410, .tokenIsDead),
        (.payloadTooLarge, "PayloadTooLarge", 413, .neverRetry),
        (.tooManyRequests, "TooManyRequests", 429, .retryLater),
        (.internalServerError, "InternalServerError", 500, .retryLater),
        (.serviceUnavailable, "ServiceUnavailable", 503, .retryLater),
        (.shutdown, "Shutdown", 503, .retryLater),
    ]

    @Test(arguments: table)
    func nameStatusAndVerdict(reason: APNsReason, name: String, status: Int, verdict: APNsVerdict) {
        #expect(reason.rawValue == name)
        #expect(APNsReason(rawValue: name) == reason)
        #expect(reason.status == status)
        #expect(reason.verdict == verdict)
    }

    @Test func theTableHasEveryReason() {
        #expect(APNsReasonTests.table.map(\.reason) == APNsReason.allCases)
    }

    /// Apple's documentation names these six and no other for pushes to phones.
    @Test func sixReasonsForbidARetry() {
        let forbidding = APNsReason.ofTokens.filter { [.tokenIsDead, .neverRetry].contains($0.verdict) }
        #expect(
            forbidding.map(\.rawValue).sorted() == [
                "BadDeviceToken", "DeviceTokenNotForTopic", "ExpiredToken", "Forbidden", "PayloadTooLarge",
                "Unregistered",
            ]
        )
    }

    @Test(arguments: ["", "unregistered", "BadTopic"])
    func otherNamesAreNotReasons(name: String) {
        #expect(APNsReason(rawValue: name) == nil)
    }
}
