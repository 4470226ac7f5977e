package import FreshnessCore

/// Why APNs refuses a request: every reason of its two tables, for pushes to devices and for broadcast channels.
///
/// ``APNsReason`` has those that a push of the model can meet; this is the whole vocabulary of the wire.
///
/// Source: Apple, "Handling notification responses from APNs" and "Handling error responses from APNs".
package enum APNsResponseReason: String, CaseIterable, BitwiseCopyable, Error {
    case badCollapseID = "BadCollapseId"
    case badDeviceToken = "BadDeviceToken"
    case badExpirationDate = "BadExpirationDate"
    case badMessageID = "BadMessageId"
    case badPriority = "BadPriority"
    case badTopic = "BadTopic"
    case deviceTokenNotForTopic = "DeviceTokenNotForTopic"
    case duplicateHeaders = "DuplicateHeaders"
    case idleTimeout = "IdleTimeout"
    case invalidPushType = "InvalidPushType"
    case missingDeviceToken = "MissingDeviceToken"
    case missingTopic = "MissingTopic"
    case payloadEmpty = "PayloadEmpty"
    case topicDisallowed = "TopicDisallowed"
    case badCertificate = "BadCertificate"
    case badCertificateEnvironment = "BadCertificateEnvironment"
    case expiredProviderToken = "ExpiredProviderToken"
    case forbidden = "Forbidden"
    case invalidProviderToken = "InvalidProviderToken"
    case missingProviderToken = "MissingProviderToken"
    case unrelatedKeyIDInToken = "UnrelatedKeyIdInToken"
    case badEnvironmentKeyIDInToken = "BadEnvironmentKeyIdInToken"
    case badPath = "BadPath"
    case methodNotAllowed = "MethodNotAllowed"
    case expiredToken = "ExpiredToken"
    case unregistered = "Unregistered"
    case payloadTooLarge = "PayloadTooLarge"
    case tooManyProviderTokenUpdates = "TooManyProviderTokenUpdates"
    case tooManyRequests = "TooManyRequests"
    case internalServerError = "InternalServerError"
    case serviceUnavailable = "ServiceUnavailable"
    case shutdown = "Shutdown"

    // Of broadcast channels alone.
    case featureNotEnabled = "FeatureNotEnabled"
    case missingChannelID = "MissingChannelId"
    case badChannelID = "BadChannelId"
    case channelNotRegistered = "ChannelNotRegistered"
    case badRequestParameters = "BadRequestParams"
    case badRequestPayload = "BadRequestPayload"
    case missingPushType = "MissingPushType"
    case cannotCreateChannelConfiguration = "CannotCreateChannelConfig"
    case topicMismatch = "TopicMismatch"
    /// Apple's page has it with a space.
    case broadcastServiceUnavailable = "Service Unavailable"

    /// The HTTP status that carries the reason.
    package var status: Int {
        switch self {
        case .badCollapseID, .badDeviceToken, .badExpirationDate, .badMessageID, .badPriority, .badTopic,
            .deviceTokenNotForTopic, .duplicateHeaders, .idleTimeout, .invalidPushType, .missingDeviceToken,
            .missingTopic, .payloadEmpty, .topicDisallowed, .featureNotEnabled, .missingChannelID, .badChannelID,
            .channelNotRegistered, .badRequestParameters, .badRequestPayload, .missingPushType,
            .cannotCreateChannelConfiguration:
            400
        case .badCertificate, .badCertificateEnvironment, .expiredProviderToken, .forbidden, .invalidProviderToken,
            .missingProviderToken, .unrelatedKeyIDInToken, .badEnvironmentKeyIDInToken, .topicMismatch:
            403
        case .badPath: 404
        case .methodNotAllowed: 405
        case .expiredToken, .unregistered: 410
        case .payloadTooLarge: 413
        case .tooManyProviderTokenUpdates, .tooManyRequests: 429
        case .internalServerError: 500
        case .serviceUnavailable, .shutdown, .broadcastServiceUnavailable: 503
        }
    }

    /// The wire's word for a reason of the model.
    package init(_ reason: APNsReason) {
        switch reason {
        case .badDeviceToken: self = .badDeviceToken
        case .deviceTokenNotForTopic: self = .deviceTokenNotForTopic
        case .topicDisallowed: self = .topicDisallowed
        case .expiredProviderToken: self = .expiredProviderToken
        case .forbidden: self = .forbidden
        case .expiredToken: self = .expiredToken
        case .unregistered: self = .unregistered
        case .payloadTooLarge: self = .payloadTooLarge
        case .tooManyRequests: self = .tooManyRequests
        case .internalServerError: self = .internalServerError
        case .serviceUnavailable: self = .serviceUnavailable
        case .shutdown: self = .shutdown
        }
    }

    /// Whether the reason counts as an error of the provider, of which APNs tolerates only a few on a connection.
    ///
    /// Apple excludes status 410; what APNs itself does wrong is not the provider's error either.
    package var isProviderError: Bool { (400..<500).contains(status) && status != 410 && status != 429 }
}

extension APNsReason {
    /// The model's reason for a refusal: that of the same name, or for one that no push of the model can meet that with the
    /// same status and consequences.
    package init(status: Int, reason: String?) {
        if let known = reason.flatMap({ APNsReason(rawValue: $0) }) {
            self = known
            return
        }
        switch status {
        // The provider token is what is wrong, and the next one may be right.
        case 403: self = .expiredProviderToken
        case 410: self = .unregistered
        case 413: self = .payloadTooLarge
        case 429: self = .tooManyRequests
        case 503: self = .serviceUnavailable
        case 500...: self = .internalServerError
        // What else is wrong with this push would be wrong again.
        default: self = .forbidden
        }
    }
}
