/// The header fields of one request that mean something to APNs, each under its name without `apns-`.
///
/// Fields are told one by one in the order of the wire; others are ignored, as real clients send `user-agent`, `accept`
/// and more. `:authority` and `host` are both welcome: Apple's own sample has `host` alone.
package struct RequestFields: Sendable {
    /// The HTTP method; empty without one, and the last one of several.
    package private(set) var method = ""
    /// The request's path; empty without one, and the last one of several.
    package private(set) var path = ""
    /// The provider token with its scheme, as it came; nil without the field.
    package private(set) var authorization: String?
    /// The push type; nil without the field.
    package private(set) var pushType: String?
    /// The topic; nil without the field.
    package private(set) var topic: String?
    /// The priority, as text; nil without the field.
    package private(set) var priority: String?
    /// When the push expires, as text in seconds of UNIX time; nil without the field.
    package private(set) var expiration: String?
    /// The push's id; nil without the field.
    package private(set) var id: String?
    /// The request's id; nil without the field.
    package private(set) var requestID: String?
    /// The id under which pushes replace each other; nil without the field.
    package private(set) var collapseID: String?
    /// The id of the broadcast channel; nil without the field.
    package private(set) var channelID: String?
    /// How the body is encoded (`content-encoding`); nil without the field.
    package private(set) var contentEncoding: String?
    /// Whether a field of APNs was given twice.
    package private(set) var hasDuplicates = false

    /// No field yet.
    package init() {}

    /// Takes one field as it came over the wire; its name in lowercase, as HTTP/2 has it.
    package mutating func take(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        guard RequestFields.lengths.contains(name.count) else { return }
        take(name: String(decoding: name, as: UTF8.self), value: String(decoding: value, as: UTF8.self))
    }

    /// How long a name is that means something.
    private static var lengths: ClosedRange<Int> { 5...16 }

    /// Takes one field; its name in lowercase, as HTTP/2 has it.
    package mutating func take(name: String, value: String) {
        // The length tells most names apart, and costs less than a comparison.
        switch (name.utf8.count, name) {
        case (5, ":path"): path = value
        case (7, ":method"): method = value
        case (7, "apns-id"): RequestFields.set(&id, value, &hasDuplicates)
        case (10, "apns-topic"): RequestFields.set(&topic, value, &hasDuplicates)
        case (14, "apns-push-type"): RequestFields.set(&pushType, value, &hasDuplicates)
        case (13, "apns-priority"): RequestFields.set(&priority, value, &hasDuplicates)
        case (15, "apns-expiration"): RequestFields.set(&expiration, value, &hasDuplicates)
        case (16, "apns-collapse-id"): RequestFields.set(&collapseID, value, &hasDuplicates)
        case (15, "apns-channel-id"): RequestFields.set(&channelID, value, &hasDuplicates)
        case (15, "apns-request-id"): RequestFields.set(&requestID, value, &hasDuplicates)
        case (13, "authorization"): RequestFields.set(&authorization, value, &hasDuplicates)
        case (16, "content-encoding"): RequestFields.set(&contentEncoding, value, &hasDuplicates)
        default: break
        }
    }

    @inline(__always)
    private static func set(_ field: inout String?, _ value: String, _ hasDuplicates: inout Bool) {
        if field != nil { hasDuplicates = true }
        field = value
    }
}
