import Foundation
import NIOCore

/// The payload of a Live Activity push, as the gateway writes it.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
struct ActivityDocument: Encodable {
    private struct Alert: Encodable {
        let title: String
        let body: String
    }

    private struct Content: Encodable {
        let timestamp: Int64
        let event: String
        var contentState: JSONPiece?
        var attributesType: String?
        var attributes: JSONPiece?
        var alert: Alert?

        enum CodingKeys: String, CodingKey {
            case timestamp, event, attributes, alert
            case contentState = "content-state"
            case attributesType = "attributes-type"
        }
    }

    private let aps: Content

    /// The document of a push.
    ///
    /// - Parameter timestamp: When its content is made [UNIX s].
    init(_ event: NetmeraPush.Event, timestamp: Int64) {
        switch event {
        case .start(let start):
            var content = Content(timestamp: timestamp, event: "start", contentState: start.contentState)
            content.attributesType = start.attributesType
            content.attributes = start.attributes
            // A start must alert.
            content.alert = Alert(title: start.title ?? "", body: start.text ?? "")
            aps = content
        case .update(let state):
            aps = Content(timestamp: timestamp, event: "update", contentState: state)
        case .end(let state):
            aps = Content(timestamp: timestamp, event: "end", contentState: state)
        }
    }

    /// The bytes of it.
    func bytes() throws -> ByteBuffer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return ByteBuffer(bytes: try encoder.encode(self))
    }
}
