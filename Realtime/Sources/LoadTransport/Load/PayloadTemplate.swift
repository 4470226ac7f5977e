public import NIOCore

/// What pushes of a load carry.
public struct PayloadTemplate: Hashable, Sendable {
    private let head: String
    private let tail: String
    /// Whether the current time stands between head and tail.
    private let hasTimestamp: Bool

    /// An update of a Live Activity with the time of sending and as much content as makes it so long.
    ///
    /// - Parameter byteCount: How long the document is; the least that an update needs where that is more.
    public static func update(byteCount: Int) -> PayloadTemplate {
        let head = #"{"aps":{"event":"update","timestamp":"#
        let content = #","content-state":{"text":""#
        let end = #""}}}"#
        // A UNIX time has ten digits until 2286.
        let filler = String(repeating: "x", count: max(0, byteCount - head.count - 10 - content.count - end.count))
        return PayloadTemplate(head: head, tail: content + filler + end, hasTimestamp: true)
    }

    /// A document as it stands.
    public static func document(_ text: String) -> PayloadTemplate {
        PayloadTemplate(head: text, tail: "", hasTimestamp: false)
    }

    /// The document at a time [s since 1970].
    public func payload(unixSeconds: Int64) -> ByteBuffer {
        ByteBuffer(string: hasTimestamp ? "\(head)\(unixSeconds)\(tail)" : head)
    }
}
