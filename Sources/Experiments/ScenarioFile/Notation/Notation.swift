import SimulationKernel

/// How values of one type are written in a scenario: read, written back and described from one definition.
struct Notation<Value> {
    /// The value of a node at a path; nil after refusing it.
    let read: (_ node: ScenarioNode, _ path: String, _ reading: inout Reading) -> Value?
    /// The value as it is written.
    var write: (Value) -> StructuredValue
    /// The value as it is written, without the keys of sections that are at their defaults.
    let writeChanges: (Value) -> StructuredValue
    /// The JSON Schema of what ``read`` takes.
    let schema: () -> StructuredValue
    /// Hands the distributions within a value to a visitor, each with its path.
    let visitDistributions: (_ value: inout Value, _ path: String, _ visitor: DistributionVisitor) -> Void
    /// A random value for a small world, of the size of the usual one; nil where none is drawn.
    private(set) var draw: Draw
    /// Whether random scenarios decide about each key within the value, and not about the whole.
    let isSection: Bool

    /// The value of a text, of a notation of single values; nil for a text that is not one.
    private(set) var parsed: (String) throws(Remark) -> Value? = { _ in nil }

    /// Draws a value, given the usual one where there is one.
    typealias Draw = (_ draws: inout SwarmDraws, _ usual: Value?) -> Value?

    init(
        read: @escaping (_ node: ScenarioNode, _ path: String, _ reading: inout Reading) -> Value?,
        write: @escaping (Value) -> StructuredValue,
        writeChanges: ((Value) -> StructuredValue)? = nil,
        schema: @escaping @autoclosure () -> StructuredValue,
        visitDistributions: @escaping (inout Value, String, DistributionVisitor) -> Void = { _, _, _ in },
        draw: @escaping Draw = { _, _ in nil },
        isSection: Bool = false
    ) {
        self.read = read
        self.write = write
        self.writeChanges = writeChanges ?? write
        self.schema = schema
        self.visitDistributions = visitDistributions
        self.draw = draw
        self.isSection = isSection
    }

    /// A notation of single values.
    ///
    /// - Parameters:
    ///   - expectation: What a message says the value must be.
    ///   - allowed: What a message says is allowed.
    ///   - write: The value as it is written.
    ///   - schema: The JSON Schema of the texts that are values.
    ///   - draw: A random value.
    ///   - parse: The value of a text; nil for a text that is not one. A thrown remark goes into the message.
    init(
        _ expectation: String,
        allowed: String,
        write: @escaping (Value) -> StructuredValue,
        schema: @escaping @autoclosure () -> StructuredValue,
        draw: @escaping Draw = { _, _ in nil },
        parse: @escaping (String) throws(Remark) -> Value?
    ) {
        self.init(
            read: { node, path, reading in
                var found = node.excerpt
                var advice = allowed.isEmpty ? "" : "; allowed: \(allowed)"
                if let text = node.scalar {
                    do throws(Remark) {
                        if let value = try parse(text) { return value }
                    } catch {
                        switch error {
                        case .error(let error): found += ", which \(error)"
                        case .advice(let better): advice = "; \(better)"
                        }
                    }
                }
                reading.refuse(path, at: node.place, "must be \(expectation), got \(found)\(advice)")
                return nil
            },
            write: write,
            schema: schema(),
            draw: draw
        )
        parsed = parse
    }

    /// The same notation with random values of its own: those that a small world needs.
    @_semantics("optimize.sil.specialize.generic.never")
    func drawn(_ draw: @escaping (_ draws: inout SwarmDraws) -> Value) -> Notation {
        var notation = self
        notation.draw = { draws, _ in draw(&draws) }
        return notation
    }

    /// The same notation for what hides the rest of a world, or takes long: drawn a quarter as often.
    @_semantics("optimize.sil.specialize.generic.never")
    var seldom: Notation {
        var notation = self
        notation.draw = { draws, usual in draws.number(0...3) == 0 ? draw(&draws, usual) : nil }
        return notation
    }
}

/// Looks at distributions and may change them.
struct DistributionVisitor {
    /// Where it looks; nil for everywhere.
    let paths: ChangedPaths?
    let visit: (_ distribution: inout Distribution, _ path: String) -> Void
}

/// Why a text is no value, where more can be said than what is allowed.
enum Remark: Error {
    /// What is wrong with the text: "which …".
    case error(String)
    /// What to say instead of everything that is allowed.
    case advice(String)
}
