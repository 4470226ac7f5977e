import TextFormats

/// The body of a rejection by APNs, written and read: `{"reason":"…"}`, with a `timestamp` in milliseconds for status
/// 410.
///
/// Source: Apple, "Handling notification responses from APNs".
package struct RefusalBody: Hashable, Sendable {
    /// The reason in APNs' spelling; `nil` if the body has no readable one.
    package let reason: String?
    /// The time at which APNs found the token invalid [ms since 1970].
    package let timestampMilliseconds: Int64?

    /// The maximum size of a body [bytes].
    ///
    /// No body of APNs is nearly as long.
    package static var largestByteCount: Int { 4096 }

    /// Returns a body; the time at which the token was found invalid is optional.
    package static func text(_ reason: APNsResponseReason, timestampMilliseconds: Int64? = nil) -> String {
        var json = JSONText()
        json.add("reason", reason.text)
        json.add("timestamp", timestampMilliseconds)
        return json.document
    }

    /// Reads a body; an unreadable body has no reason.
    package init(_ body: [UInt8]) {
        let json = try? JSONMembers(body)
        reason = json?["reason"]?.text
        timestampMilliseconds = json?["timestamp"]?.integer()
    }
}
