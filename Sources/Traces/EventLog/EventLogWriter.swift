import FreshnessCore
public import LiveActivityModel
import Quantities
import SimulationKernel

/// Writes rows of an event log as text.
///
/// Rows have only what a server can know, and no token. Without `hashKey`, a ride has the number of the run; with it, a hash of
/// the number.
public struct EventLogWriter: Sendable {
    /// The form of a log.
    public enum Form: String, CaseIterable, Sendable {
        /// One JSON object a line.
        case ndjson
        /// Comma-separated values with a header.
        case csv
    }

    private let form: Form
    /// The names of the stages, ready to print.
    private let stages: Words
    /// The time of day at which the run starts [µs].
    private let origin: Int64
    private let hashKey: UInt64?
    private let events: Words
    private let kinds: Words
    private let reasons: Words

    /// Words in one piece of memory: to take one out counts no references.
    struct Words: Sendable {
        fileprivate let bytes: [UInt8]
        fileprivate let bounds: [Int]

        init(_ words: [[UInt8]]) {
            bytes = words.flatMap(\.self)
            bounds = words.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        }

        /// The number of words.
        var count: Int { bounds.count - 1 }
    }

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - stages: The names of the scenario's stages.
    ///   - origin: The start of the run on the log's axis: its time of day [µs].
    ///   - hashKey: The key of the hashes of rides; nil to write their numbers.
    public init(_ form: Form, stages: [String], origin: Int64, hashKey: UInt64? = nil) {
        self.form = form
        self.stages = Words(stages.map { form == .csv ? Self.csv($0) : Self.json($0) })
        self.origin = origin
        self.hashKey = hashKey
        events = Words(LogEvent.Kind.allCases.map { Array($0.word.utf8) })
        kinds = Words(StoryLine.PushKind.allCases.map { Array($0.word.utf8) })
        reasons = Words(APNsReason.allCases.map { Array($0.rawValue.utf8) })
    }

