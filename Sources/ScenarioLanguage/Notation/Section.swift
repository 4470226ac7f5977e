import InputFiles
import TextFormats

/// The table of a section's fields, which alone determines the valid contents of the section.
package struct Section<Whole> {
    /// The meaning of the section.
    let doc: String
    /// The section with all defaults.
    let defaults: Whole
    /// The fields, in the order of writing.
    let fields: [Field<Whole>]
    /// The keys of the fields, stored separately because fields are slow to copy and each reading searches the keys.
    private let keys: [String]
    private let requiredFields: [Field<Whole>]

    init(_ doc: String, _ defaults: Whole, @FieldTable<Whole> fields: () -> [Field<Whole>]) {
        self.doc = doc
        self.defaults = defaults
        self.fields = fields()
        keys = self.fields.map(\.key)
        requiredFields = self.fields.filter(\.isRequired)
    }

    /// Reads a mapping; returns nil if the node is not a mapping.
    ///
    /// Refused fields keep their defaults.
    @_semantics("optimize.sil.specialize.generic.never")
    package func read(_ node: ScenarioNode, _ path: String, _ reading: inout Reading) -> Whole? {
        guard let entries = node.mapping else {
            let advice = node.isNothing ? "; leave the key out for its defaults" : ""
            let keys = keys.joined(separator: ", ")
            let what = path.isEmpty ? "the scenario must be" : "must be"
            reading.refuse(
                path,
                at: node.place,
                "\(what) a section, got \(node.excerpt)\(advice); allowed keys: \(keys)"
            )
            return nil
        }
        var whole = defaults
        for entry in entries {
            let fieldPath = Reading.path(path, entry.key)
            guard let index = keys.firstIndex(of: entry.key) else {
                let advice = Suggestion.advice(for: entry.key, among: keys)
                reading.refuse(
                    Reading.path(path, Self.shown(entry.key)),
                    at: entry.keyPlace,
                    "is not a known key; \(advice)",
                    isOfKey: true
                )
                continue
            }
            reading.visit(fieldPath, at: entry.value.place)
            fields[index].read(entry.value, fieldPath, &reading, &whole)
        }
        for field in requiredFields where !entries.contains(where: { $0.key == field.key }) {
            reading.refuse(Reading.path(path, field.key), at: node.place, "is missing: \(field.doc)", isOfKey: true)
        }
        return whole
    }

    /// Writes every field.
    @_semantics("optimize.sil.specialize.generic.never")
    package func write(_ whole: Whole) -> StructuredValue {
        .mapping(fields.map { .init(key: $0.key, value: $0.write(whole)) }, isCompact: false)
    }

    /// Writes the required fields and the fields that differ from their defaults.
    ///
    /// A new field with a default leaves the written text unchanged. Different sections have different texts, because
    /// omitted fields have their defaults.
    @_semantics("optimize.sil.specialize.generic.never")
    func writeChanges(_ whole: Whole) -> StructuredValue {
        .mapping(
            fields.filter { $0.isRequired || !$0.isSame(whole, defaults) }
                .map { .init(key: $0.key, value: $0.writeChanges(whole)) },
            isCompact: false
        )
    }

    /// Passes the distributions within the section to a visitor, in the order of the fields.
    @_semantics("optimize.sil.specialize.generic.never")
    func visitDistributions(_ whole: inout Whole, _ path: String, _ visitor: DistributionVisitor) {
        for field in fields { field.visitDistributions(&whole, Reading.path(path, field.key), visitor) }
    }

    /// Returns the section with random values for some of its keys, with a draw for each key.
    @_semantics("optimize.sil.specialize.generic.never")
    func draw(_ draws: inout SwarmDraws, _ usual: Whole?) -> Whole? {
        var whole = usual ?? defaults
        for field in fields {
            var draws = draws.inner(field.key)
            if field.isRequired || field.isSection || draws.changesKey() { field.draw(&draws, &whole) }
        }
        return whole
    }

    /// The JSON Schema of this section.
    var schema: StructuredValue {
        let properties = fields.map { field in
            let sentence: StructuredValue = ["description": .text(field.doc)]
            let usual: StructuredValue = field.isRequired ? [:] : ["default": field.write(defaults)]
            return StructuredValue.Entry(key: field.key, value: sentence.merging(field.schema()).merging(usual))
        }
        let required = requiredFields.map { StructuredValue.text($0.key) }
        let schema: StructuredValue = [
            "type": "object", "additionalProperties": false, "properties": .mapping(properties, isCompact: false),
        ]
        return required.isEmpty ? schema : schema.merging(["required": .list(required)])
    }

    /// Returns an unknown key for messages: on one line and shortened.
    @_semantics("optimize.sil.specialize.generic.never")
    private static func shown(_ key: String) -> String {
        key.isPlain(1...40, also: "_.-") ? key : ScenarioNode.quoted(key)
    }
}

