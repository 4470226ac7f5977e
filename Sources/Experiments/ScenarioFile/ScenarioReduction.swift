public import LiveActivityModel

/// Makes scenarios smaller, to find what matters about one: leaves keys out of its file, one at a time.
public enum ScenarioReduction {
    /// Everything that a file of the scenario states: keys and places of lists with dots between them (`faults.0`,
    /// `sender.rate_limit.burst`), wide before narrow, and the places of a list from its end.
    public static func paths(of scenario: Scenario) -> [String] {
        var paths: [String] = []
        var level: [(path: String, value: StructuredValue)] = [("", Section.scenario.write(scenario))]
        while !level.isEmpty {
            level = level.flatMap { path, value in
                value.parts.map { (Reading.path(path, $0.key), $0.value) }
            }
            paths += level.map(\.path)
        }
        return paths
    }

    /// The scenario of a file that leaves something out, so that its default holds.
    ///
    /// - Returns: nil where there is nothing at the path or no scenario without it.
    public static func scenario(_ scenario: Scenario, without path: String) -> Scenario? {
        let steps = path.split(separator: ".").map(String.init)
        let whole = Section.scenario.write(scenario)
        guard let reduced = whole.leavingOut(steps[...]) else { return nil }
        let text = reduced.yamlLines.joined(separator: "\n") + "\n"
        return try? ScenarioReader.read(yaml: text, named: scenario.name).scenario
    }
}

extension StructuredValue {
    /// What a mapping or a list holds, lists by their places and from the end.
    fileprivate var parts: [Entry] {
        switch self {
        case .mapping(let entries, _): entries
        case .list(let values): values.enumerated().reversed().map { Entry(key: "\($0.offset)", value: $0.element) }
        default: []
        }
    }

    /// The value without what stands at a path; nil where nothing does.
    fileprivate func leavingOut(_ path: ArraySlice<String>) -> StructuredValue? {
        guard let step = path.first else { return nil }
        let rest = path.dropFirst()
        switch self {
        case .mapping(var entries, let isCompact):
            guard let index = entries.firstIndex(where: { $0.key == step }) else { return nil }
            if rest.isEmpty {
                entries.remove(at: index)
            } else {
                guard let inner = entries[index].value.leavingOut(rest) else { return nil }
                entries[index].value = inner
            }
            return .mapping(entries, isCompact: isCompact)
        case .list(var values):
            guard let index = Int(step), values.indices.contains(index) else { return nil }
            if rest.isEmpty {
                values.remove(at: index)
            } else {
                guard let inner = values[index].leavingOut(rest) else { return nil }
                values[index] = inner
            }
            return .list(values)
        default:
            return nil
        }
    }
}
