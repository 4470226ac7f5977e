import Foundation
import LoadGenerator
import NIOConcurrencyHelpers
import NIOCore
import TextFormats
import Wire

/// Broadcast channels of all apps: made, listed, deleted, published to.
///
/// Source: Apple, "Sending channel management requests to APNs" and "Handling error responses from APNs".
final class BroadcastChannels: Sendable {
    /// What becomes of a request about channels.
    enum Answer {
        case refused(APNsResponseReason)
        case done(status: Int, channelID: String?, body: ByteBuffer?)
    }

    private struct Channel {
        /// Whether the most recent message is kept, at most eight hours.
        let stores: Bool
        var stored: (message: ByteBuffer, until: Int64)?
    }

    private let rules: PushRules
    private let apps = NIOLockedValueBox<[String: [String: Channel]]>([:])

    /// Channels of one app.
    static var mostChannels: Int { 10_000 }
    /// How long a message is kept [s].
    static var longestStorage: Int64 { 8 * 3600 }

    init(bundleIDs: [String]) {
        rules = PushRules(bundleIDs: bundleIDs)
    }

    /// How many channels there are.
    var count: Int { apps.withLockedValue { $0.values.reduce(0) { $0 + $1.count } } }

    /// Answers a request whose provider is known.
    func answer(_ target: RequestTarget, _ fields: RequestFields, body: ByteBuffer?, bodyBytes: Int) -> Answer {
        if let id = fields.requestID, RequestID(canonical: id.utf8) == nil { return .refused(.badMessageID) }
        switch target {
        case .broadcast(let app): return publish(String(app), fields, body, bodyBytes)
        case .channel(.create, let app): return create(String(app), body, bodyBytes)
        case .channel(.read, let app): return read(String(app), fields)
        case .channel(.delete, let app): return delete(String(app), fields)
        case .allChannels(let app): return list(String(app))
        case .device, .refused: return .refused(.badPath)
        }
    }

    private func create(_ app: String, _ body: ByteBuffer?, _ bodyBytes: Int) -> Answer {
        if let reason = refusal(app: app) { return .refused(reason) }
        guard bodyBytes <= PushRules.largestBody else { return .refused(.payloadTooLarge) }
        guard let body, bodyBytes > 0 else { return .refused(.payloadEmpty) }
        guard let wanted = try? JSONMembers(Array(buffer: body)) else { return .refused(.badRequestPayload) }
        switch wanted["push-type"] {
        case .string("LiveActivity"): break
        case nil, .null: return .refused(.missingPushType)
        case .string: return .refused(.invalidPushType)
        default: return .refused(.badRequestPayload)
        }
        let policy: Int
        switch wanted["message-storage-policy"] {
        case .number("0"): policy = 0
        case .number("1"): policy = 1
        case nil, .null, .number: return .refused(.badRequestParameters)
        default: return .refused(.badRequestPayload)
        }
        let id = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
        return apps.withLockedValue { apps in
            guard apps[app, default: [:]].count < BroadcastChannels.mostChannels else {
                return .refused(.cannotCreateChannelConfiguration)
            }
            apps[app, default: [:]][id] = Channel(stores: policy == 1)
            return .done(status: 201, channelID: id, body: nil)
        }
    }

    private func read(_ app: String, _ fields: RequestFields) -> Answer {
        withChannel(app, fields) { channel, id in
            var json = JSONText()
            json.add("message-storage-policy", channel.stores ? 1 : 0)
            json.add("push-type", "LiveActivity")
            return .done(status: 200, channelID: id, body: ByteBuffer(string: json.document))
        }
    }

    private func delete(_ app: String, _ fields: RequestFields) -> Answer {
        withChannel(app, fields) { _, _ in
            .done(status: 204, channelID: nil, body: nil)
        } finally: {
            $0 = nil
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
        guard bodyBytes <= PushRules.largestBody else { return .refused(.payloadTooLarge) }
        guard let body, bodyBytes > 0 else { return .refused(.payloadEmpty) }
        guard let type = fields.pushType else { return .refused(.missingPushType) }
        guard type.lowercased() == "liveactivity" else { return .refused(.invalidPushType) }
        guard fields.priority == nil || fields.priority == "5" || fields.priority == "10" else {
            return .refused(.badPriority)
        }
        let now = WallClock.seconds
        var expiration: Int64 = 0
        if let text = fields.expiration {
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int64(text) else {
                return .refused(.badExpirationDate)
            }
            expiration = seconds
        }
        return withChannel(app, fields) { channel, _ in
            guard channel.stores || expiration == 0 else { return .refused(.badExpirationDate) }
            return .done(status: 200, channelID: nil, body: nil)
        } finally: { channel in
            guard let present = channel, present.stores, expiration > now else { return }
            channel?.stored = (body, min(expiration, now + BroadcastChannels.longestStorage))
        }
    }

    private func refusal(app: String) -> APNsResponseReason? {
        // A push type's suffix is no part of a bundle id.
        PushType.suffixed(app) != nil || !rules.allows(bundleID: app[...]) ? .topicDisallowed : nil
    }

    private func withChannel(
        _ app: String,
        _ fields: RequestFields,
        _ answer: (Channel, String) -> Answer,
        finally change: (inout Channel?) -> Void = { _ in }
    ) -> Answer {
        if let reason = refusal(app: app) { return .refused(reason) }
        guard let id = fields.channelID else { return .refused(.missingChannelID) }
        guard let bytes = Data(base64Encoded: id), !bytes.isEmpty else { return .refused(.badChannelID) }
        return apps.withLockedValue { apps in
            guard let channel = apps[app]?[id] else { return .refused(.channelNotRegistered) }
            let answer = answer(channel, id)
            if case .done = answer {
                var changed: Channel? = channel
                change(&changed)
                apps[app]?[id] = changed
            }
            return answer
        }
    }
}
