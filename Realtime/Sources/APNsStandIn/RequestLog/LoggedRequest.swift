import Foundation
import NIOCore
import TextFormats
import Wire

/// The head of a request in the log.
struct LoggedHead: Sendable {
    let method: String
    let path: String
    /// The device token as the provider wrote it; `nil` for a path without one.
    let token: String?
    /// Names and values in the order of the wire; a repeated name is listed once, with all values.
    private(set) var headers: [(name: String, value: String)] = []

    /// Creates a head from fields.
    ///
    /// The signature of a provider token is removed: a reader of the log could push with it.
    init(_ fields: [(name: String, value: String)]) {
        method = fields.last { $0.name == ":method" }?.value ?? ""
        path = fields.last { $0.name == ":path" }?.value ?? ""
        let prefix = "/3/device/"
        token = path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count).prefix { $0 != "?" }) : nil
        for (name, value) in fields where ![":method", ":path", ":scheme"].contains(name) {
            let value = name == "authorization" ? LoggedHead.withoutSignature(value) : value
            if let place = headers.firstIndex(where: { $0.name == name }) {
                headers[place].value += ", " + value
            } else {
                headers.append((name, value))
            }
        }
    }

    /// The size of its text [bytes].
    var byteCount: Int { headers.reduce(path.utf8.count) { $0 + $1.name.utf8.count + $1.value.utf8.count } }

    private static func withoutSignature(_ authorization: String) -> String {
        let parts = authorization.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 ? "\(parts[0]).\(parts[1]).…" : "…"
    }
}

/// A request in the log, with its outcome as far as that is known.
///
/// ```
///   awaits answer ────answered, unanswered──┐
///   awaits fate ──────settled, refused──────┴──► closed: nothing more happens to it
/// ```
struct LoggedRequest: Sendable {
    /// The moment at which all of it had come in [UNIX µs].
    let time: Int64
    let head: LoggedHead
    /// The `apns-id` of the answer.
    let id: ResponseID
    /// The length of the body [bytes].
    let bodyBytes: Int
    /// The body; `nil` if it is too long.
    let payload: ByteBuffer?

    private(set) var status: Int?
    private(set) var reason: APNsResponseReason?
    private(set) var effect: String?
    private var awaitsResponse = true
    private var awaitsFate = true

    init(time: Int64, head: LoggedHead, id: ResponseID, bodyBytes: Int, payload: ByteBuffer?) {
        self.time = time
        self.head = head
        self.id = id
        self.bodyBytes = bodyBytes
        self.payload = payload
    }

    /// `true` if nothing more happens to it.
    var isClosed: Bool { !awaitsResponse && !awaitsFate }

    /// The approximate size in memory [bytes].
    var byteCount: Int { 256 + head.byteCount + (payload?.readableBytes ?? 0) }

    /// Records an answer; a request that APNs rejects has no effect.
    mutating func answered(status: Int, reason: APNsResponseReason?) {
        (self.status, self.reason) = (status, reason)
        awaitsResponse = false
        if reason != nil { awaitsFate = false }
    }

    /// Records that no answer is ever sent.
    mutating func unanswered() { awaitsResponse = false }

    /// Records the effect of the push; `nil` if it never reaches a phone.
    mutating func settled(_ effect: String?) {
        self.effect = effect
        awaitsFate = false
    }

    /// Closes the entry: later outcomes are ignored.
    mutating func close() { (awaitsResponse, awaitsFate) = (false, false) }

    /// The line of the log, without its newline: a JSON object without unknown members.
    var line: String {
        var json = JSONText()
        json.add("time", LoggedRequest.text(ofTime: time))
        json.add("method", head.method)
        json.add("path", head.path)
        json.add("token", head.token)
        json.add("apns_id", id.text)
        json.begin("headers")
        for (name, value) in head.headers { json.add(name, value) }
        json.end()
        json.add("payload_bytes", bodyBytes)
        if let payload {
            if let text = payload.validatedText {
                json.add("payload", text)
            } else {
                var text: [UInt8] = []
                payload.withUnsafeReadableBytes { Base64Text.append($0, to: &text) }
                json.add("payload_base64", String(decoding: text, as: UTF8.self))
            }
        }
        json.add("status", status)
        json.add("reason", reason?.text)
        json.add("effect", effect)
        return json.document
    }

    /// Returns a time in UTC, such as `2026-05-01T12:00:00.250Z`.
    private static func text(ofTime microseconds: Int64) -> String {
        func digits(_ number: some BinaryInteger, _ count: Int = 2) -> String {
            let text = "\(number)"
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        var (seconds, parts) = (time_t(microseconds / 1_000_000), tm())
        gmtime_r(&seconds, &parts)
        let date = "\(digits(parts.tm_year + 1900, 4))-\(digits(parts.tm_mon + 1))-\(digits(parts.tm_mday))"
        let time = "\(digits(parts.tm_hour)):\(digits(parts.tm_min)):\(digits(parts.tm_sec))"
        return "\(date)T\(time).\(digits(microseconds % 1_000_000 / 1000, 3))Z"
    }
}

extension ByteBuffer {
    /// The bytes as text; `nil` if they are not UTF-8.
    fileprivate var validatedText: String? { String(validating: readableBytesView, as: UTF8.self) }
}
