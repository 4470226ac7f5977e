import Foundation
import FreshnessCore
import LiveActivityModel
import NIOConcurrencyHelpers
import NIOCore
import TextFormats
import Wire

/// Broadcast channels of all apps: created, listed, deleted, published to.
///
/// The phones that follow a channel are reported by a phone link, or have started their card by a push that names it.
///
/// Source: Apple, "Sending channel management requests to APNs" and "Handling error responses from APNs".
final class BroadcastChannels: Sendable {
    /// The outcome of a request about channels.
    enum Answer {
        case refused(APNsResponseReason)
        case done(status: Int, channelID: String?, body: ByteBuffer?)
        /// The request to publish satisfies all rules; the station decides about it.
        case publishes(Publication)
    }

    /// A request to publish.
    struct Publication: Hashable, Sendable {
        let app: String
        let channelID: String
        /// 5 or 10.
        let priority: UInt8
    }

    /// A phone whose card follows a channel.
    struct Follower: Hashable, Sendable {
        /// The ride that keys the draws of its copies.
        let ride: UInt64
        /// The token of the stand-in's own phone; `nil` for a phone of the link.
        let token: Substring?

        /// `true` if it is a phone of the link.
        var isLinked: Bool { token == nil }
    }

    private let rules: PushRules
    /// The channels of each app by id.
    private let apps = NIOLockedValueBox<[String: ChannelStation<String, Follower>]>([:])
    /// The maximum number of channels of one app.
    private let most: Int

    /// - Parameter most: The maximum number of channels of one app.
    init(bundleIDs: [String], most: Int = Scenario.Channel().most) {
        rules = PushRules(bundleIDs: bundleIDs)
        self.most = most
    }

    /// The number of channels.
    var count: Int { apps.withLockedValue { $0.values.reduce(0) { $0 + $1.count } } }

    // MARK: - Followers

    /// Returns `true` if a channel exists.
    func exists(_ publication: Publication) -> Bool {
        apps.withLockedValue { $0[publication.app]?.storesNewest(publication.channelID) != nil }
    }

    /// Returns `true` if a channel of any app exists.
    func exists(_ id: String) -> Bool {
        apps.withLockedValue { $0.values.contains { $0.storesNewest(id) != nil } }
    }

    /// Adds a follower of a channel; nothing happens if no app has the channel.
    func follow(_ id: String, _ follower: Follower) { change(id) { $0.follow(id, follower) } }

    /// Removes a follower of a channel.
    func leave(_ id: String, _ follower: Follower) { change(id) { $0.leave(id, follower) } }

    private func change(_ id: String, _ change: (inout ChannelStation<String, Follower>) -> Void) {
        apps.withLockedValue { apps in
            guard let app = apps.keys.first(where: { apps[$0]?.storesNewest(id) != nil }),
                let place = apps.index(forKey: app)
            else { return }
            change(&apps.values[place])
        }
    }

    /// Removes the phones of a link that has ended.
    func forgetLinkedPhones() {
        apps.withLockedValue { apps in
            for place in apps.indices { apps.values[place].keep { !$0.isLinked } }
        }
    }

    /// Returns the followers of a channel that the player of the phones plays.
    func followers(of publication: Publication, linked: Bool) -> [Follower] {
        let all = apps.withLockedValue { $0[publication.app]?.phones(of: publication.channelID) ?? [] }
        return all.filter { $0.isLinked == linked }
    }

    // MARK: - Requests

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
            guard apps[app, default: ChannelStation(most: most)].create(id, storesNewest: policy == 1) else {
                return .refused(.wire(.cannotCreateChannelConfiguration))
            }
            return .done(status: 201, channelID: id, body: nil)
        }
    }

    private func read(_ app: String, _ fields: RequestFields) -> Answer {
        withChannel(app, fields) { station, id in
            guard let storesNewest = station.storesNewest(id) else { return .refused(.push(.channelNotRegistered)) }
            var json = JSONText()
            json.add("message-storage-policy", storesNewest ? 1 : 0)
            json.add("push-type", "LiveActivity")
            return .done(status: 200, channelID: id, body: ByteBuffer(string: json.document))
        }
    }

    private func delete(_ app: String, _ fields: RequestFields) -> Answer {
        withChannel(app, fields) { station, id in
            guard station.delete(id) else { return .refused(.push(.channelNotRegistered)) }
            return .done(status: 204, channelID: nil, body: nil)
        }
    }

    private func list(_ app: String) -> Answer {
        if let reason = refusal(app: app) { return .refused(reason) }
        let ids = apps.withLockedValue { $0[app].map { $0.channels.sorted() } ?? [] }
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
        return withChannel(app, fields) { station, id in
            // The station of APNs rejects a channel that does not exist, after its response time.
            guard station.storesNewest(id) != false || expiration == 0 else {
                return .refused(.wire(.badExpirationDate))
            }
            return .publishes(Publication(app: app, channelID: id, priority: fields.priority == "5" ? 5 : 10))
        }
    }

    private func refusal(app: String) -> APNsResponseReason? {
        // The suffix of a push type is not part of a bundle id.
        PushType.suffixed(app) != nil || !rules.allows(bundleID: app[...]) ? .push(.topicDisallowed) : nil
    }

    /// Responds to a request that names a channel.
    private func withChannel(
        _ app: String,
        _ fields: RequestFields,
        _ answer: (inout ChannelStation<String, Follower>, String) -> Answer
    ) -> Answer {
        if let reason = refusal(app: app) { return .refused(reason) }
        guard let id = fields.channelID else { return .refused(.wire(.missingChannelID)) }
        guard let bytes = Data(base64Encoded: id), !bytes.isEmpty else { return .refused(.wire(.badChannelID)) }
        return apps.withLockedValue { apps in
            // An app without channels gets no entry, so clients cannot fill the table with names.
            guard let place = apps.index(forKey: app) else {
                var none = ChannelStation<String, Follower>(most: most)
                return answer(&none, id)
            }
            return answer(&apps.values[place], id)
        }
    }
}
