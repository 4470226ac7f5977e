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
