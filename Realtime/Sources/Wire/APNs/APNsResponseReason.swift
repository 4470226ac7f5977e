package import FreshnessCore

/// Reasons for which APNs rejects a request: all reasons of its two tables, for pushes to devices and for broadcast
/// channels.
///
/// Source: Apple, "Handling notification responses from APNs" and "Handling error responses from APNs".
package enum APNsResponseReason: Hashable, CaseIterable, BitwiseCopyable, Error {
    /// A reason that a push of the model can receive.
    case push(APNsReason)
    /// A reason that exists only on the wire.
    case wire(WireReason)

    package static var allCases: [APNsResponseReason] {
        APNsReason.allCases.map { .push($0) } + WireReason.allCases.map { .wire($0) }
    }

    /// The reason in APNs' spelling.
    package var text: String {
        switch self {
        case .push(let reason): reason.rawValue
        case .wire(let reason): reason.rawValue
        }
    }

    /// The HTTP status that carries the reason.
    package var status: Int {
        switch self {
        case .push(let reason): reason.status
        case .wire(let reason): reason.status
        }
    }

    /// `true` if the reason counts as a provider error.
    ///
    /// APNs tolerates only a few per connection.
    ///
    /// Apple excludes status 410. An error of APNs itself is not the provider's error either.
    package var isProviderError: Bool { (400..<500).contains(status) && status != 410 && status != 429 }
}

/// Reasons of the wire that no push of the model can receive: malformed requests, provider tokens, broadcast channels.
package enum WireReason: String, CaseIterable, BitwiseCopyable, Sendable {
    case badCollapseID = "BadCollapseId"
    case badExpirationDate = "BadExpirationDate"
    case badMessageID = "BadMessageId"
    case badPriority = "BadPriority"
    case badTopic = "BadTopic"
    case duplicateHeaders = "DuplicateHeaders"
    case idleTimeout = "IdleTimeout"
    case invalidPushType = "InvalidPushType"
    case missingDeviceToken = "MissingDeviceToken"
    case missingTopic = "MissingTopic"
    case payloadEmpty = "PayloadEmpty"
    case badCertificate = "BadCertificate"
    case badCertificateEnvironment = "BadCertificateEnvironment"
    case invalidProviderToken = "InvalidProviderToken"
    case missingProviderToken = "MissingProviderToken"
    case unrelatedKeyIDInToken = "UnrelatedKeyIdInToken"
    case badEnvironmentKeyIDInToken = "BadEnvironmentKeyIdInToken"
    case badPath = "BadPath"
    case methodNotAllowed = "MethodNotAllowed"
    case tooManyProviderTokenUpdates = "TooManyProviderTokenUpdates"

    // Only for broadcast channels.
    case featureNotEnabled = "FeatureNotEnabled"
    case missingChannelID = "MissingChannelId"
    case badChannelID = "BadChannelId"
    case badRequestParameters = "BadRequestParams"
    case badRequestPayload = "BadRequestPayload"
    case missingPushType = "MissingPushType"
    case cannotCreateChannelConfiguration = "CannotCreateChannelConfig"
    case topicMismatch = "TopicMismatch"
    /// Apple's page spells it with a space.
    case broadcastServiceUnavailable = "Service Unavailable"

    fileprivate var status: Int {
        switch self {
        case .badCertificate, .badCertificateEnvironment, .invalidProviderToken, .missingProviderToken,
            .unrelatedKeyIDInToken, .badEnvironmentKeyIDInToken, .topicMismatch:
            403
        case .badPath: 404
        case .methodNotAllowed: 405
        case .tooManyProviderTokenUpdates: 429
        case .broadcastServiceUnavailable: 503
        default: 400
        }
    }
}

extension APNsReason {
    /// Creates the model's reason for a rejection: the reason of the same name, or, if no push of the model can receive
    /// it, one with the same status and consequences.
    package init(status: Int, reason: String?) {
        if let known = reason.flatMap({ APNsReason(rawValue: $0) }) {
            self = known
            return
        }
        switch status {
        // The provider token is wrong, and the next one may be right.
        case 403: self = .expiredProviderToken
        case 410: self = .unregistered
        case 413: self = .payloadTooLarge
        case 429: self = .tooManyRequests
        case 503: self = .serviceUnavailable
        case 500...: self = .internalServerError
        // Any other error in this push would occur again.
        default: self = .forbidden
        }
    }
}
