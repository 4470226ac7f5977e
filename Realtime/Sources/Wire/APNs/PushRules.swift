import FreshnessCore

/// APNs' rules for the head of a push to a device.
///
/// Where several rules are broken, APNs names one; Apple does not say which. The order here is chosen: what must be known
/// to go on comes first.
///
/// 1. method and path (``RequestTarget``): `BadPath`, `MethodNotAllowed`, `MissingDeviceToken`
/// 2. `DuplicateHeaders`
/// 3. the provider token (``ProviderConnection``): status 403 and `TooManyProviderTokenUpdates`; seen in the wild to come
///    before anything about the device
/// 4. `BadMessageId`, `BadDeviceToken`, `BadExpirationDate`, `BadPriority`, `BadCollapseId`
/// 5. `InvalidPushType`, `MissingTopic`, `BadTopic`, `TopicDisallowed`
/// 6. the body: `PayloadTooLarge`, `PayloadEmpty`
///
/// Source: Apple, "Sending notification requests to APNs" and "Handling notification responses from APNs".
package struct PushRules: Sendable {
    /// The bundle ids that may be pushed to; empty: all.
    package let bundleIDs: [String]

    /// Rules for some apps.
    package init(bundleIDs: [String] = []) {
        self.bundleIDs = bundleIDs
    }

    /// How the provider has shown who it is.
    package enum Authentication: Hashable, Sendable {
        /// By a provider token.
        case token
        /// By a client certificate, which serves no Live Activities (WWDC 2023, session 10185).
        case certificate
    }

    /// What the rules make of a head.
    package enum Verdict: Hashable, Sendable {
        case accepted(AcceptedPush)
        case refused(APNsResponseReason)
    }

    /// Judges a head by the rules of steps 4 and 5.
    ///
    /// - Parameter known: What a head of the same ``RequestFields/variant`` has been found to ask for.
    package func judge(
        _ fields: RequestFields,
        token: Substring,
        authentication: Authentication = .token,
        known: PushKind? = nil
    ) -> Verdict {
        var id: RequestID?
        if let text = fields.id {
            guard let read = RequestID(canonical: text.utf8) else { return .refused(.wire(.badMessageID)) }
            id = read
        }
        guard let target = TokenDigest(hexadecimal: token) else { return .refused(.push(.badDeviceToken)) }
        if let known { return .accepted(AcceptedPush(id: id, token: target, kind: known)) }
        switch kind(fields, authentication) {
        case .success(let kind): return .accepted(AcceptedPush(id: id, token: target, kind: kind))
        case .failure(let reason): return .refused(reason)
        }
    }

    /// What a head asks for, whichever device it is about.
    private func kind(
        _ fields: RequestFields,
        _ authentication: Authentication
    ) -> Result<PushKind, APNsResponseReason> {
        if let text = fields.expiration, PushRules.wholeNumber(text) == nil {
            return .failure(.wire(.badExpirationDate))
        }
        let priority: UInt8
        switch fields.priority {
        case nil: priority = 10
        case "10": priority = 10
        case "5": priority = 5
        case "1": priority = 1
        default: return .failure(.wire(.badPriority))
        }
        if let collapseID = fields.collapseID, collapseID.utf8.count > PushRules.largestCollapseID {
            return .failure(.wire(.badCollapseID))
        }
        // Compressed payloads are forbidden; no reason of the table names that.
        if let encoding = fields.contentEncoding, encoding != "identity" { return .failure(.push(.forbidden)) }
        let type: PushType
        switch self.type(fields) {
        case .success(let found): type = found
        case .failure(let reason): return .failure(reason)
        }
        // Left out, the priority is what the type allows.
        guard fields.priority == nil || type.allows(priority: priority) else { return .failure(.wire(.badPriority)) }
        if type == .liveActivity, authentication == .certificate { return .failure(.push(.topicDisallowed)) }
        return .success(PushKind(type: type, priority: priority))
    }

    /// Type and topic, which have to fit each other.
    ///
    /// A topic with a suffix says its type, so the header may be missing there except for Live Activities, whose article
    /// demands it. A topic whose suffix belongs to another type is not one that may be pushed to: `TopicDisallowed`, as
    /// developers report.
    private func type(_ fields: RequestFields) -> Result<PushType, APNsResponseReason> {
        var named: PushType?
        if let text = fields.pushType {
            guard let read = PushType(rawValue: text) else { return .failure(.wire(.invalidPushType)) }
            named = read
        }
        guard let topic = fields.topic else { return .failure(.wire(.missingTopic)) }
        guard PushRules.isWellFormed(topic: topic) else { return .failure(.wire(.badTopic)) }
        let type: PushType
        if let named {
            let suffix = named.topicSuffix
            let fits = suffix.isEmpty ? PushType.suffixed(topic) == nil : topic.hasSuffix(suffix)
            guard fits else { return .failure(.push(.topicDisallowed)) }
            type = named
        } else {
            type = PushType.suffixed(topic) ?? .alert
            guard type != .liveActivity else { return .failure(.wire(.invalidPushType)) }
        }
        guard allows(bundleID: Substring(topic.utf8.dropLast(type.topicSuffix.utf8.count))) else {
            return .failure(.push(.topicDisallowed))
        }
        return .success(type)
    }

    /// Whether pushes to an app are allowed.
    package func allows(bundleID: Substring) -> Bool {
        !bundleID.isEmpty && (bundleIDs.isEmpty || bundleIDs.contains { $0 == bundleID })
    }

    /// Judges the size of a body [bytes]; nil when it will do.
    package static func judge(bodyBytes: Int, largest: Int) -> APNsResponseReason? {
        if bodyBytes > largest { return .push(.payloadTooLarge) }
        return bodyBytes == 0 ? .wire(.payloadEmpty) : nil
    }

    /// The most bytes of any body: those of a push to a VoIP app, and of a broadcast, for which a third party says 5 KB,
    /// since Apple's page could not be read.
    package static var largestBody: Int { 5120 }

    /// The most bytes of `apns-collapse-id`.
    static var largestCollapseID: Int { 64 }

    /// Bundle ids have letters, digits, hyphens and full stops; 255 bytes are more than any has.
    static func isWellFormed(topic: String) -> Bool {
        let count = topic.utf8.count
        guard count > 0, count <= 255 else { return false }
        return topic.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
            default: false
            }
        }
    }

    /// Digits and nothing else.
    static func wholeNumber(_ text: String) -> UInt64? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt64(text)
    }
}

/// A push whose head obeys the rules.
package struct AcceptedPush: Hashable, BitwiseCopyable, Sendable {
    /// Its `apns-id`; nil when APNs has to make one.
    package let id: RequestID?
    /// What the model asks of its device token.
    package let token: TokenDigest
    /// What it is.
    package let kind: PushKind
}

/// What a push is, whichever device it is for.
package struct PushKind: Hashable, BitwiseCopyable, Sendable {
    /// Its type.
    package let type: PushType
    /// Its priority: 1, 5 or 10.
    package let priority: UInt8
}
