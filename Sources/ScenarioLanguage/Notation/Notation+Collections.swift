import Quantities

extension Notation {
    /// Returns the notation of a value or its absence.
    @_semantics("optimize.sil.specialize.generic.never")
    static func optional<Wrapped>(_ wrapped: Notation<Wrapped>, _ absence: Absence) -> Notation
    where Value == Wrapped? {
        Notation(
            read: { node, path, reading in
                switch absence.isStated(node, path, &reading) {
                case true?: .some(nil)
                case false?: wrapped.read(node, path, &reading).map { .some($0) }
                case nil: nil
                }
            },
            write: { $0.map(wrapped.write) ?? .word(absence.word) },
            writeChanges: { $0.map(wrapped.writeChanges) ?? .word(absence.word) },
            schema: absence.schema(wrapped.schema()),
            visitDistributions: { value, path, visitor in
                guard var wrappedValue = value else { return }
                wrapped.visitDistributions(&wrappedValue, path, visitor)
                value = wrappedValue
            },
            draw: { draws, usual in
                // A default value may be replaced by its absence.
                if let usual, usual != nil, draws.coin() { return .some(nil) }
                return wrapped.draw(&draws, usual ?? nil).map { .some($0) }
            }
        )
    }

    /// Returns the notation of a list of values.
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
                        "must be a list, got \(node.excerpt); allowed: \(allowed), such as [a, b]"
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
            writeChanges: { .list($0.map(element.writeChanges)) },
            schema: [
                "type": "array", "items": element.schema(),
                "minItems": .number("\(count.lowerBound)"), "maxItems": .number("\(count.upperBound)"),
            ],
            visitDistributions: { values, path, visitor in
                for index in values.indices {
                    element.visitDistributions(&values[index], Reading.path(path, "\(index)"), visitor)
                }
            },
            draw: { draws, _ in
                let drawn = draws.count(max(1, count.lowerBound)...min(count.lowerBound + 4, count.upperBound))
                return (0..<drawn)
                    .compactMap { index in
                        var draws = draws.inner("\(index)")
                        return element.draw(&draws, nil)
                    }
            }
        )
    }
}

extension Notation where Value == [TimeSpan] {
    /// Returns the notation of times in ascending order; rules require the order, and random values have it.
    static func times(count: ClosedRange<Int>) -> Notation {
        let list = Notation.list(of: .duration(), count: count)
        return list.drawn { draws in Set(list.draw(&draws, nil) ?? []).sorted() }
    }
}

extension Notation where Value == String {
    /// Returns the notation of a text or its absence, which is the empty text.
    @_semantics("optimize.sil.specialize.generic.never")
    static func optional(_ wrapped: Notation, _ absence: Absence) -> Notation {
        Notation(
            read: { node, path, reading in
                switch absence.isStated(node, path, &reading) {
                case true?: ""
                case false?: wrapped.read(node, path, &reading)
                case nil: nil
                }
            },
            write: { $0.isEmpty ? .word(absence.word) : wrapped.write($0) },
            schema: absence.schema(wrapped.schema()),
            draw: wrapped.draw
        )
    }
}
