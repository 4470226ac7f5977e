import FreshnessCore
public import LiveActivityModel
import Quantities

/// Writes the payload of a push: the `aps` dictionary of a Live Activity, as long as the model says.
///
/// Written by hand, byte by byte, because thousands are needed a second and all have this one shape:
///
/// ```
/// {"aps":{"timestamp":…,"event":"update","stale-date":…,"content-state":{"g":…}},"p":"…"}
/// ```
///
/// `g` is the instant at which the content was generated [µs since the start of the run]; `p` fills up to the length.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
public struct LivePayload: Sendable {
    private let clock: LiveClock

    /// Payloads of a run.
    public init(_ clock: LiveClock) {
        self.clock = clock
    }

    /// Appends the payload of a request.
    public func append(_ request: OutgoingRequest, to bytes: inout ContiguousArray<UInt8>) {
        let start = bytes.count
        bytes.append("{\"aps\":{\"timestamp\":")
        // Stamps count from the start of the run, those in milliseconds by mistake a thousand times too fast.
        bytes.append(decimal: (clock.epochMicroseconds &+ request.timestamp) / 1_000_000)
        switch request.kind {
        case .update, .retry: bytes.append(",\"event\":\"update\"")
        case .end: bytes.append(",\"event\":\"end\"")
        case .start:
            bytes.append(
                ",\"event\":\"start\",\"attributes-type\":\"Ride\",\"attributes\":{},"
                    + "\"alert\":{\"title\":\"Ride\",\"body\":\"Requested\"}"
            )
        }
        if request.content.staleDate != .never {
            bytes.append(",\"stale-date\":")
            bytes.append(decimal: clock.unixSeconds(request.content.staleDate))
        }
        bytes.append(",\"content-state\":{\"g\":")
        bytes.append(decimal: request.content.generatedAt.microseconds)
        bytes.append("}},\"p\":\"")
        let filler = request.bytes - (bytes.count - start) - 2
        if filler > 0 {
            bytes.append(contentsOf: repeatElement(0x78, count: filler))
        }
        bytes.append("\"}")
    }
}

extension ContiguousArray<UInt8> {
    fileprivate mutating func append(_ text: String) {
        append(contentsOf: text.utf8)
    }

    fileprivate mutating func append(decimal number: Int64) {
        append(contentsOf: String(number).utf8)
    }
}
