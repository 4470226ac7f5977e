import FreshnessCore
import Testing

@testable import Wire

@Suite struct NetmeraCallTests {
    /// The documents of Netmera's article, shortened.
    @Test func readsTheArticlesCalls() throws {
        let attributes = Array(#"{"referenceId":"r-1"}"#.utf8)
        let start = ActivityPayload(
            timestamp: 0,
            event: .start,
            alert: PushAlert(title: "T", body: "X"),
            contentState: Array(#"{"title":"Up","progress":0.5}"#.utf8),
            start: .init(attributesType: "LiveActivityAttributes", attributes: attributes)
        )
        let activity = """
            "platforms":["IOS"],"contentState":{"title":"Up","progress":0.5},"liveActAttr":{"referenceId":"r-1"},\
            "liveActAttrType":"LiveActivityAttributes"
            """
        let bulk = """
            {"message":{"title":"T","text":"X",\(activity)},"type":"LIVE_ACTIVITY","target":{"sendToAll":true}}
            """
        let single = #"{"notificationKey":"k","target":{"extId":"u"}}"#
        let update = #"{"groupId":"g","action":"UPDATE","contentState":{"a":[1,null,true]},"priority":5}"#
        let end = #"{"groupId":"g","action":"END"}"#
        let content = Array(#"{"a":[1,null,true]}"#.utf8)
        let rows: [(NetmeraCall.Operation, String, NetmeraCall)] = [
            (.sendBulkNotification, bulk, .startAll(start)),
            (.createNotificationDefinition, #"{"title":"T","message":"X",\#(activity)}"#, .define(start)),
            (.sendNotification, single, .start(definition: "k", user: "u")),
            (.updateLiveActivity, update, .update(group: "g", contentState: content, priority: 5)),
            (.updateLiveActivity, end, .end(group: "g", contentState: nil, priority: 10)),
            (
                .events, #"{"name":"LiveActivityStartToken","extId":"u","token":"0a"}"#,
                .startToken(user: "u", token: "0a")
            ),
            (
                .events, #"{"name":"LiveActivityUpdateToken","extId":"u","token":"0a","groupId":"g"}"#,
                .updateToken(user: "u", group: "g", token: "0a")
            ),
            (
                .events, #"{"name":"LiveActivityClose","extId":"u","groupId":"g"}"#,
                .close(user: "u", group: "g")
            ),
        ]
        for (operation, body, call) in rows {
            #expect(try NetmeraCall.read(operation, Array(body.utf8)) == call)
            #expect(call.operation == operation)
            #expect(try NetmeraCall.read(operation, Array(call.body.utf8)) == call)
        }
    }

    @Test(arguments: [
        (NetmeraCall.Operation.updateLiveActivity, "", "the body cannot be read"),
        (.updateLiveActivity, "[]", "the body cannot be read"),
        (.updateLiveActivity, #"{"action":"END"}"#, "groupId is missing"),
        (.updateLiveActivity, #"{"groupId":7,"action":"END"}"#, "groupId has the wrong type"),
        (.updateLiveActivity, #"{"groupId":"g","groupId":"h","action":"END"}"#, "the body cannot be read"),
        (.createNotificationDefinition, #"{"platforms":["IOS",7]}"#, "platforms has the wrong type"),
        (.updateLiveActivity, #"{"groupId":"","action":"END"}"#, "groupId is not a valid name"),
        (.updateLiveActivity, #"{"groupId":"g","action":"STOP"}"#, "action is not served"),
        (.updateLiveActivity, #"{"groupId":"g","action":"UPDATE"}"#, "contentState is missing"),
        (.updateLiveActivity, #"{"groupId":"g","action":"END","contentState":7}"#, "contentState has the wrong type"),
        (
            .updateLiveActivity, #"{"groupId":"g","action":"END","priority":1}"#,
            "priority is not valid for a Live Activity"
        ),
        (.sendNotification, #"{"notificationKey":"k","target":{}}"#, "target.extId is missing"),
        (.events, #"{"name":"Purchase","extId":"u"}"#, "name is not an event of Live Activities"),
        (.events, #"{"name":"LiveActivityStartToken","extId":"u","token":"xyz"}"#, "token is not a device token"),
        (
            .createNotificationDefinition,
            #"{"platforms":["ANDROID"],"contentState":{},"liveActAttr":{},"liveActAttrType":"A"}"#,
            "platforms has no platform with Live Activities"
        ),
        (
            .sendBulkNotification,
            #"""
            {"message":{"contentState":{},"liveActAttr":{},"liveActAttrType":"A"},"type":"LIVE_ACTIVITY",
            "target":{"sendToAll":false}}
            """#,
            "target.sendToAll is not served"
        ),
    ])
    func saysWhatIsWrong(operation: NetmeraCall.Operation, body: String, error: String) {
        do throws(NetmeraRefusal) {
            let call = try NetmeraCall.read(operation, Array(body.utf8))
            Issue.record("read as \(call)")
        } catch let refusal {
            #expect(refusal.error == error)
            #expect(refusal.status == 400)
        }
    }

    @Test func pathsNameOperations() {
        #expect(NetmeraCall.Operation(path: "/rest/3.0/update-live-activity?x=1") == .updateLiveActivity)
        #expect(NetmeraCall.Operation(path: "/rest/3.0/sendBulkNotification") == .sendBulkNotification)
        #expect(NetmeraCall.Operation(path: "/rest/2.0/sendBulkNotification") == nil)
        #expect(NetmeraCall.Operation(path: "/rest/3.0/") == nil)
    }

    @Test(arguments: [
        (NetmeraAnswer(), "{}"), (NetmeraAnswer(pushes: 3), #"{"pushes":3}"#),
        (NetmeraAnswer(notificationKey: "k"), #"{"notificationKey":"k"}"#),
    ])
    func answers(answer: NetmeraAnswer, body: String) {
        #expect(answer.body == body)
        #expect(NetmeraAnswer(Array(body.utf8)) == answer)
    }
}
