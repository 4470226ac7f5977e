import FreshnessCore
import Quantities
import TextFormats

/// The members of a request's body, each read by its own rule.
struct MonitorBody {
    private let json: JSONMembers

    /// Reads the body of a request; an empty body has no members.
    init(_ bytes: [UInt8], of route: MonitorRoute) throws(MonitorBodyError) {
        do throws(JSONMembers.Malformed) {
            json = try JSONMembers(bytes.isEmpty ? Array("{}".utf8) : bytes)
        } catch {
            let what = "body, byte \(error.offset)"
            throw MonitorBodyError(what: what, got: "something else", allowed: error.expected)
        }
        let names = route.fields.map(\.name)
        if let unknown = json.members.first(where: { !names.contains($0.name) }) {
            throw MonitorBodyError(
                what: "an unknown field",
                got: String(unknown.name.prefix(32)),
                allowed: names.joined(separator: ", ")
            )
        }
    }

    /// Returns a value; `nil` if it is missing.
    private func optional<Value>(
        _ field: MonitorField,
        _ read: (JSONMembers.Value) -> Value?
    ) throws(MonitorBodyError) -> Value? {
        guard let value = json[field.name], value != .null else { return nil }
        guard let read = read(value) else { throw refused(field, got: value.kind) }
        return read
    }

    private func required<Value>(_ field: MonitorField, _ value: Value?) throws(MonitorBodyError) -> Value {
        guard let value else { throw refused(field, got: "nothing") }
        return value
    }

    private func refused(_ field: MonitorField, got: String) -> MonitorBodyError {
        MonitorBodyError(what: "field \(field.name)", got: got, allowed: field.allowed)
    }

    /// Returns a number that a field accepts, such as UNIX seconds, possibly fractional; `nil` if the field is missing.
    func number(_ field: MonitorField) throws(MonitorBodyError) -> Double? {
        try optional(field) { value in value.number.flatMap { field.values.accept($0) ? $0 : nil } }
    }

    /// Returns a whole number that a field accepts, also written with a fraction of zero; `nil` if the field is missing.
    private func whole(_ field: MonitorField) throws(MonitorBodyError) -> Int64? {
        try optional(field) { value in
            let whole: Int64? = value.integer() ?? value.number.flatMap { Int64(exactly: $0) }
            return whole.flatMap { field.values.accept(Double($0)) ? $0 : nil }
        }
    }

    /// Returns the token or the channel; a publication has exactly one address.
    func address() throws(MonitorBodyError) -> PushAddress {
        let token = try optional(.token) { value in
            if case .string(let digits) = value { DeviceToken(hexadecimal: digits.utf8) } else { nil }
        }
        let channel = try optional(.channel) { value in
            if case .string(let text) = value { ChannelID(text) } else { nil }
        }
        guard let channel else { return .token(try required(.token, token)) }
        guard token == nil else {
            throw MonitorBodyError(
                what: "fields token and channel",
                got: "both",
                allowed: "one of them: a card follows its token or a channel"
            )
        }
        return .channel(channel)
    }

    /// Returns the generation time of the content, if the body has it.
    func generatedAt() throws(MonitorBodyError) -> Instant? {
        try whole(.generatedAt).map { Instant(microseconds: $0) }
    }

    func staleDate() throws(MonitorBodyError) -> Instant? {
        try number(.staleDate).map { Instant(microseconds: Int64(($0 * 1e6).rounded())) }
    }

    func renewal() throws(MonitorBodyError) -> TimeSpan? {
        try number(.renewal).map { TimeSpan(microseconds: Int64(($0 * 1e6).rounded())) }
    }

    func priority() throws(MonitorBodyError) -> PushPriority? {
        try whole(.priority).flatMap { PushPriority(rawValue: Int($0)) }
    }

    /// Returns the alert, if the body has one.
    func alert() throws(MonitorBodyError) -> PushAlert? {
        guard let object = try optional(.alert, { $0.members }) else { return nil }
        return try PushAlert(announced: object)
    }

    func contentState() throws(MonitorBodyError) -> [UInt8] {
        let state = try optional(.contentState) { value -> [UInt8]? in
            guard case .object(let bytes) = value, case .object(let largest) = MonitorField.contentState.values,
                bytes.count <= largest
            else { return nil }
            return bytes
        }
        return try required(.contentState, state)
    }
}

extension MonitorField.Values {
    /// Returns `true` if a number is one of them.
    fileprivate func accept(_ number: Double) -> Bool {
        switch self {
        case .microseconds(let range), .seconds(let range):
            Double(range.lowerBound)...Double(range.upperBound) ~= number
        case .span(let longest): number > 0 && number <= Double(longest)
        case .choice(let numbers): numbers.contains { Double($0) == number }
        case .number: number.isFinite
        case .hexadecimal, .base64, .object, .alert: false
        }
    }
}
