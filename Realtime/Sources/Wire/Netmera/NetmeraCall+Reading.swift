import FreshnessCore
import TextFormats

extension NetmeraCall {
    /// Reads the body of a call; the result is valid on its own.
    package static func read(_ operation: Operation, _ body: [UInt8]) throws(NetmeraRefusal) -> NetmeraCall {
        let body = try NetmeraBody(body)
        switch operation {
        case .sendBulkNotification: return try bulk(body)
        case .createNotificationDefinition: return .define(try start(body))
        case .sendNotification: return try single(body)
        case .updateLiveActivity: return try update(body)
        case .events: return try event(body)
        }
    }

    private static func bulk(_ body: NetmeraBody) throws(NetmeraRefusal) -> NetmeraCall {
        let type = try body.required("type", body.text)
        guard type == "LIVE_ACTIVITY" else {
            throw NetmeraRefusal(400, "type is not served", got: shown(type), allowed: "LIVE_ACTIVITY")
        }
        let target = try body.part("target")
        guard try target.required("sendToAll", target.flag) else {
            throw NetmeraRefusal(400, "target.sendToAll is not served", got: "false", allowed: "true")
        }
        return .startAll(try start(body.part("message")))
    }

    private static func start(_ body: NetmeraBody) throws(NetmeraRefusal) -> ActivityPayload {
        let platforms = try body.texts("platforms")
        guard platforms?.contains("IOS") ?? true else {
            throw NetmeraRefusal(400, "platforms has no platform with Live Activities", got: "no IOS", allowed: "IOS")
        }
        // A definition has `message` instead of `text`.
        let (message, title, text) = (try body.text("message"), try body.text("title"), try body.text("text"))
        let contentState = try body.required("contentState", body.object)
        let attributes = try body.required("liveActAttr", body.object)
        let start = ActivityPayload.Start(
            attributesType: try name(body.text("liveActAttrType"), named: "liveActAttrType"),
            attributes: attributes
        )
        let alert = PushAlert(title: title ?? "", body: text ?? message ?? "")
        return ActivityPayload(timestamp: 0, event: .start, alert: alert, contentState: contentState, start: start)
    }

    private static func single(_ body: NetmeraBody) throws(NetmeraRefusal) -> NetmeraCall {
        let target = try body.part("target")
        return .start(
            definition: try name(body.required("notificationKey", body.text), named: "notificationKey"),
            user: try name(target.required("extId", target.text), named: "target.extId")
        )
    }

    private static func update(_ body: NetmeraBody) throws(NetmeraRefusal) -> NetmeraCall {
        let group = try name(body.required("groupId", body.text), named: "groupId")
        let priority = try body.number("priority") ?? 10
        guard priority == 5 || priority == 10 else {
            throw NetmeraRefusal(400, "priority is not valid for a Live Activity", got: "\(priority)", allowed: "5, 10")
        }
        let content = try body.object("contentState")
        let action = try body.required("action", body.text)
        switch action {
        case "UPDATE":
            guard let content else {
                throw NetmeraRefusal(400, "contentState is missing", got: "nothing", allowed: "an object")
            }
            return .update(group: group, contentState: content, priority: UInt8(priority))
        case "END":
            return .end(group: group, contentState: content, priority: UInt8(priority))
        default:
            throw NetmeraRefusal(400, "action is not served", got: shown(action), allowed: "UPDATE, END")
        }
    }

    private static func event(_ body: NetmeraBody) throws(NetmeraRefusal) -> NetmeraCall {
        let user = try name(body.required("extId", body.text), named: "extId")
        let event = try body.required("name", body.text)
        switch event {
        case "LiveActivityStartToken":
            return .startToken(user: user, token: try token(body.text("token")))
        case "LiveActivityUpdateToken":
            let group = try name(body.text("groupId"), named: "groupId")
            return .updateToken(user: user, group: group, token: try token(body.text("token")))
        case "LiveActivityClose":
            return .close(user: user, group: try name(body.text("groupId"), named: "groupId"))
        default:
            let allowed = "LiveActivityStartToken, LiveActivityUpdateToken, LiveActivityClose"
            throw NetmeraRefusal(400, "name is not an event of Live Activities", got: shown(event), allowed: allowed)
        }
    }

