import Foundation
import NIOCore

/// The payload of a Live Activity's push, as a phone reads it.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
struct PushDocument: Hashable {
    /// UNIX time [s].
    let timestamp: Int64
    /// Whether it ends the activity.
    let isEnd: Bool
    /// UNIX time [s]; nil where there is none.
    let staleDate: Int64?
    /// What ``MonitorWire`` has put into the content; nil where there is none.
    let generatedAtMicroseconds: Int64?

    /// Reads a payload; nil for what a phone could make nothing of.
    init?(_ payload: ByteBuffer) {
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(payload.readableBytesView)) else {
            return nil
        }
        let aps = document.aps
        guard aps.event == "update" || aps.event == "end" else { return nil }
        // Beyond that it is no time of day in any unit.
        let times = 0...Int64(4_000_000_000_000)
        guard times ~= aps.timestamp, times ~= aps.staleDate ?? 0 else { return nil }
        timestamp = aps.timestamp
        isEnd = aps.event == "end"
        staleDate = aps.staleDate
        let generated = aps.contentState?.generatedAtMicroseconds
        guard 0...times.upperBound * 1_000_000 ~= generated ?? 0 else { return nil }
        generatedAtMicroseconds = generated
        // An end may come without any content, an update is nothing else.
        guard isEnd || generatedAtMicroseconds != nil else { return nil }
    }

    private struct Document: Decodable {
        let aps: APS
    }

    private struct APS: Decodable {
        let timestamp: Int64
        let event: String
        let staleDate: Int64?
        let contentState: ContentState?

        enum CodingKeys: String, CodingKey {
            case timestamp
            case event
            case staleDate = "stale-date"
            case contentState = "content-state"
        }
    }

    private struct ContentState: Decodable {
        let generatedAtMicroseconds: Int64?

        enum CodingKeys: String, CodingKey {
            case generatedAtMicroseconds = "generated_at_us"
        }
    }
}
