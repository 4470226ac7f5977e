/// One key of a section.
///
/// What reads and writes keys is generic and cold: specialised for each of some 160 keys it made a third of this target's
/// optimised code. `optimize.sil.specialize.generic.never` keeps the one generic body, here and in the files beside this one.
struct Field<Whole> {
    /// The key in the file.
    let key: String
    /// What the field means, in a sentence.
    let doc: String
    /// Whether the section makes no sense without it.
    let isRequired: Bool
    /// Reads the key's value into the section.
    let read: (_ node: ScenarioNode, _ path: String, _ reading: inout Reading, _ whole: inout Whole) -> Void
    /// Writes the value.
    let write: (Whole) -> StructuredValue
    /// Writes the value without the keys within it that are at their defaults.
    let writeChanges: (Whole) -> StructuredValue
    /// Hands the distributions within the value to a visitor.
    let visitDistributions: (_ whole: inout Whole, _ path: String, _ visitor: DistributionVisitor) -> Void
    /// The JSON Schema of the value, with the default of the given section.
    let schema: (Whole) -> StructuredValue
    /// Draws the value, or leaves it: by a coin, unless it must be given.
    let draw: (_ draws: SwarmDraws, _ whole: inout Whole) -> Void

    /// A field that has a default: the one of the section's ``Section/defaults``.
    @_semantics("optimize.sil.specialize.generic.never")
    init<Value>(
        _ key: String,
        _ value: WritableKeyPath<Whole, Value>,
        _ notation: Notation<Value>,
        _ doc: String
    ) {
        self.init(key, value, notation, doc, isRequired: false)
    }

    /// A field that must be given.
    @_semantics("optimize.sil.specialize.generic.never")
    init<Value>(
        required key: String,
        _ value: WritableKeyPath<Whole, Value>,
        _ notation: Notation<Value>,
        _ doc: String
    ) {
        self.init(key, value, notation, doc, isRequired: true)
    }

    @_semantics("optimize.sil.specialize.generic.never")
    private init<Value>(
        _ key: String,
        _ value: WritableKeyPath<Whole, Value>,
        _ notation: Notation<Value>,
        _ doc: String,
        isRequired: Bool
    ) {
        self.key = key
        self.doc = doc
        self.isRequired = isRequired
        read = { node, path, reading, whole in
            if let read = notation.read(node, path, &reading) {
                whole[keyPath: value] = read
            }
        }
        write = { notation.write($0[keyPath: value]) }
        writeChanges = { notation.writeChanges($0[keyPath: value]) }
        visitDistributions = { whole, path, visitor in
            notation.visitDistributions(&whole[keyPath: value], Reading.path(path, key), visitor)
        }
        schema = { defaults in
            let schema: StructuredValue = ["description": .text(doc)]
            let described = schema.merging(notation.schema())
            return isRequired ? described : described.merging(["default": notation.write(defaults[keyPath: value])])
        }
        draw = { draws, whole in
            var draws = draws.inner(key)
            guard isRequired || notation.isSection || draws.coin() else { return }
            if let drawn = notation.draw(&draws, whole[keyPath: value]) { whole[keyPath: value] = drawn }
        }
    }

    private init(
        key: String,
        doc: String,
        isRequired: Bool,
        read: @escaping (ScenarioNode, String, inout Reading, inout Whole) -> Void,
        write: @escaping (Whole) -> StructuredValue,
        writeChanges: @escaping (Whole) -> StructuredValue,
        visitDistributions: @escaping (inout Whole, String, DistributionVisitor) -> Void,
        schema: @escaping (Whole) -> StructuredValue,
        draw: @escaping (SwarmDraws, inout Whole) -> Void
    ) {
        self.key = key
        self.doc = doc
        self.isRequired = isRequired
        self.read = read
        self.write = write
        self.writeChanges = writeChanges
        self.visitDistributions = visitDistributions
        self.schema = schema
        self.draw = draw
    }

    /// The same key in a section that takes this one's fields for its own.
    @_semantics("optimize.sil.specialize.generic.never")
    func lifted<Outer>(_ inner: WritableKeyPath<Outer, Whole>) -> Field<Outer> {
        Field<Outer>(
            key: key,
            doc: doc,
            isRequired: isRequired,
            read: { node, path, reading, outer in read(node, path, &reading, &outer[keyPath: inner]) },
            write: { write($0[keyPath: inner]) },
            writeChanges: { writeChanges($0[keyPath: inner]) },
            visitDistributions: { outer, path, visitor in visitDistributions(&outer[keyPath: inner], path, visitor) },
            schema: { schema($0[keyPath: inner]) },
            draw: { draws, outer in draw(draws, &outer[keyPath: inner]) }
        )
    }
}
