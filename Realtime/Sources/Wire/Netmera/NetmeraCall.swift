import FreshnessCore
import TextFormats

/// A call of a notification service with Netmera's API, written and read.
///
/// The four calls of a backend are Netmera's, as in its article on Live Activities. The SDK's transport of the app's
/// events is not published, so their path and shape are chosen here: `extId` identifies the user, which the SDK would
/// know from its own registration. A call that starts an activity carries its payload, apart from the time.
///
/// Source: Netmera, "Live Activities".
package enum NetmeraCall: Hashable, Sendable {
    /// `createNotificationDefinition`.
    case define(ActivityPayload)
    /// `sendBulkNotification` to all users.
    case startAll(ActivityPayload)
    /// `sendNotification` to one.
    case start(definition: String, user: String)
    /// `update-live-activity`, action `UPDATE`.
    case update(group: String, contentState: [UInt8], priority: UInt8)
    /// `update-live-activity`, action `END`.
    case end(group: String, contentState: [UInt8]?, priority: UInt8)
    /// Event `LiveActivityStartToken`.
    case startToken(user: String, token: String)
    /// Event `LiveActivityUpdateToken`.
    case updateToken(user: String, group: String, token: String)
    /// Event `LiveActivityClose`.
    case close(user: String, group: String)

    /// The operations, by path.
    package enum Operation: String, CaseIterable, Sendable {
        case sendBulkNotification, createNotificationDefinition, sendNotification, events
        case updateLiveActivity = "update-live-activity"

        /// Returns the operation that a path names; the query is ignored.
        package init?(path: String) {
            let path = path.prefix { $0 != "?" }
            guard path.hasPrefix(Operation.root) else { return nil }
            self.init(rawValue: String(path.dropFirst(Operation.root.count)))
        }

        /// The path of the operation.
        package var path: String { Operation.root + rawValue }

        /// The common prefix of all paths.
        package static var root: String { "/rest/3.0/" }
    }

    /// The header field with the service's key.
    package static var keyField: String { "x-netmera-api-key" }

    /// The operation of this call.
    package var operation: Operation {
        switch self {
        case .define: .createNotificationDefinition
        case .startAll: .sendBulkNotification
        case .start: .sendNotification
        case .update, .end: .updateLiveActivity
        case .startToken, .updateToken, .close: .events
        }
    }

    /// The body, a JSON document.
    package var body: String {
        var json = JSONText()
        switch self {
        case .define(let start):
            NetmeraCall.add(start, textAs: "message", to: &json)
        case .startAll(let start):
            json.begin("message")
            NetmeraCall.add(start, textAs: "text", to: &json)
            json.end()
            json.add("type", "LIVE_ACTIVITY")
            json.add("target", raw: #"{"sendToAll":true}"#)
        case .start(let definition, let user):
            json.add("notificationKey", definition)
            json.begin("target")
            json.add("extId", user)
        case .update(let group, let contentState, let priority):
            NetmeraCall.add("UPDATE", of: group, contentState, priority, to: &json)
        case .end(let group, let contentState, let priority):
            NetmeraCall.add("END", of: group, contentState, priority, to: &json)
        case .startToken(let user, let token):
            NetmeraCall.add("LiveActivityStartToken", of: user, token: token, to: &json)
        case .updateToken(let user, let group, let token):
            NetmeraCall.add("LiveActivityUpdateToken", of: user, group: group, token: token, to: &json)
        case .close(let user, let group):
            NetmeraCall.add("LiveActivityClose", of: user, group: group, to: &json)
        }
        return json.document
    }

    /// Adds a payload; the name of the alert's text differs between a definition and a bulk call.
    private static func add(_ payload: ActivityPayload, textAs name: String, to json: inout JSONText) {
        json.add("title", payload.alert?.title)
        json.add(name, payload.alert?.body)
        json.add("platforms", ["IOS"])
        json.add("contentState", raw: payload.contentState.map { String(decoding: $0, as: UTF8.self) })
        json.add("liveActAttr", raw: payload.start.map { String(decoding: $0.attributes, as: UTF8.self) })
        json.add("liveActAttrType", payload.start?.attributesType)
    }

    private static func add(
        _ action: String,
        of group: String,
        _ contentState: [UInt8]?,
        _ priority: UInt8,
        to json: inout JSONText
    ) {
        json.add("groupId", group)
        json.add("action", action)
        json.add("contentState", raw: contentState.map { String(decoding: $0, as: UTF8.self) })
        json.add("priority", priority)
    }

    private static func add(
        _ event: String,
        of user: String,
        group: String? = nil,
        token: String? = nil,
        to json: inout JSONText
    ) {
        json.add("name", event)
        json.add("extId", user)
        json.add("groupId", group)
        json.add("token", token)
    }
}

/// The response of a service with Netmera's API to a valid call.
package struct NetmeraAnswer: Hashable, Sendable {
    /// The number of pushes in flight.
    package var pushes: Int?
    /// The key of the defined notification.
    package var notificationKey: String?

    /// Creates a response.
    package init(pushes: Int? = nil, notificationKey: String? = nil) {
        self.pushes = pushes
        self.notificationKey = notificationKey
    }

    /// The body, a JSON document.
    package var body: String {
        var json = JSONText()
        json.add("notificationKey", notificationKey)
        json.add("pushes", pushes)
        return json.document
    }

    /// Reads a body; an unreadable body has no values.
    package init(_ body: [UInt8]) {
        let json = try? JSONMembers(body)
        pushes = json?["pushes"]?.integer()
        notificationKey = json?["notificationKey"]?.text
    }
}
