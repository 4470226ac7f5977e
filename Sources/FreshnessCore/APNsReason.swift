/// Why APNs refuses a push: the reasons of Apple's table that a push of this model can meet.
///
/// Source: Apple, "Handling notification responses from APNs".
public enum APNsReason: String, CaseIterable, BitwiseCopyable, Sendable {
    /// 400: the token is malformed or belongs to the other environment.
    case badDeviceToken = "BadDeviceToken"
    /// 400: the token belongs to another topic.
    case deviceTokenNotForTopic = "DeviceTokenNotForTopic"
    /// 400: pushing to this topic is not allowed.
    case topicDisallowed = "TopicDisallowed"
    /// 403: the server's token is out of date.
    case expiredProviderToken = "ExpiredProviderToken"
    /// 403: the action is not allowed.
    case forbidden = "Forbidden"
    /// 410: the device token has expired.
    case expiredToken = "ExpiredToken"
    /// 410: the device token is inactive for the topic.
    case unregistered = "Unregistered"
    /// 413: the payload is too large.
    case payloadTooLarge = "PayloadTooLarge"
    /// 429: too many requests to one device token.
    case tooManyRequests = "TooManyRequests"
    /// 500: an error inside APNs.
    case internalServerError = "InternalServerError"
    /// 503: APNs is unavailable.
    case serviceUnavailable = "ServiceUnavailable"
    /// 503: APNs is shutting down.
    case shutdown = "Shutdown"

    /// The HTTP status that carries the reason.
    public var status: Int {
        switch self {
        case .badDeviceToken, .deviceTokenNotForTopic, .topicDisallowed: 400
        case .expiredProviderToken, .forbidden: 403
        case .expiredToken, .unregistered: 410
        case .payloadTooLarge: 413
        case .tooManyRequests: 429
        case .internalServerError: 500
        case .serviceUnavailable, .shutdown: 503
        }
    }

    /// What the reason means for the push that was refused and for its token.
    public var verdict: APNsVerdict {
        switch self {
        case .badDeviceToken, .deviceTokenNotForTopic, .expiredToken, .unregistered: .tokenIsDead
        case .forbidden, .payloadTooLarge: .neverRetry
        case .tooManyRequests, .internalServerError, .serviceUnavailable, .shutdown: .retryLater
        case .topicDisallowed, .expiredProviderToken: .retryAfterRepair
        }
    }
}

/// What a refusal asks of the sender.
///
/// Apple's page names six reasons after which a push must never be sent again. Four of them condemn the token, two only
/// the push.
public enum APNsVerdict: Hashable, Sendable {
    /// The token is of no use any more: discard it.
    case tokenIsDead
    /// This push would be refused again: do not repeat it.
    case neverRetry
    /// The service is busy or broken; Apple's page speaks of 15 minutes after a 5xx.
    case retryLater
    /// The server has to correct its request or its credentials first; the next attempt may already be good.
    case retryAfterRepair
}
