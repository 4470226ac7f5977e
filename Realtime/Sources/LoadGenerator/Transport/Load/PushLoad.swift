import FreshnessCore
import LiveActivityModel
package import NIOCore
package import Wire

/// A load on an APNs endpoint.
package struct PushLoad: Hashable, Sendable {
    /// The length of the longest payload that is sent [bytes].
    package static let largestPayload = 1_048_576

    /// The due times of pushes; a replay also has their tokens, kinds, priorities and lengths.
    package var schedule: LoadSchedule
    /// The number of made-up device tokens, which take turns.
    package var tokens: Int
    /// The device tokens that take turns; empty: ``tokens`` made-up ones.
    package var ownTokens: [DeviceToken] = []
    /// `apns-topic`.
    package var topic = "com.example.rider.push-type.liveactivity"
    /// `apns-priority`.
    package var priority = 10
    /// `true` if pushes and answers are kept as rows of an event log.
    package var isLogged = false
    /// The payload of pushes.
    package var payload = PayloadTemplate.update(byteCount: 500)

    /// A load with defaults.
    package init(_ schedule: LoadSchedule, tokens: Int = 100_000) { (self.schedule, self.tokens) = (schedule, tokens) }
}

/// The template of the payloads of a load.
package enum PayloadTemplate: Hashable, Sendable {
    /// An update of a Live Activity with a timestamp, padded to a length [bytes], or longer if an update needs more.
    case update(byteCount: Int)
    /// A user's document, whose dates are set for each push.
    case document(PayloadDocument)

    /// `true` if each push gets a timestamp of its own.
    package var isStamped: Bool {
        switch self {
        case .update: true
        case .document(let document): document.isStamped
        }
    }

    /// The document with a timestamp [s since 1970].
    package func payload(unixSeconds: Int64) -> ByteBuffer {
        switch self {
        case .update(let byteCount):
            let (time, empty) = (Double(unixSeconds), Array("{}".utf8))
            let payload = ActivityPayload(timestamp: time, event: .update, contentState: empty)
            return ByteBuffer(bytes: payload.bytes(filledTo: byteCount))
        case .document(let document):
            return ByteBuffer(bytes: document.bytes(timestamp: unixSeconds))
        }
    }

    /// The document of a push of a log with a timestamp: an update, an end or a start, with the log's length if it has one.
    func payload(of push: ReplayPush, unixSeconds: Int64) -> ByteBuffer {
        guard case .update(let byteCount) = self else { return payload(unixSeconds: unixSeconds) }
        let payload = ActivityPayload(
            timestamp: Double(unixSeconds),
            event: LivePayload.event(of: push.kind),
            alert: push.kind == .start ? LivePayload.startAlert : nil,
            contentState: Array("{}".utf8),
            start: push.kind == .start ? LivePayload.start(.token) : nil
        )
        return ByteBuffer(bytes: payload.bytes(filledTo: push.payloadBytes > 0 ? Int(push.payloadBytes) : byteCount))
    }
}
