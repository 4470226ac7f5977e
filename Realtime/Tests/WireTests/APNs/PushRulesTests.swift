import FreshnessCore
import Testing

@testable import Wire

struct PushRulesTests {
    private static let good: KeyValuePairs = [
        ":method": "POST", ":path": "/3/device/00", "apns-topic": "a.b.push-type.liveactivity",
        "apns-push-type": "liveactivity",
    ]

    private func fields(_ changes: [String: String?] = [:]) -> RequestFields {
        var fields = RequestFields()
        var changes = changes
        for (name, value) in PushRulesTests.good {
            if let change = changes.removeValue(forKey: name) {
                if let change { fields.take(name: name, value: change) }
            } else {
                fields.take(name: name, value: value)
            }
        }
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            if let value { fields.take(name: name, value: value) }
        }
        return fields
    }

    private func judge(
        _ changes: [String: String?],
        token: Substring = "00AbCd",
        authentication: PushRules.Authentication = .token
    ) -> PushRules.Verdict {
        PushRules(bundleIDs: ["a.b"]).judge(fields(changes), token: token, authentication: authentication)
    }

    @Test(
        arguments: [
            (["apns-id": "no uuid"], APNsResponseReason.wire(.badMessageID)),
            // Uppercase is not canonical.
            (["apns-id": "0123456F-0123-0123-0123-0123456789AB"], .wire(.badMessageID)),
            (["apns-id": ""], .wire(.badMessageID)),
            (["apns-expiration": "soon"], .wire(.badExpirationDate)),
            (["apns-expiration": "-1"], .wire(.badExpirationDate)),
            (["apns-expiration": ""], .wire(.badExpirationDate)),
            (["apns-priority": "7"], .wire(.badPriority)),
            (["apns-priority": "010"], .wire(.badPriority)),
            // Live Activities have no priority 1.
            (["apns-priority": "1"], .wire(.badPriority)),
            (["apns-push-type": "background", "apns-topic": "a.b", "apns-priority": "10"], .wire(.badPriority)),
            (["apns-collapse-id": String(repeating: "x", count: 65)], .wire(.badCollapseID)),
            (["apns-collapse-id": String(repeating: "é", count: 33)], .wire(.badCollapseID)),
            (["content-encoding": "gzip"], .push(.forbidden)),
            (["apns-push-type": "LiveActivity"], .wire(.invalidPushType)),
            (["apns-push-type": nil], .wire(.invalidPushType)),
            (["apns-topic": nil], .wire(.missingTopic)),
            (["apns-topic": ""], .wire(.badTopic)),
            (["apns-topic": "a b"], .wire(.badTopic)),
            (["apns-topic": String(repeating: "a", count: 256)], .wire(.badTopic)),
            (["apns-topic": "a.b"], .push(.topicDisallowed)),
            (["apns-topic": "other.push-type.liveactivity"], .push(.topicDisallowed)),
            (["apns-topic": ".push-type.liveactivity"], .push(.topicDisallowed)),
            (["apns-push-type": "alert"], .push(.topicDisallowed)),
        ] as [([String: String?], APNsResponseReason)]
    )
    func refuses(changes: [String: String?], reason: APNsResponseReason) {
        #expect(judge(changes) == .refused(reason))
    }

    @Test(arguments: ["", "0", "0g", "00-0", String(repeating: "0", count: 1026)])
    func refusesWhatIsNoToken(token: String) {
        #expect(judge([:], token: token[...]) == .refused(.push(.badDeviceToken)))
    }

    @Test(arguments: [2, 64, 160, 1024])
    func takesTokensOfAnyLength(digits: Int) {
        let token = String(repeating: "aB", count: digits / 2)
        let accepted = AcceptedPush(
            id: nil,
            token: TokenDigest(hexadecimal: token[...]) ?? TokenDigest(ride: 0, number: 0),
            kind: PushKind(type: .liveActivity, priority: 10)
        )
        #expect(judge([:], token: token[...]) == .accepted(accepted))
    }

    @Test
    func readsEveryField() {
        let id = "01234567-89ab-cdef-0123-456789abcdef"
        let verdict = judge(
            ["apns-id": id, "apns-expiration": "0", "apns-priority": "5", "apns-collapse-id": "c", "user-agent": "x"],
            token: "0000000000000001000000020000"
        )
        let accepted = AcceptedPush(
            id: RequestID(high: 0x0123_4567_89ab_cdef, low: 0x0123_4567_89ab_cdef),
            token: TokenDigest(ride: 1, number: 2),
            kind: PushKind(type: .liveActivity, priority: 5)
        )
        #expect(verdict == .accepted(accepted))
    }

    @Test
    func certificatesServeNoLiveActivities() {
        #expect(judge([:], authentication: .certificate) == .refused(.push(.topicDisallowed)))
    }

    @Test
    func everyTypeIsServedOnItsOwnTopic() {
        for type in PushType.allCases {
            let verdict = judge(["apns-push-type": type.rawValue, "apns-topic": "a.b" + type.topicSuffix])
            guard case .accepted(let push) = verdict else {
                Issue.record("\(type): \(verdict)")
                continue
            }
            #expect(push.kind.type == type)
        }
    }

    @Test
    func noticesWhatIsGivenTwice() {
        var fields = fields()
        #expect(!fields.hasDuplicates)
        fields.take(name: "apns-topic", value: "a.b")
        #expect(fields.hasDuplicates)
    }

    @Test(arguments: [
        (0, 4096, APNsResponseReason.wire(.payloadEmpty) as APNsResponseReason?), (1, 4096, nil), (4096, 4096, nil),
        (4097, 4096, .push(.payloadTooLarge)), (5120, 5120, nil),
    ])
    func judgesSizes(bytes: Int, largest: Int, expected: APNsResponseReason?) {
        #expect(PushRules.judge(bodyBytes: bytes, largest: largest) == expected)
    }

    @Test
    func voipMayBeLarger() {
        #expect(PushType.allCases.map(\.largestPayload).filter { $0 != 4096 } == [5120])
    }

    @Test
    func everyReasonHasItsOwnText() {
        #expect(Set(APNsResponseReason.allCases.map(\.text)).count == APNsResponseReason.allCases.count)
        #expect(Set(APNsResponseReason.allCases.map(\.status)) == [400, 403, 404, 405, 410, 413, 429, 500, 503])
    }

    /// A refusal that no push of the model can receive counts as one with the same status.
    @Test(
        arguments: [
            (400, "BadMessageId", .forbidden), (403, "InvalidProviderToken", .expiredProviderToken),
            (404, nil, .forbidden), (410, nil, .unregistered), (413, nil, .payloadTooLarge),
            (429, "TooManyProviderTokenUpdates", .tooManyRequests), (500, nil, .internalServerError),
            (502, "x", .internalServerError), (503, nil, .serviceUnavailable), (302, nil, .forbidden),
        ] as [(Int, String?, APNsReason)]
    )
    func unknownReasonsCountByStatus(status: Int, reason: String?, expected: APNsReason) {
        #expect(APNsReason(status: status, reason: reason) == expected)
        for known in APNsReason.allCases {
            #expect(APNsReason(status: status, reason: known.rawValue) == known)
        }
    }

    @Test(arguments: [
        DeviceToken(bytes: [1]), DeviceToken(bytes: Array(0..<12)), DeviceToken(bytes: Array(0..<80)),
        DeviceToken(ride: .max, number: 7),
    ])
    func digestsAgreeWithTokens(token: DeviceToken) {
        let digest = TokenDigest(hexadecimal: token.hexadecimal[...])
        #expect(digest == TokenDigest(ride: token.ride, number: token.number))
    }
}
