import InputFiles
import TextFormats

/// The description of a key of scenario files in `freshet describe` and docs/keys.md.
///
/// It is derived from the tables with which scenarios are read, and from the example that has the key.
public struct KeyDescription: Hashable, Sendable {
    /// Keys separated by dots; `N` is an index of a list, from 0.
    public let path: String
    /// The meaning, in one sentence.
    public let meaning: String
    /// The allowed values.
    public let allowed: String
    /// The default; nil for a required key and for a section.
    public let usual: String?
    /// `true` if the key is a section with keys of its own.
    public let isSection: Bool
    /// The word for an absent value, for which files may also have `none`; nil if there is none.
    let absence: String?

    /// All keys, in the order of the schema, with sections before their contents.
    public static let all: [KeyDescription] = descriptions(of: Section.experiment.schema, within: "")

    /// Returns true if a pattern matches the key: it is a substring of the path or of the meaning, or matches the whole
    /// path with `*` for any text.
    public func matches(_ pattern: String) -> Bool {
        let pattern = Self.withoutIndices(pattern)
        return WildcardPattern(pattern).matches(path)
            || !pattern.contains("*") && meaning.lowercased().contains(pattern.lowercased())
    }

    /// Returns the key with exactly this path; a number matches any index of a list.
    public static func named(_ path: String) -> KeyDescription? {
        let path = withoutIndices(path)
        return all.first { $0.path == path }
    }

    /// Returns the word that states the meaning of `none` at a path: `unlimited` or `off`; nil for another value, and where
    /// `none` has a meaning of its own.
    static func absence(at path: String, _ value: String) -> String? {
        ["none", "null", "~"].contains(value) ? named(path)?.absence : nil
    }

    /// Returns the key with exactly this path and all keys below it, or else the keys that match a pattern.
    public static func matching(_ pattern: String) -> [KeyDescription] {
        guard let key = named(pattern) else { return all.filter { $0.matches(pattern) } }
        return [key] + all.filter { $0.path.hasPrefix("\(key.path).") }
    }

    /// Returns the part of an error message that helps with a pattern without a match.
    public static func advice(for pattern: String) -> String {
        let pattern = withoutIndices(pattern)
        // People often write only the last key of a long path.
        let near =
            Suggestion.nearestOrLonger(to: pattern, among: all.map(\.path))
            ?? Suggestion.nearest(to: pattern, among: all.map { lastKey(of: $0.path) })
            ?? Suggestion.nearest(to: pattern, among: DistributionDescription.names)
        return near.map { "did you mean \"\($0)\"?" } ?? "`freshet describe` lists all of them"
    }

    private static func lastKey(of path: String) -> String { String(path.split(separator: ".").last ?? "") }

    private static func withoutIndices(_ path: String) -> String {
        path.split(separator: ".", omittingEmptySubsequences: false)
            .map { !$0.isEmpty && $0.allSatisfy(\.isWholeNumber) ? "N" : String($0) }
            .joined(separator: ".")
    }

    // MARK: - From the schema

    private static func descriptions(of section: StructuredValue, within path: String) -> [KeyDescription] {
        guard case .mapping(let properties, _) = section["properties"] else { return [] }
        return properties.flatMap { property -> [KeyDescription] in
            let schema = property.value
            // Keys that are explained together by their section are described there.
            guard let meaning = schema["description"]?.content else { return [] }
            let inner = Reading.path(path, property.key)
            let parts = parts(of: schema)
            let isSection = hasDescribedKeys(schema)
            let description = KeyDescription(
                path: inner,
                meaning: meaning,
                allowed: allowed(schema),
                usual: isSection ? nil : schema["default"]?.yamlFlow,
                isSection: isSection,
                absence: absence(schema)
            )
            let inside = parts.flatMap { part in
                descriptions(of: part.schema, within: part.isElement ? inner + ".N" : inner)
            }
            return [description] + inside
        }
    }

    /// Returns true if a schema describes a section whose keys have meanings of their own.
    private static func hasDescribedKeys(_ schema: StructuredValue) -> Bool {
        guard case .mapping(let properties, _)? = schema["properties"] else { return false }
        return properties.contains { $0.value["description"] != nil }
    }

