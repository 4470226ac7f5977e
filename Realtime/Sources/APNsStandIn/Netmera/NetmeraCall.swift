import Foundation
import Wire

/// What a Live Activity starts with.
struct ActivityStart: Hashable, Sendable {
    let title: String?
    let text: String?
    let contentState: JSONPiece
    let attributes: JSONPiece
    let attributesType: String
}

/// A call of the gateway, read and found good in itself.
///
/// The four calls of a backend are Netmera's, as its article on Live Activities shows them. How the SDK sends the app's
/// events is not published, so their path and shape are chosen here: `extId` says whose app it is, which the SDK would
/// know from its own registration.
enum NetmeraCall: Hashable, Sendable {
    /// `createNotificationDefinition`.
    case define(ActivityStart)
    /// `sendBulkNotification` to all users.
    case startAll(ActivityStart)
    /// `sendNotification` to one.
    case start(definition: String, user: String)
    /// `update-live-activity`, action `UPDATE`.
    case update(group: String, contentState: JSONPiece, priority: UInt8)
    /// `update-live-activity`, action `END`.
    case end(group: String, contentState: JSONPiece?, priority: UInt8)
    /// Event `LiveActivityStartToken`.
    case startToken(user: String, token: String)
    /// Event `LiveActivityUpdateToken`.
    case updateToken(user: String, group: String, token: String)
    /// Event `LiveActivityClose`.
    case close(user: String, group: String)

    /// What can be called, by path.
    enum Operation: String, CaseIterable {
        case sendBulkNotification, createNotificationDefinition, sendNotification, events
        case updateLiveActivity = "update-live-activity"

        /// The operation that a path names, whatever its query.
        init?(path: String) {
            let path = path.prefix { $0 != "?" }
            guard path.hasPrefix(Operation.root) else { return nil }
            self.init(rawValue: String(path.dropFirst(Operation.root.count)))
        }

        static var root: String { "/rest/3.0/" }
    }

    /// Reads a call's body.
    static func read(_ operation: Operation, _ body: Data) throws(NetmeraRefusal) -> NetmeraCall {
        switch operation {
        case .sendBulkNotification: try bulk(decode(body))
        case .createNotificationDefinition: .define(try start(decode(body)))
        case .sendNotification: try single(decode(body))
        case .updateLiveActivity: try update(decode(body))
        case .events: try event(decode(body))
        }
    }

    private static func decode<Body: Decodable>(_ body: Data) throws(NetmeraRefusal) -> Body {
        do {
            return try JSONDecoder().decode(Body.self, from: body)
        } catch let error as DecodingError {
            throw NetmeraRefusal(error)
        } catch {
            throw NetmeraRefusal(400, "the body cannot be read", got: "something else", allowed: "a JSON object")
        }
    }

    private static func bulk(_ body: BulkBody) throws(NetmeraRefusal) -> NetmeraCall {
        guard body.type == "LIVE_ACTIVITY" else {
            throw NetmeraRefusal(400, "type is not served", got: shown(body.type), allowed: "LIVE_ACTIVITY")
        }
        guard body.target.sendToAll else {
            throw NetmeraRefusal(400, "target.sendToAll is not served", got: "false", allowed: "true")
        }
        return .startAll(try start(body.message))
    }

    private static func start(_ body: StartBody) throws(NetmeraRefusal) -> ActivityStart {
        guard body.platforms?.contains("IOS") ?? true else {
            throw NetmeraRefusal(400, "platforms has no phone with Live Activities", got: "no IOS", allowed: "IOS")
        }
        return ActivityStart(
            title: body.title,
            text: body.text ?? body.message,
            contentState: try object(body.contentState, named: "contentState"),
            attributes: try object(body.liveActAttr, named: "liveActAttr"),
            attributesType: try name(body.liveActAttrType, named: "liveActAttrType")
        )
    }

    private static func single(_ body: SingleBody) throws(NetmeraRefusal) -> NetmeraCall {
        .start(
            definition: try name(body.notificationKey, named: "notificationKey"),
            user: try name(body.target.extId, named: "target.extId")
        )
    }

