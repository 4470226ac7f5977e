public import NIOCore
import Wire

/// What pushes of a load carry.
public enum PayloadTemplate: Hashable, Sendable {
    /// An update of a Live Activity with the time of sending, and as much content as makes it so long [bytes]; it is longer
    /// where an update needs more.
    case update(byteCount: Int)
    /// A document as it stands.
    case document(String)

    /// The document at a time [s since 1970].
    public func payload(unixSeconds: Int64) -> ByteBuffer {
        switch self {
        case .update(let byteCount):
            let payload = ActivityPayload(
                timestamp: Double(unixSeconds),
                event: "update",
                contentState: Array("{}".utf8)
            )
            return ByteBuffer(bytes: payload.bytes(filledTo: byteCount))
        case .document(let text):
            return ByteBuffer(string: text)
        }
    }
}
