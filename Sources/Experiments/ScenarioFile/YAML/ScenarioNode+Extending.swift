/// One scenario file on top of another.
extension ScenarioNode {
    /// This tree with the entries of another where it has none of its own.
    ///
    /// Sections are put together key by key; lists, single values and distributions replace what stands there. Factors and
    /// checks of the other file are not taken over, for they belong to that experiment.
    ///
    /// - Parameter step: How many steps the other file is beyond the nearest.
    func extending(_ base: [Entry], step: Int) -> ScenarioNode {
        let taken = base.filter { $0.key != "factors" && $0.key != "checks" }
        return ScenarioNode(content: .mapping(taken), place: place).placed { $0.inExtended(step: step) }
            .overlaid(by: self)
    }

    /// What a file says that it extends, with the place of the name; nil where it says nothing.
    var extended: (name: String, place: Place)? {
        guard let value = mapping?.first(where: { $0.key == "extends" })?.value, let name = value.scalar else {
            return nil
        }
        return (name, value.place)
    }

    private func overlaid(by other: ScenarioNode) -> ScenarioNode {
        guard var entries = mapping, let others = other.mapping, !isDistribution, !other.isDistribution else {
            return other
        }
        for entry in others {
            if let index = entries.firstIndex(where: { $0.key == entry.key }) {
                entries[index].keyPlace = entry.keyPlace
                entries[index].value = entries[index].value.overlaid(by: entry.value)
            } else {
                entries.append(entry)
            }
        }
        return ScenarioNode(content: .mapping(entries), place: other.place)
    }

    /// Whether the value is a distribution, whose parameters make sense together only.
    private var isDistribution: Bool {
        guard let entries = mapping, entries.count == 1 else { return false }
        return DistributionNotation.familyKeys.contains(entries[0].key)
    }

    /// The tree with all of its places moved.
    func placed(_ move: (Place) -> Place) -> ScenarioNode {
        let moved: Content =
            switch content {
            case .scalar: content
            case .list(let nodes): .list(nodes.map { $0.placed(move) })
            case .mapping(let entries):
                .mapping(
                    entries.map { Entry(key: $0.key, keyPlace: move($0.keyPlace), value: $0.value.placed(move)) }
                )
            }
        return ScenarioNode(content: moved, place: move(place))
    }
}

extension Place {
    /// The same line and column of a file that is extended.
    func inExtended(step: Int) -> Place {
        guard case .file(let line, let column) = self else { return self }
        return .extended(step: step, line: line, column: column)
    }
}
