/// The reason for a rejection by APNs: the subset of Apple's table that can occur in this model.
///
/// Source: Apple, "Handling notification responses from APNs".
public enum APNsReason: String, CaseIterable, BitwiseCopyable, Sendable {
    /// 400: the token is malformed or belongs to the other environment.
    case badDeviceToken = "BadDeviceToken"
    /// 400: the token belongs to another topic.
    case deviceTokenNotForTopic = "DeviceTokenNotForTopic"
    /// 400: pushing to this topic is not allowed.
    case topicDisallowed = "TopicDisallowed"
    /// 400: the broadcast channel does not exist, or no longer.
    case channelNotRegistered = "ChannelNotRegistered"
    /// 403: the provider token has expired.
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

    /// The reasons for a push to a token of a phone; a channel has another.
    public static let ofTokens = allCases.filter { $0 != .channelNotRegistered }

    /// The HTTP status that carries the reason.
    public var status: Int {
        switch self {
        case .badDeviceToken, .deviceTokenNotForTopic, .topicDisallowed, .channelNotRegistered: 400
        case .expiredProviderToken, .forbidden: 403
        case .expiredToken, .unregistered: 410
        case .payloadTooLarge: 413
        case .tooManyRequests: 429
        case .internalServerError: 500
        case .serviceUnavailable, .shutdown: 503
        }
    }

    /// The effect of the reason on the rejected push and on its token.
    public var verdict: APNsVerdict {
        switch self {
        case .badDeviceToken, .deviceTokenNotForTopic, .channelNotRegistered, .expiredToken, .unregistered: .tokenIsDead
        case .forbidden, .payloadTooLarge: .neverRetry
        case .tooManyRequests, .internalServerError, .serviceUnavailable, .shutdown: .retryLater
        case .topicDisallowed, .expiredProviderToken: .retryAfterRepair
        }
    }
}

/// The effect of a rejection on the sender's next steps.
///
/// Apple's documentation names six reasons after which a push must never be sent again. Four of them invalidate the
/// token, two only the push.
public enum APNsVerdict: Hashable, Sendable {
    /// The token is no longer valid: discard it.
    case tokenIsDead
    /// This push would be rejected again: do not retry it.
    case neverRetry
    /// The service is overloaded or failing; Apple's documentation recommends 15 minutes after a 5xx.
    case retryLater
    /// The server must first correct its request or its credentials; the next attempt can then succeed.
    case retryAfterRepair
}
