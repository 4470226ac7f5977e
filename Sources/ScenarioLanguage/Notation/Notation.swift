import SimulationKernel

/// The notation of a type's values in a scenario: one definition for reading, writing and description.
struct Notation<Value> {
    /// Reads the value of a node at a path; returns nil after refusing it.
    let read: (_ node: ScenarioNode, _ path: String, _ reading: inout Reading) -> Value?
    /// Writes a value.
    var write: (Value) -> StructuredValue
    /// Writes a value without the keys of sections that have their defaults.
    let writeChanges: (Value) -> StructuredValue
    /// Returns the JSON Schema of the values that ``read`` accepts.
    let schema: () -> StructuredValue
    /// Passes the distributions within a value to a visitor, each with its path.
    let visitDistributions: (_ value: inout Value, _ path: String, _ visitor: DistributionVisitor) -> Void
    /// Draws a random value for a small world, of the size of the default; returns nil to draw none.
    private(set) var draw: Draw
    /// `true` if random scenarios decide about each key within the value instead of the whole.
    let isSection: Bool

    /// Parses a text, for notations of scalars; returns nil for an invalid text.
    private(set) var parsed: (String) throws(Remark) -> Value? = { _ in nil }

    /// Draws a value, given the default if there is one.
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

    /// Creates the notation of a scalar.
    ///
    /// - Parameters:
    ///   - expectation: The requirement in a message: "must be …".
    ///   - allowed: The allowed values in a message.
    ///   - write: Writes a value.
    ///   - schema: The JSON Schema of the valid texts.
    ///   - draw: Draws a random value.
    ///   - parse: Parses a text; returns nil for an invalid one. A thrown remark goes into the message.
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

    /// Returns the notation with other random values, for small worlds.
    @_semantics("optimize.sil.specialize.generic.never")
    func drawn(_ draw: @escaping (_ draws: inout SwarmDraws) -> Value) -> Notation {
        var notation = self
        notation.draw = { draws, _ in draw(&draws) }
        return notation
    }

    /// The notation for values that need something outside the world, such as a file: random worlds have none.
    @_semantics("optimize.sil.specialize.generic.never")
    var undrawn: Notation {
        var notation = self
        notation.draw = { _, _ in nil }
        return notation
    }

    /// The notation for values that hide the rest of a world or take long: they are drawn a quarter as often.
    @_semantics("optimize.sil.specialize.generic.never")
    var seldom: Notation {
        var notation = self
        notation.draw = { draws, usual in draws.number(0...3) == 0 ? draw(&draws, usual) : nil }
        return notation
    }
}

/// A function that inspects distributions and may change them.
typealias DistributionVisitor = (_ distribution: inout Distribution, _ path: String) -> Void

/// A specific reason why a text is invalid.
enum Remark: Error {
    /// The error: "which …".
    case error(String)
    /// An advice that replaces the list of allowed values.
    case advice(String)
}
