import CEmbeddedFiles
import TextFormats

/// A Vega-Lite specification with holes: a file `NAME.vl.json` in `Templates`.
///
/// | in a template | becomes |
/// |---|---|
/// | `"$name"` | the value of that name, else the part of that name |
/// | `{"$use": "name", …}` | the part of that name, in which the other members are values |
/// | `{"$base": "name", …}` | the members of a value or a part, with the other members added or replaced |
/// | `{"$each": "$name", "$use": "part"}` | the part for each object of an array, whose members are values |
/// | `{"$if": "name", …}` | the object if the value is given and not empty; otherwise nothing |
/// | `{"$let": {…}, …}` | further parts; only at the top |
///
/// `parts.json` has the parts of all templates. An array within an array is spliced into it if it comes from a name.
struct ChartTemplate {
    private let body: JSONValue
    private let parts: [String: JSONValue]

    private static let commonParts = members(text(of: "parts.json"))

    private static func text(of file: String) -> [UInt8] { Array(String(cString: embedded_text(file)).utf8) }

    /// Reads the template with a name.
    init(_ name: String) {
        var members = ChartTemplate.members(ChartTemplate.text(of: "\(name).vl.json"))
        var parts = ChartTemplate.commonParts
        if case .object(let own)? = members.removeValue(forKey: "$let") { parts.merge(own) { $1 } }
        body = .object(members)
        self.parts = parts
    }

    /// Returns the specification with its values.
    ///
    /// - Precondition: Each name that is used is the name of a value or of a part.
    func filled(_ values: [String: JSONValue]) -> JSONValue { filled(body, values) ?? .null }

    private func filled(_ node: JSONValue, _ values: [String: JSONValue]) -> JSONValue? {
        switch node {
        case .string(let text) where text.hasPrefix("$"):
            return named(String(text.dropFirst()), values)
        case .array(let elements):
            return .array(
                elements.flatMap { element -> [JSONValue] in
                    let value = filled(element, values)
                    if case .array(let several)? = value, !element.isArray { return several }
                    return value.map { [$0] } ?? []
                }
            )
        case .object(var members):
            func taken(_ key: String) -> String? {
                if case .string(let name)? = members.removeValue(forKey: key) { name } else { nil }
            }
            if let condition = taken("$if"), values[condition]?.isEmpty ?? true { return nil }
            members = members.compactMapValues { filled($0, values) }
            if let part = taken("$use") {
                guard case .array(let rows)? = members["$each"] else {
                    return named(part, values.merging(members) { $1 })
                }
                return .array(rows.compactMap { named(part, values.merging($0.members) { $1 }) })
            }
            let base = taken("$base").flatMap { named($0, values) }
            return .object(base.map { $0.members.merging(members) { $1 } } ?? members)
        default:
            return node
        }
    }

    private func named(_ name: String, _ values: [String: JSONValue]) -> JSONValue? {
        if let value = values[name] { return value }
        guard let part = parts[name] else { preconditionFailure("a chart needs a value for \(name)") }
        return filled(part, values)
    }

    // MARK: - JSON

    private static func members(_ text: [UInt8]) -> [String: JSONValue] {
        guard let read = try? JSONMembers(text) else { preconditionFailure("a template of a chart is a JSON object") }
        return Dictionary(read.members.map { ($0.name, value($0.value)) }) { $1 }
    }

    private static func value(_ value: JSONMembers.Value) -> JSONValue {
        switch value {
        case .string(let text): .string(text)
        // A decimal number keeps the places that it is written with.
        case .number(let text):
            Int64(text).map { .integer($0) }
                ?? .decimal(Double(text) ?? .nan, places: text.drop { $0 != "." }.count - 1)
        case .object(let text): .object(members(text))
        case .array(let elements): .array(elements.map(ChartTemplate.value))
        case .bool(let flag): .bool(flag)
        case .null: .null
        }
    }
}

extension JSONValue {
    /// Returns an array of strings.
    static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

    /// The members of an object; none for any other value.
    var members: [String: JSONValue] { if case .object(let members) = self { members } else { [:] } }

    fileprivate var isArray: Bool { if case .array = self { true } else { false } }
    fileprivate var isEmpty: Bool { self == .null || self == [] }
}