    private static func csv(_ text: String) -> [UInt8] {
        text.utf8.contains(where: { ",\"\n\r".utf8.contains($0) })
            ? Array("\"\(text.replacing("\"", with: "\"\""))\"".utf8) : Array(text.utf8)
    }

    private static func json(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte < 0x20 ? UInt8(ascii: " ") : byte)
        }
        return bytes
    }

    /// The columns of a CSV log.
    static let columns = [
        "at_us", "event", "ride", "push", "kind", "priority", "attempt", "stage", "generated_us", "stale_us", "status",
        "reason", "outcome", "payload_bytes",
    ]

    /// Appends the first line, if there is one.
    public func writeHeader(to text: inout EventLogText) {
        guard form == .csv else { return }
        Array((Self.columns.joined(separator: ",") + "\n").utf8).withUnsafeBufferPointer { text.put($0) }
    }

    /// The length of the names of fields and the numbers of a row, at most [bytes].
    private static let longestRest = 512
    /// The length of a row, at most [bytes].
    public var longestRow: Int { Self.longestRest + stages.bytes.count }

    /// Appends a row.
    ///
    /// - Precondition: The text has room for ``longestRow`` bytes.
    public func write(_ event: ServerEvent, to text: inout EventLogText) {
        switch form {
        case .ndjson: writeJSON(event, to: &text)
        case .csv: writeCSV(event, to: &text)
        }
    }

    private func writeJSON(_ event: ServerEvent, to text: inout EventLogText) {
        text.put("{\"at_us\":")
        text.put(origin &+ event.at.microseconds)
        text.put(",\"event\":\"")
        text.put(events, Int(event.kind.rawValue))
        text.put("\",\"ride\":\"")
        putRide(event.ride, to: &text)
        switch event.kind {
        case .stage:
            text.put("\",\"stage\":\"")
            if Int(event.stage) < stages.count { text.put(stages, Int(event.stage)) }
        case .rideEnded:
            text.put(event.isCancelled ? "\",\"outcome\":\"cancelled" : "\",\"outcome\":\"completed")
        case .push, .answer, .shown:
            text.put("\",\"push\":\"")
            putPush(event, to: &text)
        default: break
        }
        text.put("\"")
        if event.kind == .activityStarted { putStaleDate(event, to: &text) }
        if event.kind == .push {
            text.put(",\"kind\":\"")
            text.put(kinds, Int(event.pushKind.rawValue))
            text.put("\",\"priority\":")
            text.put(Int64(event.priority))
            text.put(",\"attempt\":")
            text.put(Int64(event.attempt))
            if event.generatedAt != .never {
                text.put(",\"generated_us\":")
                text.put(origin &+ event.generatedAt.microseconds)
            }
            putStaleDate(event, to: &text)
            if event.payloadBytes > 0 {
                text.put(",\"payload_bytes\":")
                text.put(Int64(event.payloadBytes))
            }
        } else if event.kind == .answer {
            text.put(",\"status\":")
            text.put(Int64(event.status))
            if event.reason != 255 {
                text.put(",\"reason\":\"")
                text.put(reasons, Int(event.reason))
                text.put("\"")
            }
        }
        text.put("}\n")
    }

    private func putStaleDate(_ event: ServerEvent, to text: inout EventLogText) {
        guard event.staleDate != .never else { return }
        text.put(",\"stale_us\":")
        text.put(origin &+ event.staleDate.microseconds)
    }

    private func writeCSV(_ event: ServerEvent, to text: inout EventLogText) {
        let isPush = event.kind == .push
        text.put(origin &+ event.at.microseconds)
        text.put(",")
        text.put(events, Int(event.kind.rawValue))
        text.put(",")
        putRide(event.ride, to: &text)
        text.put(",")
        if isPush || event.kind == .answer || event.kind == .shown { putPush(event, to: &text) }
        text.put(",")
        if isPush { text.put(kinds, Int(event.pushKind.rawValue)) }
        text.put(",")
        if isPush { text.put(Int64(event.priority)) }
        text.put(",")
        if isPush { text.put(Int64(event.attempt)) }
        text.put(",")
        if event.kind == .stage, Int(event.stage) < stages.count { text.put(stages, Int(event.stage)) }
        text.put(",")
        if isPush, event.generatedAt != .never { text.put(origin &+ event.generatedAt.microseconds) }
        text.put(",")
        if isPush || event.kind == .activityStarted, event.staleDate != .never {
            text.put(origin &+ event.staleDate.microseconds)
        }
        text.put(",")
        if event.kind == .answer { text.put(Int64(event.status)) }
        text.put(",")
        if event.kind == .answer, event.reason != 255 { text.put(reasons, Int(event.reason)) }
        text.put(",")
        if event.kind == .rideEnded { text.put(event.isCancelled ? "cancelled" : "completed") }
        text.put(",")
        if isPush, event.payloadBytes > 0 { text.put(Int64(event.payloadBytes)) }
        text.put("\n")
    }

    private func putRide(_ ride: UInt64, to text: inout EventLogText) {
        guard let hashKey else {
            text.put(ride)
            return
        }
        text.putHexadecimal(Self.mixed(ride, hashKey))
    }

    /// Writes the name of a request: its ride and its index among the requests of the ride.
    private func putPush(_ event: ServerEvent, to text: inout EventLogText) {
        if let hashKey {
            text.putHexadecimal(Self.mixed(event.ride, hashKey) &+ Self.mixed(UInt64(event.push), hashKey))
        } else {
            putRide(event.ride, to: &text)
            text.put("-")
            text.put(Int64(event.push))
        }
    }

    /// A hash of a number; two rounds of SplitMix64's finalizer with a key between them.
    private static func mixed(_ number: UInt64, _ key: UInt64) -> UInt64 {
        func mix(_ value: UInt64) -> UInt64 {
            var value = value
            value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
            return value ^ value >> 31
        }
        return mix(mix(number &+ 0x9E37_79B9_7F4A_7C15) ^ key)
    }
}

extension EventLogText {
    /// Appends one of several words.
    @inline(__always)
    fileprivate mutating func put(_ words: EventLogWriter.Words, _ index: Int) {
        let range = words.bounds[index]..<words.bounds[index + 1]
        words.bytes.withUnsafeBufferPointer { put(UnsafeBufferPointer(rebasing: $0[range])) }
    }
}
