import FreshnessCore
import Testing
import Wire

@testable import APNsStandIn

@Suite struct NetmeraRegistryTests {
    private static let start = ActivityPayload(
        timestamp: 0,
        event: .start,
        alert: PushAlert(title: "Your ride", body: ""),
        contentState: Array(#"{"eta":7}"#.utf8),
        start: .init(attributesType: "RideAttributes", attributes: Array("{}".utf8))
    )
    private static let update = ActivityPayload(timestamp: 0, event: .update, contentState: Array("{}".utf8))

    private static func recipient(_ token: String, _ user: String, _ group: String? = nil) -> NetmeraRecipient {
        NetmeraRecipient(token: token, user: user, group: group)
    }

    @Test func startsGoToStarterTokens() throws {
        var registry = NetmeraRegistry()
        #expect(try registry.take(.define(Self.start)) == .defined(key: "live-activity-1"))
        for (user, token) in [("b", "0b"), ("a", "0a"), ("b", "1b")] {
            #expect(try registry.take(.startToken(user: user, token: token)) == .noted)
        }
        // The later token counts.
        let one = NetmeraPush(payload: Self.start, priority: 10, recipients: [Self.recipient("1b", "b")])
        #expect(try registry.take(.start(definition: "live-activity-1", user: "b")) == .push(one))
        let all = NetmeraPush(
            payload: Self.start,
            priority: 10,
            recipients: [Self.recipient("0a", "a"), Self.recipient("1b", "b")]
        )
        #expect(try registry.take(.startAll(Self.start)) == .push(all))
        for call in [
            NetmeraCall.start(definition: "live-activity-2", user: "b"),
            .start(definition: "live-activity-1", user: "c"),
        ] {
            #expect(Self.status(of: call, in: &registry) == 404)
        }
    }

    @Test func updatesGoToTheGroupUntilItEnds() throws {
        var registry = NetmeraRegistry()
        for (user, token) in [("b", "0b"), ("a", "0a"), ("c", "0c")] {
            _ = try registry.take(.updateToken(user: user, group: "ride", token: token))
        }
        _ = try registry.take(.updateToken(user: "a", group: "ride", token: "1a"))
        _ = try registry.take(.close(user: "c", group: "ride"))
        let recipients = [Self.recipient("1a", "a", "ride"), Self.recipient("0b", "b", "ride")]
        let update = NetmeraCall.update(group: "ride", contentState: Array("{}".utf8), priority: 5)
        let expected = NetmeraPush(payload: Self.update, priority: 5, recipients: recipients)
        #expect(try registry.take(update) == .push(expected))
        let end = NetmeraPush(
            payload: ActivityPayload(timestamp: 0, event: .end),
            priority: 10,
            recipients: recipients
        )
        #expect(try registry.take(.end(group: "ride", contentState: nil, priority: 10)) == .push(end))
        #expect(Self.status(of: update, in: &registry) == 404)
        #expect(Self.status(of: .end(group: "ride", contentState: nil, priority: 10), in: &registry) == 404)
    }

    @Test func deadTokensAreForgottenUnlessReplaced() throws {
        var registry = NetmeraRegistry()
        let update = NetmeraCall.update(group: "ride", contentState: Array("{}".utf8), priority: 5)
        _ = try registry.take(.updateToken(user: "a", group: "ride", token: "0a"))
        _ = try registry.take(.updateToken(user: "a", group: "ride", token: "1a"))
        registry.died(Self.recipient("0a", "a", "ride"))
        let recipients = [Self.recipient("1a", "a", "ride")]
        let push = NetmeraPush(payload: Self.update, priority: 5, recipients: recipients)
        #expect(try registry.take(update) == .push(push))
        registry.died(Self.recipient("1a", "a", "ride"))
        #expect(Self.status(of: update, in: &registry) == 404)
        _ = try registry.take(.startToken(user: "a", token: "0a"))
        registry.died(Self.recipient("0a", "a"))
        let none = NetmeraPush(payload: Self.start, priority: 10, recipients: [])
        #expect(try registry.take(.startAll(Self.start)) == .push(none))
    }

    /// Closing frees the room; a token that replaces another needs none.
    @Test func tablesAreBounded() throws {
        var registry = NetmeraRegistry(most: 2)
        let third = NetmeraCall.updateToken(user: "c", group: "z", token: "0c")
        _ = try registry.take(.updateToken(user: "a", group: "x", token: "0a"))
        _ = try registry.take(.updateToken(user: "b", group: "y", token: "0b"))
        _ = try registry.take(.updateToken(user: "b", group: "y", token: "1b"))
        #expect(Self.status(of: third, in: &registry) == 503)
        _ = try registry.take(.close(user: "a", group: "x"))
        #expect(try registry.take(third) == .noted)
        for user in ["a", "b"] { _ = try registry.take(.startToken(user: user, token: "00")) }
        #expect(Self.status(of: .startToken(user: "c", token: "00"), in: &registry) == 503)
        for _ in 0..<2 { _ = try registry.take(.define(Self.start)) }
        #expect(Self.status(of: .define(Self.start), in: &registry) == 503)
    }

    private static func status(of call: NetmeraCall, in registry: inout NetmeraRegistry) -> Int? {
        do throws(NetmeraRefusal) {
            _ = try registry.take(call)
            return nil
        } catch {
            return error.status
        }
    }

    @Test func payloadsAreApples() throws {
        var registry = NetmeraRegistry()
        let token = "0a"
        _ = try registry.take(.startToken(user: "u", token: token))
        _ = try registry.take(.updateToken(user: "u", group: "g", token: token))
        let activity = #""contentState":{"p":0.5},"liveActAttr":{"id":"r"},"liveActAttrType":"A""#
        let bulk =
            #"{"message":{"title":"T","text":"X",\#(activity)},"type":"LIVE_ACTIVITY","target":{"sendToAll":true}}"#
        let rows: [(NetmeraCall, String)] = [
            (
                try NetmeraCall.read(.sendBulkNotification, Array(bulk.utf8)),
                #"{"aps":{"timestamp":0,"event":"start","attributes-type":"A","attributes":{"id":"r"},"#
                    + #""alert":{"title":"T","body":"X"},"content-state":{"p":0.5}}}"#
            ),
            (
                .update(group: "g", contentState: Array("{}".utf8), priority: 5),
                #"{"aps":{"timestamp":0,"event":"update","content-state":{}}}"#
            ),
            (.end(group: "g", contentState: nil, priority: 10), #"{"aps":{"timestamp":0,"event":"end"}}"#),
        ]
        for (call, text) in rows {
            guard case .push(let push) = try registry.take(call) else {
                throw NetmeraRefusal(0, "", got: "", allowed: "")
            }
            #expect(String(decoding: push.payload.bytes, as: UTF8.self) == text)
        }
    }
}