    /// Returns the sections within a value: the value itself, a referenced one, and the elements of a list.
    private static func parts(of schema: StructuredValue) -> [(schema: StructuredValue, isElement: Bool)] {
        var parts: [(schema: StructuredValue, isElement: Bool)] = []
        for form in [schema] + (schema["anyOf"]?.elements ?? []) {
            parts.append((form, false))
            guard let element = form["items"] else { continue }
            for form in [element] + (element["anyOf"]?.elements ?? []) { parts.append((form, true)) }
        }
        return parts.filter { $0.schema["properties"] != nil }
    }

    /// Returns the allowed values in words.
    private static func allowed(_ schema: StructuredValue) -> String {
        if let reference = schema["$ref"]?.content { return forms[reference] ?? reference }
        if let alternatives = schema["anyOf"]?.elements {
            return alternatives.map(allowed).joined(separator: ", or ")
        }
        if let words = schema["enum"]?.elements {
            return (absence(schema).map { [$0] } ?? texts(words)).joined(separator: ", ")
        }
        if let constant = schema["const"]?.content { return constant }
        if case .mapping(let properties, _)? = schema["properties"], let first = properties.first {
            guard !hasDescribedKeys(schema) else { return "a section" }
            return "any of \(properties.map(\.key).joined(separator: ", ")), each \(allowed(first.value))"
        }
        return ofType(schema)
    }

    /// Returns the word for an absent value if a schema also accepts `none`, which is ambiguous; otherwise nil.
    private static func absence(_ schema: StructuredValue) -> String? {
        for form in [schema] + (schema["anyOf"]?.elements ?? []) {
            let words = texts(form["enum"]?.elements ?? [])
            if words.contains("none"), words.contains("null") { return words.first }
        }
        return nil
    }

    private static func texts(_ words: [StructuredValue]) -> [String] {
        words.map(\.yamlFlow).map { $0.replacing("\"", with: "") }
    }

    private static func ofType(_ schema: StructuredValue) -> String {
        switch schema["type"]?.content {
        case "boolean": return "true, false"
        case "array":
            let element = schema["items"].map(allowed) ?? "values"
            return "a list of \(range(schema, "minItems", "maxItems")) values, each \(element)"
        case "integer": return "a whole number, \(range(schema, "minimum", "maximum"))"
        case "number":
            let step = schema["multipleOf"]?.content.map { ", in steps of \($0)" } ?? ""
            return "a number, \(range(schema, "minimum", "maximum"))\(step)"
        case "object": return "a section of user-defined keys"
        case "string":
            if schema["pattern"]?.content == RateText.pattern { return RateText.form }
            if schema["pattern"]?.content == LocalTimeText.pattern { return LocalTimeText.form }
            if schema["not"] != nil { return "a name of letters, digits, - and _, up to 64 of them" }
            return schema["maxLength"]?.content.map { "a text of up to \($0) characters" } ?? "a text"
        default: return "a value that fits its place"
        }
    }

    private static func range(_ schema: StructuredValue, _ least: String, _ most: String) -> String {
        switch (schema[least]?.content, schema[most]?.content) {
        case (let least?, let most?): "\(least) to \(most)"
        case (let least?, nil): "\(least) or more"
        case (nil, let most?): "up to \(most)"
        case (nil, nil): "any"
        }
    }

    private static let families = DistributionNotation(measure: .duration, depth: 1).keys.joined(separator: ", ")

    /// The definitions of the schema, in words.
    private static let forms: [String: String] = [
        "#/$defs/duration": "a duration: \(DurationText.forms)",
        "#/$defs/share": "a share: 0 to 1, or 0% to 100%",
        "#/$defs/duration_distribution": "a duration, or a distribution of durations: \(families)",
        "#/$defs/number_distribution": "a number, or a distribution of numbers: \(families)",
    ]
}

extension StructuredValue {
    /// The value of a key; nil if this is not a mapping with the key.
    fileprivate subscript(key: String) -> StructuredValue? {
        guard case .mapping(let entries, _) = self else { return nil }
        return entries.first { $0.key == key }?.value
    }

    fileprivate var elements: [StructuredValue]? {
        guard case .list(let elements) = self else { return nil }
        return elements
    }

    /// The text of a scalar.
    fileprivate var content: String? {
        switch self {
        case .number(let text), .word(let text), .text(let text): text
        case .boolean(let value): "\(value)"
        case .null, .list, .mapping: nil
        }
    }
}
