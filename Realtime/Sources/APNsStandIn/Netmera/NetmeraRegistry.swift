import FreshnessCore
import Wire

/// The recipient of a push of the gateway, with the user and group of its token in the registry.
struct NetmeraRecipient: Hashable, Sendable {
    let token: String
    let user: String
    /// The group of an update token; `nil` for a starter token.
    let group: String?
}

/// A push to phones.
struct NetmeraPush: Hashable, Sendable {
    /// The payload, without its time.
    let payload: ActivityPayload
    /// The priority, 5 or 10.
    let priority: UInt8
    /// The recipients, ordered by user.
    let recipients: [NetmeraRecipient]
}

/// The registry of the gateway: starter tokens of users, update tokens of groups, definitions of notifications.
///
/// It receives every call of the gateway and every token that APNs no longer accepts, and only returns what to push. A
/// later token replaces the same user's earlier one, because tokens rotate. A group exists from its first update token
/// until it is ended or its last phone closes it. An update of an unknown group is an error.
struct NetmeraRegistry: Sendable {
    /// The maximum number of users, groups, update tokens and definitions, each.
    let most: Int
    private var starters: [String: String] = [:]
    private var groups: [String: [String: String]] = [:]
    private var members = 0
    private var definitions: [String: ActivityPayload] = [:]

    init(most: Int = 1_000_000) {
        self.most = most
    }

    /// The outcome of a valid call.
    enum Outcome: Hashable, Sendable {
        /// Recorded, nothing to push.
        case noted
        /// A definition has received its key.
        case defined(key: String)
        case push(NetmeraPush)
    }

    /// Handles a call.
    mutating func take(_ call: NetmeraCall) throws(NetmeraRefusal) -> Outcome {
        switch call {
        case .define(let start):
            try checkRoom(definitions.count, for: "definitions")
            let key = "live-activity-\(definitions.count + 1)"
            definitions[key] = start
            return .defined(key: key)
        case .startAll(let start):
            return .push(push(start, to: starters, group: nil))
        case .start(let definition, let user):
            guard let start = definitions[definition] else { throw unknown("notificationKey", "a definition's key") }
            guard let token = starters[user] else { throw unknown("target.extId", "a user with a starter token") }
            return .push(push(start, to: [user: token], group: nil))
        case .update(let group, let contentState, let priority):
            guard let tokens = groups[group] else { throw unknown("groupId", "a group with update tokens") }
            let payload = ActivityPayload(timestamp: 0, event: .update, contentState: contentState)
            return .push(push(payload, to: tokens, group: group, priority: priority))
        case .end(let group, let contentState, let priority):
            guard let tokens = groups.removeValue(forKey: group) else {
                throw unknown("groupId", "a group with update tokens")
            }
            members -= tokens.count
            let payload = ActivityPayload(timestamp: 0, event: .end, contentState: contentState)
            return .push(push(payload, to: tokens, group: group, priority: priority))
        case .startToken(let user, let token):
            if starters[user] == nil { try checkRoom(starters.count, for: "users") }
            starters[user] = token
            return .noted
        case .updateToken(let user, let group, let token):
            if groups[group]?[user] == nil {
                try checkRoom(members, for: "update tokens")
                members += 1
            }
            groups[group, default: [:]][user] = token
            return .noted
        case .close(let user, let group):
            remove(user, from: group)
            return .noted
        }
    }

    /// Deletes a token that APNs no longer accepts, unless another one has replaced it.
    mutating func died(_ recipient: NetmeraRecipient) {
        if let group = recipient.group {
            if groups[group]?[recipient.user] == recipient.token { remove(recipient.user, from: group) }
        } else if starters[recipient.user] == recipient.token {
            starters[recipient.user] = nil
        }
    }

    private mutating func remove(_ user: String, from group: String) {
        guard groups[group]?.removeValue(forKey: user) != nil else { return }
        members -= 1
        if groups[group]?.isEmpty ?? false { groups[group] = nil }
    }

    /// - Complexity: O(n log n) in the tokens, for a reproducible order.
    private func push(
        _ payload: ActivityPayload,
        to tokens: [String: String],
        group: String?,
        priority: UInt8 = 10
    ) -> NetmeraPush {
        let recipients = tokens.sorted { $0.key < $1.key }
            .map { NetmeraRecipient(token: $0.value, user: $0.key, group: group) }
        return NetmeraPush(payload: payload, priority: priority, recipients: recipients)
    }

    private func checkRoom(_ count: Int, for what: String) throws(NetmeraRefusal) {
        guard count < most else {
            throw NetmeraRefusal(503, "there is no room for more \(what)", got: "\(count)", allowed: "\(most)")
        }
    }

    private func unknown(_ field: String, _ allowed: String) -> NetmeraRefusal {
        NetmeraRefusal(404, "\(field) is not known", got: "another", allowed: allowed)
    }
}