    // MARK: - Values

    /// The maximum size of a name [bytes], which bounds the memory of tables.
    static var longestName: Int { 256 }

    private static func name(_ text: String?, named field: String) throws(NetmeraRefusal) -> String {
        guard let text, !text.isEmpty, text.utf8.count <= longestName else {
            let got = text.map { "\($0.utf8.count) bytes" } ?? "nothing"
            throw NetmeraRefusal(400, "\(field) is not a valid name", got: got, allowed: "1 to \(longestName) bytes")
        }
        return text
    }

    private static func token(_ text: String?) throws(NetmeraRefusal) -> String {
        guard let text, DeviceToken(hexadecimal: text.utf8) != nil else {
            let got = text.map { "\($0.utf8.count) bytes of another kind" } ?? "nothing"
            throw NetmeraRefusal(400, "token is not a device token", got: got, allowed: "hexadecimal digits, in pairs")
        }
        return text
    }

    /// The beginning of a received word, without characters that could corrupt a log.
    private static func shown(_ text: String) -> String {
        String(text.prefix(40).map { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) ? $0 : "?" })
    }
}

/// The members of a call's body, read with their types.
private struct NetmeraBody {
    private let json: JSONMembers
    /// The prefix of the members: empty, or a name and a full stop.
    private let path: String

    init(_ body: [UInt8], path: String = "") throws(NetmeraRefusal) {
        self.path = path
        do throws(JSONMembers.Malformed) {
            json = try JSONMembers(body)
        } catch {
            let got = "another character at byte \(error.offset)"
            throw NetmeraRefusal(400, "the body cannot be read", got: got, allowed: error.expected)
        }
    }

    /// Returns a required member, read by a function.
    func required<Value>(
        _ name: String,
        _ read: (String) throws(NetmeraRefusal) -> Value?
    ) throws(NetmeraRefusal) -> Value {
        guard let value = try read(name) else {
            throw NetmeraRefusal(400, "\(path)\(name) is missing", got: "nothing", allowed: "a value")
        }
        return value
    }

    /// Returns an object within the call.
    func part(_ name: String) throws(NetmeraRefusal) -> NetmeraBody {
        try NetmeraBody(required(name, object), path: "\(path)\(name).")
    }

    func text(_ name: String) throws(NetmeraRefusal) -> String? {
        try value(name, "a string", \.text)
    }

    func number(_ name: String) throws(NetmeraRefusal) -> Int? {
        try value(name, "a whole number") { $0.integer() }
    }

    func flag(_ name: String) throws(NetmeraRefusal) -> Bool? {
        try value(name, "true or false", \.flag)
    }

    func object(_ name: String) throws(NetmeraRefusal) -> [UInt8]? {
        try value(name, "an object", \.object)
    }

    func texts(_ name: String) throws(NetmeraRefusal) -> [String]? {
        try value(name, "strings") { value in
            let texts = value.elements?.compactMap(\.text)
            return texts?.count == value.elements?.count ? texts : nil
        }
    }

    private func value<Value>(
        _ name: String,
        _ allowed: String,
        _ read: (JSONMembers.Value) -> Value?
    ) throws(NetmeraRefusal) -> Value? {
        guard let value = json[name], value != .null else { return nil }
        guard let read = read(value) else {
            throw NetmeraRefusal(400, "\(path)\(name) has the wrong type", got: "another", allowed: allowed)
        }
        return read
    }
}

/// The reason why the gateway refuses a call: the body of the response, and its status.
///
/// It never contains a token, a key or content.
package struct NetmeraRefusal: Error, Hashable, Sendable {
    /// The HTTP status of the response.
    package let status: Int
    package let error: String
    let got: String
    let allowed: String

    /// Creates a refusal.
    package init(_ status: Int, _ error: String, got: String, allowed: String) {
        self.status = status
        self.error = error
        self.got = got
        self.allowed = allowed
    }

    /// The body of the response, a JSON document.
    package var body: String {
        var json = JSONText()
        json.add("allowed", allowed)
        json.add("error", error)
        json.add("got", got)
        return json.document
    }
}
