import TextFormats

/// The body of APNs' refusal, written and read: `{"reason":"…"}`, with a `timestamp` in milliseconds where the status is 410.
///
/// Source: Apple, "Handling notification responses from APNs".
package struct RefusalBody: Hashable, Sendable {
    /// The reason as APNs spells it; nil: there is none that can be read.
    package let reason: String?
    /// When APNs found the token invalid [ms since 1970].
    package let timestampMilliseconds: Int64?

    /// No body that APNs sends is nearly as long [bytes].
    package static var largestByteCount: Int { 4096 }

    /// Writes a body; the time at which the token was found invalid may be left out.
    package static func text(_ reason: APNsResponseReason, timestampMilliseconds: Int64? = nil) -> String {
        var json = JSONText()
        json.add("reason", reason.text)
        json.add("timestamp", timestampMilliseconds)
        return json.document
    }

    /// Reads a body; what cannot be read is no reason.
    package init(_ body: [UInt8]) {
        let json = try? JSONMembers(body)
        reason = json?["reason"]?.text
        timestampMilliseconds = json?["timestamp"]?.integer()
    }
}
