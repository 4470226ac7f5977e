extension Notation {
    /// A value or its absence, which is written `none`.
    @_semantics("optimize.sil.specialize.generic.never")
    static func optional<Wrapped>(_ wrapped: Notation<Wrapped>) -> Notation where Value == Wrapped? {
        Notation(
            read: { node, path, reading in
                if node.isNone { return .some(nil) }
                return wrapped.read(node, path, &reading).map { .some($0) }
            },
            write: { $0.map(wrapped.write) ?? .none },
            schema: schemaWithNone(wrapped.schema()),
            visitDistributions: { value, path, visitor in
                guard var wrappedValue = value else { return }
                wrapped.visitDistributions(&wrappedValue, path, visitor)
                value = wrappedValue
            }
        )
    }

    /// A list of values.
    @_semantics("optimize.sil.specialize.generic.never")
    static func list<Element>(of element: Notation<Element>, count: ClosedRange<Int>) -> Notation
    where Value == [Element] {
        let allowed = "\(count.lowerBound) … \(count.upperBound) values"
        return Notation(
            read: { node, path, reading in
                guard let nodes = node.list else {
                    reading.refuse(
                        path,
                        at: node.place,
                        "must be a list, got \(node.excerpt); allowed: \(allowed), as [a, b]"
                    )
                    return nil
                }
                guard count.contains(nodes.count) else {
                    reading.refuse(path, at: node.place, "must hold \(allowed), got \(nodes.count)")
                    return nil
                }
                var values: [Element] = []
                for (index, node) in nodes.enumerated() {
                    let elementPath = Reading.path(path, "\(index)")
                    reading.visit(elementPath, at: node.place)
                    if let value = element.read(node, elementPath, &reading) { values.append(value) }
                }
                return values.count == nodes.count ? values : nil
            },
            write: { .list($0.map(element.write)) },
            schema: [
                "type": "array", "items": element.schema(),
                "minItems": .number("\(count.lowerBound)"), "maxItems": .number("\(count.upperBound)"),
            ],
            visitDistributions: { values, path, visitor in
                for index in values.indices {
                    element.visitDistributions(&values[index], Reading.path(path, "\(index)"), visitor)
                }
            }
        )
    }
}

extension Notation where Value == String {
    /// A text or its absence, which is the empty text and is written `none`.
    @_semantics("optimize.sil.specialize.generic.never")
    static func emptyForNone(_ wrapped: Notation) -> Notation {
        Notation(
            read: { node, path, reading in node.isNone ? "" : wrapped.read(node, path, &reading) },
            write: { $0.isEmpty ? .none : wrapped.write($0) },
            schema: schemaWithNone(wrapped.schema())
        )
    }
}

/// The schema of something that may be absent.
private func schemaWithNone(_ schema: StructuredValue) -> StructuredValue {
    ["anyOf": [schema, ["enum": ["none", .null]]]]
}