extension Notation {
    /// Returns the notation of a section.
    @_semantics("optimize.sil.specialize.generic.never")
    static func section(_ section: Section<Value>) -> Notation {
        Notation(
            read: section.read,
            write: section.write,
            writeChanges: section.writeChanges,
            schema: section.schema,
            visitDistributions: section.visitDistributions,
            draw: section.draw,
            isSection: true
        )
    }

    /// Returns the notation of a section that is written on one line.
    @_semantics("optimize.sil.specialize.generic.never")
    static func compactSection(_ section: Section<Value>) -> Notation {
        var notation = Notation.section(section)
        notation.write = { value in
            guard case .mapping(let entries, _) = section.write(value) else { return .null }
            return .mapping(entries, isCompact: true)
        }
        return notation
    }
}

/// A key of a section.
///
/// The functions that read and write keys are generic and rarely called. Specialised for each of about 160 keys, they
/// were a third of this target's optimised code. `optimize.sil.specialize.generic.never` keeps the one generic body,
/// here and in the neighbouring files.
package struct Field<Whole> {
    /// The key in the file.
    package let key: String
    /// The meaning, in one sentence.
    private(set) var doc = ""
    /// `true` if the section is invalid without the key.
    let isRequired: Bool
    /// `true` if random scenarios decide about each key within the value instead of the whole.
    let isSection: Bool
    /// Reads the key's value into the section.
    let read: (_ node: ScenarioNode, _ path: String, _ reading: inout Reading, _ whole: inout Whole) -> Void
    /// Writes the value.
    let write: (Whole) -> StructuredValue
    /// Writes the value without the keys within it that are at their defaults.
    let writeChanges: (Whole) -> StructuredValue
    /// Returns true if two sections have the same value.
    let isSame: (Whole, Whole) -> Bool
    /// Passes the distributions within the value at a path to a visitor.
    let visitDistributions: (_ whole: inout Whole, _ path: String, _ visitor: DistributionVisitor) -> Void
    /// The JSON Schema of the value.
    let schema: () -> StructuredValue
    /// Draws the value, or leaves it unchanged if its notation draws none.
    let draw: (_ draws: inout SwarmDraws, _ whole: inout Whole) -> Void

    /// Returns the field with its meaning.
    @_semantics("optimize.sil.specialize.generic.never")
    func means(_ doc: String) -> Field {
        var field = self
        field.doc = doc
        return field
    }

    /// Returns the field for a section that includes this section's fields.
    @_semantics("optimize.sil.specialize.generic.never")
    func lifted<Outer>(_ inner: WritableKeyPath<Outer, Whole>) -> Field<Outer> {
        Field<Outer>(
            key: key,
            doc: doc,
            isRequired: isRequired,
            isSection: isSection,
            read: { node, path, reading, outer in read(node, path, &reading, &outer[keyPath: inner]) },
            write: { write($0[keyPath: inner]) },
            writeChanges: { writeChanges($0[keyPath: inner]) },
            isSame: { isSame($0[keyPath: inner], $1[keyPath: inner]) },
            visitDistributions: { outer, path, visitor in visitDistributions(&outer[keyPath: inner], path, visitor) },
            schema: schema,
            draw: { draws, outer in draw(&draws, &outer[keyPath: inner]) }
        )
    }
}

extension Field {
    /// Creates a field whose default comes from ``Section/defaults``, unless it is required.
    @_semantics("optimize.sil.specialize.generic.never")
    init<Value: Equatable & Sendable>(
        _ key: String,
        _ value: WritableKeyPath<Whole, Value>,
        _ notation: Notation<Value>,
        isRequired: Bool = false
    ) {
        self.init(
            key: key,
            isRequired: isRequired,
            isSection: notation.isSection,
            read: { node, path, reading, whole in
                if let read = notation.read(node, path, &reading) { whole[keyPath: value] = read }
            },
            write: { notation.write($0[keyPath: value]) },
            writeChanges: { notation.writeChanges($0[keyPath: value]) },
            isSame: { $0[keyPath: value] == $1[keyPath: value] },
            visitDistributions: { whole, path, visitor in
                notation.visitDistributions(&whole[keyPath: value], path, visitor)
            },
            schema: notation.schema,
            draw: { draws, whole in
                if let drawn = notation.draw(&draws, whole[keyPath: value]) { whole[keyPath: value] = drawn }
            }
        )
    }
}

/// Builds the fields of a section from a table.
@resultBuilder
enum FieldTable<Whole> {
    static func buildExpression(_ field: Field<Whole>) -> [Field<Whole>] { [field] }
    static func buildExpression(_ fields: [Field<Whole>]) -> [Field<Whole>] { fields }
    static func buildBlock(_ fields: [Field<Whole>]...) -> [Field<Whole>] { Array(fields.joined()) }
    static func buildOptional(_ fields: [Field<Whole>]?) -> [Field<Whole>] { fields ?? [] }
}