    private static func update(_ body: UpdateBody) throws(NetmeraRefusal) -> NetmeraCall {
        let group = try name(body.groupId, named: "groupId")
        let priority = body.priority ?? 10
        guard priority == 5 || priority == 10 else {
            throw NetmeraRefusal(400, "priority is none of a Live Activity's", got: "\(priority)", allowed: "5, 10")
        }
        let content = try body.contentState.map { state throws(NetmeraRefusal) in
            try object(state, named: "contentState")
        }
        switch body.action {
        case "UPDATE":
            guard let content else {
                throw NetmeraRefusal(400, "contentState is missing", got: "nothing", allowed: "an object")
            }
            return .update(group: group, contentState: content, priority: UInt8(priority))
        case "END":
            return .end(group: group, contentState: content, priority: UInt8(priority))
        default:
            throw NetmeraRefusal(400, "action is not served", got: shown(body.action), allowed: "UPDATE, END")
        }
    }

    private static func event(_ body: EventBody) throws(NetmeraRefusal) -> NetmeraCall {
        let user = try name(body.extId, named: "extId")
        switch body.name {
        case "LiveActivityStartToken":
            return .startToken(user: user, token: try token(body.token))
        case "LiveActivityUpdateToken":
            let group = try name(body.groupId, named: "groupId")
            return .updateToken(user: user, group: group, token: try token(body.token))
        case "LiveActivityClose":
            return .close(user: user, group: try name(body.groupId, named: "groupId"))
        default:
            let allowed = "LiveActivityStartToken, LiveActivityUpdateToken, LiveActivityClose"
            throw NetmeraRefusal(400, "name is no event of Live Activities", got: shown(body.name), allowed: allowed)
        }
    }

    // MARK: - Values

    /// The most bytes of a name: what waits in tables is bounded.
    static var longestName: Int { 256 }

    private static func name(_ text: String?, named field: String) throws(NetmeraRefusal) -> String {
        guard let text, !text.isEmpty, text.utf8.count <= longestName else {
            let got = text.map { "\($0.utf8.count) bytes" } ?? "nothing"
            throw NetmeraRefusal(400, "\(field) is no name", got: got, allowed: "1 to \(longestName) bytes")
        }
        return text
    }

    private static func token(_ text: String?) throws(NetmeraRefusal) -> String {
        guard let text, DeviceToken(hexadecimal: text.utf8) != nil else {
            let got = text.map { "\($0.utf8.count) bytes that are none" } ?? "nothing"
            throw NetmeraRefusal(400, "token is no device token", got: got, allowed: "hexadecimal digits, in pairs")
        }
        return text
    }

    private static func object(_ piece: JSONPiece, named field: String) throws(NetmeraRefusal) -> JSONPiece {
        guard case .object = piece else {
            throw NetmeraRefusal(400, "\(field) has the wrong type", got: "another", allowed: "an object")
        }
        return piece
    }

    /// The beginning of a word that came, with nothing in it that would spoil a log.
    private static func shown(_ text: String) -> String {
        String(text.prefix(40).map { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) ? $0 : "?" })
    }
}

private struct StartBody: Decodable {
    let title: String?
    let text: String?
    /// What a definition has in place of `text`.
    let message: String?
    let platforms: [String]?
    let contentState: JSONPiece
    let liveActAttr: JSONPiece
    let liveActAttrType: String
}

private struct BulkBody: Decodable {
    struct Target: Decodable { let sendToAll: Bool }
    let message: StartBody
    let type: String
    let target: Target
}

private struct SingleBody: Decodable {
    struct Target: Decodable { let extId: String }
    let notificationKey: String
    let target: Target
}

private struct UpdateBody: Decodable {
    let groupId: String
    let action: String
    let contentState: JSONPiece?
    let priority: Int?
}

private struct EventBody: Decodable {
    let name: String
    let extId: String
    let token: String?
    let groupId: String?
}
