/// How values of one type are written in a scenario: read, written back and described from one definition.
struct Notation<Value> {
    /// The value of a node at a path; nil after refusing it.
    let read: (_ node: ScenarioNode, _ path: String, _ reading: inout Reading) -> Value?
    /// The value as it is written.
    let write: (Value) -> StructuredValue
    /// The JSON Schema of what ``read`` takes.
    let schema: () -> StructuredValue

    init(
        read: @escaping (_ node: ScenarioNode, _ path: String, _ reading: inout Reading) -> Value?,
        write: @escaping (Value) -> StructuredValue,
        schema: @escaping @autoclosure () -> StructuredValue
    ) {
        self.read = read
        self.write = write
        self.schema = schema
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
                var remark = ""
                if let text = node.scalar {
                    do throws(Remark) {
                        if let value = try parse(text) { return value }
                    } catch {
                        remark = ", \(error.text)"
                    }
                }
                let message = "must be \(expectation), got \(node.excerpt)\(remark)"
                reading.refuse(path, at: node.place, allowed.isEmpty ? message : "\(message); allowed: \(allowed)")
                return nil
            },
            write: write,
            schema: schema()
        )
    }
}

/// Why a text is no value, where more can be said than what is allowed.
struct Remark: Error {
    var text: String
}
