import FreshnessCore
import Quantities
import TextFormats

/// The members of a request's body, each read by its own rule.
struct MonitorBody {
    private let json: JSONMembers

    /// Reads a body with a set of allowed fields; an empty body has no members.
    init(_ bytes: [UInt8], fields: [String]) throws(MonitorBodyError) {
        do throws(JSONMembers.Malformed) {
            json = try JSONMembers(bytes.isEmpty ? Array("{}".utf8) : bytes)
        } catch {
            let what = "body, byte \(error.offset)"
            throw MonitorBodyError(what: what, got: "something else", allowed: error.expected)
        }
        if let unknown = json.members.first(where: { !fields.contains($0.name) }) {
            throw MonitorBodyError(
                what: "an unknown field",
                got: String(unknown.name.prefix(32)),
                allowed: fields.joined(separator: ", ")
            )
        }
    }

    /// Returns a value; `nil` if it is missing.
    private func optional<Value>(
        _ name: String,
        allowed: String,
        _ read: (JSONMembers.Value) -> Value?
    ) throws(MonitorBodyError) -> Value? {
        guard let value = json[name], value != .null else { return nil }
        guard let read = read(value) else {
            throw MonitorBodyError(what: "field \(name)", got: value.kind, allowed: allowed)
        }
        return read
    }

    private func required<Value>(_ name: String, allowed: String, _ value: Value?) throws(MonitorBodyError) -> Value {
        guard let value else { throw MonitorBodyError(what: "field \(name)", got: "nothing", allowed: allowed) }
        return value
    }

    func token() throws(MonitorBodyError) -> DeviceToken {
        let allowed = "an even number of hexadecimal digits, 2 to \(2 * DeviceToken.largestByteCount)"
        let token = try optional("token", allowed: allowed) { value in
            if case .string(let digits) = value { DeviceToken(hexadecimal: digits.utf8) } else { nil }
        }
        return try required("token", allowed: allowed, token)
    }

    /// Returns the generation time of the content, if the body has it.
    func generatedAt() throws(MonitorBodyError) -> Instant? {
        let latest = ContentAnnouncement.latestInstant
        return try optional("generated_at_us", allowed: "microseconds of UNIX time, 0 to \(latest)") { value in
            guard case .number(let text) = value, let microseconds = Int64(text), 0...latest ~= microseconds else {
                return nil
            }
            return Instant(microseconds: microseconds)
        }
    }

    /// Returns UNIX seconds, possibly fractional, if they are present.
    func seconds(_ name: String) throws(MonitorBodyError) -> Double? {
        let latest = ContentAnnouncement.latestInstant / 1_000_000
        return try optional(name, allowed: "seconds of UNIX time, 0 to \(latest)") { value in
            guard case .number(let text) = value, let seconds = Double(text), 0...Double(latest) ~= seconds else {
                return nil
            }
            return seconds
        }
    }

    func staleDate() throws(MonitorBodyError) -> Instant? {
        try seconds("stale_date").map { Instant(microseconds: Int64(($0 * 1e6).rounded())) }
    }

    func renewal() throws(MonitorBodyError) -> TimeSpan? {
        let longest = ContentAnnouncement.longestRenewal.microseconds / 1_000_000
        return try optional("renewable_for_s", allowed: "seconds, above 0, at most \(longest)") { value in
            guard case .number(let text) = value, let seconds = Double(text), seconds > 0, seconds <= Double(longest)
            else { return nil }
            return TimeSpan(microseconds: Int64((seconds * 1e6).rounded()))
        }
    }

    func priority() throws(MonitorBodyError) -> PushPriority? {
        try optional("priority", allowed: "5 or 10") { value in
            guard case .number(let text) = value else { return nil }
            return Int(text).flatMap { PushPriority(rawValue: $0) }
        }
    }

    func contentState() throws(MonitorBodyError) -> [UInt8] {
        let room = ActivityPayload.largestContent
        let allowed = "an object of at most \(room) bytes, for which a payload has room"
        let state = try optional("content_state", allowed: allowed) { value -> [UInt8]? in
            if case .object(let bytes) = value, bytes.count <= room { bytes } else { nil }
        }
        return try required("content_state", allowed: allowed, state)
    }
}
