import InputFiles

/// The merging of a scenario file with the file that it extends.
extension ScenarioNode {
    /// Returns this tree with the entries of another tree that it lacks.
    ///
    /// Sections are merged key by key. Lists, scalars and distributions are replaced as a whole. Factors and checks of
    /// the other file are not used, because they belong to its experiment.
    ///
    /// - Parameter step: The number of steps of the other file beyond the nearest.
    func extending(_ base: [Entry], step: Int) -> ScenarioNode {
        let taken = base.filter { $0.key != "factors" && $0.key != "checks" }
        return ScenarioNode(content: .mapping(taken), place: place).placed { $0.inExtended(step: step) }
            .overlaid(by: self)
    }

    /// The name of the extended file, with its place; nil if there is none.
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

    /// `true` if the value is a distribution, whose parameters belong together.
    private var isDistribution: Bool {
        guard let entries = mapping, entries.count == 1 else { return false }
        return DistributionNotation.familyKeys.contains(entries[0].key)
    }

    /// Returns the tree with all its places converted.
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
    /// Returns the same line and column in an extended file.
    func inExtended(step: Int) -> Place {
        guard case .file(let line, let column) = self else { return self }
        return .extended(step: step, line: line, column: column)
    }
}
