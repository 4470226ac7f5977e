import FreshnessCore
import Quantities

/// The JSON documents of Live Activities' pushes.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
enum PushPayload {
    /// The most bytes that APNs takes.
    static var limit: Int { 4096 }

    /// What a payload has around its content at most: timestamp, stale date and the rest, with some room.
    static var frameLimit: Int { 160 }

    /// An update.
    ///
    /// - Parameter timestamp: UNIX seconds; a phone shows the highest.
    static func update(_ state: [UInt8], timestamp: Int64, staleDate: Instant) -> [UInt8] {
        document(event: "update", state: state, timestamp: timestamp, staleDate: staleDate, dismissalDate: nil)
    }

    /// An end event; it shows the last content once more.
    static func end(_ state: [UInt8]?, timestamp: Int64, dismissalDate: Int64?) -> [UInt8] {
        document(event: "end", state: state, timestamp: timestamp, staleDate: .never, dismissalDate: dismissalDate)
    }

    private static func document(
        event: String,
        state: [UInt8]?,
        timestamp: Int64,
        staleDate: Instant,
        dismissalDate: Int64?
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity((state?.count ?? 0) + frameLimit)
        bytes.append(contentsOf: "{\"aps\":{\"timestamp\":\(timestamp),\"event\":\"\(event)\"".utf8)
        if staleDate != .never {
            bytes.append(contentsOf: ",\"stale-date\":\(staleDate.microseconds / 1_000_000)".utf8)
        }
        if let dismissalDate {
            bytes.append(contentsOf: ",\"dismissal-date\":\(dismissalDate)".utf8)
        }
        if let state {
            bytes.append(contentsOf: ",\"content-state\":".utf8)
            bytes.append(contentsOf: state)
        }
        bytes.append(contentsOf: "}}".utf8)
        return bytes
    }
}
