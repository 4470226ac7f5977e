import FreshnessCore
import Wire

/// Where a push of the gateway goes, and in whose name its token stands in the registry.
struct NetmeraRecipient: Hashable, Sendable {
    let token: String
    let user: String
    /// The group of an update token; nil for a starter token.
    let group: String?
}

/// What goes to phones.
struct NetmeraPush: Hashable, Sendable {
    /// But for its time.
    let payload: ActivityPayload
    /// 5 or 10.
    let priority: UInt8
    /// In order of users.
    let recipients: [NetmeraRecipient]
}

/// Who gets what: the starter tokens of users, the update tokens of groups, the definitions of notifications.
///
/// Called with every call of the gateway and with every token that APNs no longer takes; does nothing but say what is to be
/// pushed. A later token takes the place of the same user's earlier one, as tokens rotate; a group is there from its first
/// update token until it is ended or its last phone closes it, and an update of a group that is not there is an error.
struct NetmeraRegistry: Sendable {
    /// How many users, groups, update tokens and definitions there may be, each.
    let most: Int
    private var starters: [String: String] = [:]
    private var groups: [String: [String: String]] = [:]
    private var members = 0
    private var definitions: [String: ActivityPayload] = [:]

    init(most: Int = 1_000_000) {
        self.most = most
    }

    /// What comes of a call that is good.
    enum Outcome: Hashable, Sendable {
        /// Noted, nothing to push.
        case noted
        /// A definition has its key.
        case defined(key: String)
        case push(NetmeraPush)
    }

    /// A call has come.
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

    /// APNs takes a token no more: it is forgotten, unless another one has come in its place.
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

    /// - Complexity: O(n log n) in the tokens, for an order that is the same each time.
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
