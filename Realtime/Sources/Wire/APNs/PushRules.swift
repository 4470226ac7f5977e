import FreshnessCore

/// APNs' rules for the head of a push to a device.
///
/// If a head breaks several rules, APNs names one; Apple does not document which. The order here is a choice: rules
/// that later steps depend on come first.
///
/// 1. method and path (``RequestTarget``): `BadPath`, `MethodNotAllowed`, `MissingDeviceToken`
/// 2. `DuplicateHeaders`
/// 3. the provider token (``ProviderConnection``): status 403 and `TooManyProviderTokenUpdates`; observed to precede
///   all errors about the device
/// 4. `BadMessageId`, `BadDeviceToken`, `BadExpirationDate`, `BadPriority`, `BadCollapseId`
/// 5. `InvalidPushType`, `MissingTopic`, `BadTopic`, `TopicDisallowed`
/// 6. the body: `PayloadTooLarge`, `PayloadEmpty`
///
/// Source: Apple, "Sending notification requests to APNs" and "Handling notification responses from APNs".
package struct PushRules: Sendable {
    /// The allowed bundle ids; if empty, all.
    package let bundleIDs: [String]

    /// Creates rules for some apps.
    package init(bundleIDs: [String] = []) {
        self.bundleIDs = bundleIDs
    }

    /// Ways in which a provider proves its identity.
    package enum Authentication: Hashable, Sendable {
        /// A provider token.
        case token
        /// A client certificate, which cannot be used for Live Activities (WWDC 2023, session 10185).
        case certificate
    }

    /// The result of the rules for a head.
    package enum Verdict: Hashable, Sendable {
        case accepted(AcceptedPush)
        case refused(APNsResponseReason)
    }

    /// Applies the rules of steps 4 and 5 to a head.
    ///
    /// - Parameter known: The earlier result for a head of the same ``RequestFields/variant``.
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

    /// Returns the kind of push that a head requests, whichever device it is for.
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
        // Compressed payloads are forbidden; the table has no specific reason for that.
        if let encoding = fields.contentEncoding, encoding != "identity" { return .failure(.push(.forbidden)) }
        let type: PushType
        switch self.type(fields) {
        case .success(let found): type = found
        case .failure(let reason): return .failure(reason)
        }
        // If it is missing, the priority is the default of the type.
        guard fields.priority == nil || type.allows(priority: priority) else { return .failure(.wire(.badPriority)) }
        if type == .liveActivity, authentication == .certificate { return .failure(.push(.topicDisallowed)) }
        return .success(PushKind(type: type, priority: priority))
    }

    /// Checks type and topic, which must match each other.
    ///
    /// A topic with a suffix implies its type, so the header may be missing there, except for Live Activities, whose
    /// article requires it. A topic whose suffix belongs to another type is `TopicDisallowed`, as developers report.
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

    /// Returns `true` if pushes to an app are allowed.
    package func allows(bundleID: Substring) -> Bool {
        !bundleID.isEmpty && (bundleIDs.isEmpty || bundleIDs.contains { $0 == bundleID })
    }

    /// Checks the size of a body [bytes]; returns `nil` if it is allowed.
    package static func judge(bodyBytes: Int, largest: Int) -> APNsResponseReason? {
        if bodyBytes > largest { return .push(.payloadTooLarge) }
        return bodyBytes == 0 ? .wire(.payloadEmpty) : nil
    }

    /// The maximum size of any body [bytes]: that of a push to a VoIP app and of a broadcast.
    ///
    /// The value for broadcasts, 5 KB, is from a third party, since Apple's page could not be read.
    package static var largestBody: Int { 5120 }

    /// The maximum size of `apns-collapse-id` [bytes].
    static var largestCollapseID: Int { 64 }

    /// Bundle ids consist of letters, digits, hyphens and full stops; none is longer than 255 bytes.
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

    /// Reads a text that consists of digits only.
    static func wholeNumber(_ text: String) -> UInt64? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt64(text)
    }
}

/// A push whose head satisfies the rules.
package struct AcceptedPush: Hashable, BitwiseCopyable, Sendable {
    /// The push's `apns-id`; `nil` if APNs must create one.
    package let id: RequestID?
    /// The parts of its device token that the model reads.
    package let token: TokenDigest
    /// The kind of push.
    package let kind: PushKind
}

/// The kind of a push, whichever device it is for.
package struct PushKind: Hashable, BitwiseCopyable, Sendable {
    package let type: PushType
    /// Its priority: 1, 5 or 10.
    package let priority: UInt8

    /// Creates a kind.
    package init(type: PushType, priority: UInt8) { (self.type, self.priority) = (type, priority) }
}
