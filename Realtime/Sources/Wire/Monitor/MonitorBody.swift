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

    /// Returns a number in a field's range; `nil` if the field is missing.
    private func number(
        _ field: MonitorField,
        _ isAccepted: (MonitorField.Values, Double) -> Bool
    ) throws(MonitorBodyError) -> Double? {
        let values = field.values
        return try optional(field) { value in value.number.flatMap { isAccepted(values, $0) ? $0 : nil } }
    }

    /// Returns a whole number in a field's range, also written with a fraction of zero; `nil` if the field is missing.
    private func whole(
        _ field: MonitorField,
        _ isAccepted: (MonitorField.Values, Int64) -> Bool
    ) throws(MonitorBodyError) -> Int64? {
        let values = field.values
        return try optional(field) { value in
            let whole: Int64? = value.integer() ?? value.number.flatMap { Int64(exactly: $0) }
            return whole.flatMap { isAccepted(values, $0) ? $0 : nil }
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
        try whole(.generatedAt) { (values, number) in
            if case .microseconds(let range) = values { range ~= number } else { false }
        }
        .map { Instant(microseconds: $0) }
    }

    /// Returns UNIX seconds, possibly fractional, if they are present.
    func seconds(_ field: MonitorField) throws(MonitorBodyError) -> Double? {
        try number(field) { (values, number) in
            guard case .seconds(let range) = values else { return false }
            return Double(range.lowerBound)...Double(range.upperBound) ~= number
        }
    }

    func staleDate() throws(MonitorBodyError) -> Instant? {
        try seconds(.staleDate).map { Instant(microseconds: Int64(($0 * 1e6).rounded())) }
    }

    func renewal() throws(MonitorBodyError) -> TimeSpan? {
        try number(.renewal) { (values, number) in
            if case .span(let longest) = values { number > 0 && number <= Double(longest) } else { false }
        }
        .map { TimeSpan(microseconds: Int64(($0 * 1e6).rounded())) }
    }

    func priority() throws(MonitorBodyError) -> PushPriority? {
        try whole(.priority) { (values, number) in
            if case .choice(let numbers) = values { numbers.contains { $0 == number } } else { false }
        }
        .flatMap { PushPriority(rawValue: Int($0)) }
    }

    /// Returns the alert, if the body has one.
    func alert() throws(MonitorBodyError) -> PushAlert? {
        guard let object = try optional(.alert, { $0.members }) else { return nil }
        return try PushAlert(announced: object)
    }

    /// Returns the relevance, if the body has one.
    func relevanceScore() throws(MonitorBodyError) -> Double? { try number(.relevanceScore) { $1.isFinite } }

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
