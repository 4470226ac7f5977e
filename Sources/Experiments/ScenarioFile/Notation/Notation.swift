import SimulationKernel

/// How values of one type are written in a scenario: read, written back and described from one definition.
struct Notation<Value> {
    /// The value of a node at a path; nil after refusing it.
    let read: (_ node: ScenarioNode, _ path: String, _ reading: inout Reading) -> Value?
    /// The value as it is written.
    let write: (Value) -> StructuredValue
    /// The value as it is written, without the keys of sections that are at their defaults.
    let writeChanges: (Value) -> StructuredValue
    /// The JSON Schema of what ``read`` takes.
    let schema: () -> StructuredValue
    /// Hands every distribution within a value to a visitor, each with its path.
    let visitDistributions: (_ value: inout Value, _ path: String, _ visitor: DistributionVisitor) -> Void

    init(
        read: @escaping (_ node: ScenarioNode, _ path: String, _ reading: inout Reading) -> Value?,
        write: @escaping (Value) -> StructuredValue,
        writeChanges: ((Value) -> StructuredValue)? = nil,
        schema: @escaping @autoclosure () -> StructuredValue,
        visitDistributions: @escaping (inout Value, String, DistributionVisitor) -> Void = { _, _, _ in }
    ) {
        self.read = read
        self.write = write
        self.writeChanges = writeChanges ?? write
        self.schema = schema
        self.visitDistributions = visitDistributions
    }

    /// A notation of single values.
    ///
    /// - Parameters:
    ///   - expectation: What a message says the value must be.
    ///   - allowed: What a message says is allowed.
    ///   - write: The value as it is written.
    ///   - schema: The JSON Schema of the texts that are values.
    ///   - parse: The value of a text; nil for a text that is not one. A thrown remark goes into the message.
    init(
        _ expectation: String,
        allowed: String,
        write: @escaping (Value) -> StructuredValue,
        schema: @escaping @autoclosure () -> StructuredValue,
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
                        case .flaw(let flaw): found += ", which \(flaw)"
                        case .advice(let better): advice = "; \(better)"
                        }
                    }
                }
                reading.refuse(path, at: node.place, "must be \(expectation), got \(found)\(advice)")
                return nil
            },
            write: write,
            schema: schema()
        )
    }
}

/// Looks at a distribution and may change it.
typealias DistributionVisitor = (_ distribution: inout Distribution, _ path: String) -> Void

/// Why a text is no value, where more can be said than what is allowed.
enum Remark: Error {
    /// What is wrong with the text: "which …".
    case flaw(String)
    /// What to say instead of everything that is allowed.
    case advice(String)
}
