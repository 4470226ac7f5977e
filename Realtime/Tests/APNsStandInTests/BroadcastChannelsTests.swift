import NIOCore
import Testing
import Wire

@testable import APNsStandIn

@Suite("Broadcast channels")
struct BroadcastChannelsTests {
    @Test("An app has at most 10,000 channels, and one more once one is deleted")
    func theLimitOfChannels() throws {
        let channels = BroadcastChannels(bundleIDs: [])
        let body = ByteBuffer(string: #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#)
        func create(_ app: Substring) -> BroadcastChannels.Answer {
            let target = RequestTarget.channel(.create, bundleID: app)
            return channels.answer(target, RequestFields(), body: body, bodyBytes: body.readableBytes)
        }
        var last: String?
        for _ in 0..<10_000 {
            guard case .done(201, let id?, _) = create("a.b") else {
                Issue.record("a channel within the limit is refused")
                return
            }
            last = id
        }
        guard case .refused(.wire(.cannotCreateChannelConfiguration)) = create("a.b") else {
            Issue.record("the 10,001st channel is created")
            return
        }
        // The limit is each app's own.
        guard case .done(201, _, _) = create("c.d") else {
            Issue.record("another app has no channel")
            return
        }
        var fields = RequestFields()
        fields.take(name: "apns-channel-id", value: try #require(last))
        _ = channels.answer(.channel(.delete, bundleID: "a.b"), fields, body: nil, bodyBytes: 0)
        guard case .done(201, _, _) = create("a.b") else {
            Issue.record("the deleted channel still counts")
            return
        }
    }
}
