/// Why APNs refuses a push: the reasons of Apple's table that a push of this model can meet.
///
/// Source: Apple, "Handling notification responses from APNs".
public enum APNsReason: String, CaseIterable, Sendable {
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
}
