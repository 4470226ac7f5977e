import Foundation
import FreshnessCore
import NIOConcurrencyHelpers
import NIOCore
import TextFormats
import Wire

/// Broadcast channels of all apps: created, listed, deleted, published to.
///
/// Source: Apple, "Sending channel management requests to APNs" and "Handling error responses from APNs".
final class BroadcastChannels: Sendable {
    /// The outcome of a request about channels.
    enum Answer {
        case refused(APNsResponseReason)
        case done(status: Int, channelID: String?, body: ByteBuffer?)
    }

    private let rules: PushRules
    /// The channels of each app by id, with `true` if the most recent message is stored.
    ///
    /// Messages are not kept, because no phone requests them.
    private let apps = NIOLockedValueBox<[String: [String: Bool]]>([:])

    /// The maximum number of channels of one app.
    static var mostChannels: Int { 10_000 }

    init(bundleIDs: [String]) {
        rules = PushRules(bundleIDs: bundleIDs)
    }

    /// The number of channels.
    var count: Int { apps.withLockedValue { $0.values.reduce(0) { $0 + $1.count } } }

    /// Responds to a request of an authenticated provider.
    func answer(_ target: RequestTarget, _ fields: RequestFields, body: ByteBuffer?, bodyBytes: Int) -> Answer {
        if let id = fields.requestID, RequestID(canonical: id.utf8) == nil { return .refused(.wire(.badMessageID)) }
        switch target {
        case .broadcast(let app): return publish(String(app), fields, body, bodyBytes)
        case .channel(.create, let app): return create(String(app), body, bodyBytes)
        case .channel(.read, let app): return read(String(app), fields)
        case .channel(.delete, let app): return delete(String(app), fields)
        case .allChannels(let app): return list(String(app))
        case .device, .refused: return .refused(.wire(.badPath))
        }
    }

    private func create(_ app: String, _ body: ByteBuffer?, _ bodyBytes: Int) -> Answer {
        if let reason = refusal(app: app) { return .refused(reason) }
        guard bodyBytes <= PushRules.largestBody else { return .refused(.push(.payloadTooLarge)) }
        guard let body, bodyBytes > 0 else { return .refused(.wire(.payloadEmpty)) }
        guard let wanted = try? JSONMembers(Array(buffer: body)) else { return .refused(.wire(.badRequestPayload)) }
        switch wanted["push-type"] {
        case .string("LiveActivity"): break
        case nil, .null: return .refused(.wire(.missingPushType))
        case .string: return .refused(.wire(.invalidPushType))
        default: return .refused(.wire(.badRequestPayload))
        }
        let policy: Int
        switch wanted["message-storage-policy"] {
        case .number("0"): policy = 0
        case .number("1"): policy = 1
        case nil, .null, .number: return .refused(.wire(.badRequestParameters))
        default: return .refused(.wire(.badRequestPayload))
        }
        let id = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
        return apps.withLockedValue { apps in
            guard apps[app, default: [:]].count < BroadcastChannels.mostChannels else {
                return .refused(.wire(.cannotCreateChannelConfiguration))
            }
            apps[app, default: [:]][id] = policy == 1
            return .done(status: 201, channelID: id, body: nil)
        }
    }

    private func read(_ app: String, _ fields: RequestFields) -> Answer {
        withChannel(app, fields) { stores, id in
            var json = JSONText()
            json.add("message-storage-policy", stores == true ? 1 : 0)
            json.add("push-type", "LiveActivity")
            return .done(status: 200, channelID: id, body: ByteBuffer(string: json.document))
        }
    }

    private func delete(_ app: String, _ fields: RequestFields) -> Answer {
        withChannel(app, fields) { stores, _ in
            stores = nil
            return .done(status: 204, channelID: nil, body: nil)
        }
    }

    private func list(_ app: String) -> Answer {
        if let reason = refusal(app: app) { return .refused(reason) }
        let ids = apps.withLockedValue { ($0[app] ?? [:]).keys.sorted() }
        var json = JSONText()
        json.add("channels", ids)
        return .done(status: 200, channelID: nil, body: ByteBuffer(string: json.document))
    }

    private func publish(_ app: String, _ fields: RequestFields, _ body: ByteBuffer?, _ bodyBytes: Int) -> Answer {
        guard bodyBytes <= PushRules.largestBody else { return .refused(.push(.payloadTooLarge)) }
        guard body != nil, bodyBytes > 0 else { return .refused(.wire(.payloadEmpty)) }
        guard let type = fields.pushType else { return .refused(.wire(.missingPushType)) }
        guard type.lowercased() == "liveactivity" else { return .refused(.wire(.invalidPushType)) }
        guard fields.priority == nil || fields.priority == "5" || fields.priority == "10" else {
            return .refused(.wire(.badPriority))
        }
        var expiration: Int64 = 0
        if let text = fields.expiration {
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int64(text) else {
                return .refused(.wire(.badExpirationDate))
            }
            expiration = seconds
        }
        return withChannel(app, fields) { stores, _ in
            guard stores == true || expiration == 0 else { return .refused(.wire(.badExpirationDate)) }
            return .done(status: 200, channelID: nil, body: nil)
        }
    }

    private func refusal(app: String) -> APNsResponseReason? {
        // The suffix of a push type is not part of a bundle id.
        PushType.suffixed(app) != nil || !rules.allows(bundleID: app[...]) ? .push(.topicDisallowed) : nil
    }

    /// Responds to a request about an existing channel; setting it to `nil` deletes the channel.
    private func withChannel(
        _ app: String,
        _ fields: RequestFields,
        _ answer: (inout Bool?, String) -> Answer
    ) -> Answer {
        if let reason = refusal(app: app) { return .refused(reason) }
        guard let id = fields.channelID else { return .refused(.wire(.missingChannelID)) }
        guard let bytes = Data(base64Encoded: id), !bytes.isEmpty else { return .refused(.wire(.badChannelID)) }
        return apps.withLockedValue { apps in
            guard apps[app]?[id] != nil else { return .refused(.push(.channelNotRegistered)) }
            return answer(&apps[app, default: [:]][id], id)
        }
    }
}
