import APNsProtocol
import FreshnessCore
import Hummingbird
import NIOCore
import Quantities
import TextFormats

/// The members of a request's body, each read by its rule.
struct RequestBody {
    private let json: JSONMembers

    /// Reads a body.
    ///
    /// - Parameters:
    ///   - limit: The most bytes.
    ///   - fields: The names that may come.
    init(_ request: Request, limit: Int, fields: [String]) async throws {
        if let text = request.headers[.contentLength], let length = Int(text), length > limit {
            throw RequestBody.tooLarge("\(length) bytes", limit)
        }
        var bytes: [UInt8] = []
        do {
            bytes = Array(buffer: try await request.body.collect(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw RequestBody.tooLarge("more", limit)
        }
        try self.init(bytes.isEmpty ? Array("{}".utf8) : bytes, fields: fields)
    }

    init(_ bytes: [UInt8], fields: [String]) throws(RequestProblem) {
        do throws(JSONMembers.Malformed) {
            json = try JSONMembers(bytes)
        } catch {
            throw RequestProblem(
                .badRequest,
                what: "body, byte \(error.offset)",
                got: "something else",
                allowed: error.expected
            )
        }
        if let unknown = json.members.first(where: { !fields.contains($0.name) }) {
            throw RequestProblem(
                .badRequest,
                what: "an unknown field",
                got: String(unknown.name.prefix(32)),
                allowed: fields.joined(separator: ", ")
            )
        }
    }

    private static func tooLarge(_ got: String, _ limit: Int) -> RequestProblem {
        RequestProblem(.contentTooLarge, what: "body", got: got, allowed: "at most \(limit) bytes")
    }

    /// A value; nil if it is not there.
    private func optional<Value>(
        _ name: String,
        allowed: String,
        _ read: (JSONMembers.Value) -> Value?
    ) throws(RequestProblem) -> Value? {
        guard let value = json[name], value != .null else { return nil }
        guard let read = read(value) else {
            throw RequestProblem(.badRequest, what: "field \(name)", got: value.kind, allowed: allowed)
        }
        return read
    }

    private func required<Value>(_ name: String, allowed: String, _ value: Value?) throws(RequestProblem) -> Value {
        guard let value else {
            throw RequestProblem(.badRequest, what: "field \(name)", got: "nothing", allowed: allowed)
        }
        return value
    }

    // MARK: - Fields

    func token() throws(RequestProblem) -> DeviceToken {
        let allowed = "an even number of hexadecimal digits, 2 to \(2 * DeviceToken.largestByteCount)"
        let token = try optional("token", allowed: allowed) { value in
            if case .string(let digits) = value { DeviceToken(hexadecimal: digits.utf8) } else { nil }
        }
        return try required("token", allowed: allowed, token)
    }

    /// When content was generated, if the body says so.
    func generatedAt() throws(RequestProblem) -> Instant? {
        let latest = Int64(8_000_000_000_000_000)
        return try optional("generated_at_us", allowed: "microseconds of UNIX time, 0 to \(latest)") { value in
            guard case .number(let text) = value, let microseconds = Int64(text), 0...latest ~= microseconds else {
                return nil
            }
            return Instant(microseconds: microseconds)
        }
    }

    /// UNIX seconds, whole or not, if they are there.
    func seconds(_ name: String) throws(RequestProblem) -> Double? {
        let latest = 8e9
        return try optional(name, allowed: "seconds of UNIX time, 0 to 8000000000") { value in
            guard case .number(let text) = value, let seconds = Double(text), 0...latest ~= seconds else { return nil }
            return seconds
        }
    }

    func staleDate() throws(RequestProblem) -> Instant? {
        try seconds("stale_date").map { Instant(microseconds: Int64(($0 * 1e6).rounded())) }
    }

    func renewal() throws(RequestProblem) -> TimeSpan? {
        try optional("renewable_for_s", allowed: "seconds, above 0, at most 86400") { value in
            guard case .number(let text) = value, let seconds = Double(text), seconds > 0, seconds <= 86_400 else {
                return nil
            }
            return TimeSpan(microseconds: Int64((seconds * 1e6).rounded()))
        }
    }

    func priority() throws(RequestProblem) -> PushPriority {
        try optional("priority", allowed: "5 or 10") { value in
            guard case .number(let text) = value else { return nil }
            return Int(text).flatMap { PushPriority(rawValue: $0) }
        } ?? .immediate
    }

    func contentState() throws(RequestProblem) -> [UInt8] {
        let room = PushPayload.limit - PushPayload.frameLimit
        let allowed = "an object of at most \(room) bytes, for which a payload has room"
        let state = try optional("content_state", allowed: allowed) { value -> [UInt8]? in
            if case .object(let bytes) = value, bytes.count <= room { bytes } else { nil }
        }
        return try required("content_state", allowed: allowed, state)
    }
}
