public import LiveActivityModel

/// Reduces scenarios to find the keys that matter, by leaving keys out of the file one at a time.
public enum ScenarioReduction {
    /// Returns the paths of all differences from the defaults: keys and list indices separated by dots (`faults.0`,
    /// `sender.rate_limit.burst`).
    ///
    /// Wide paths come before narrow ones, and list indices from the end.
    public static func paths(of scenario: Scenario) -> [String] {
        var paths: [String] = []
        let whole = Part(path: "", value: Section.scenario.write(scenario), usual: Section.scenario.write(Scenario()))
        var level = whole.parts
        while !level.isEmpty {
            paths += level.map(\.path)
            level = level.flatMap(\.parts)
        }
        return paths
    }

    /// Returns the scenario of a file without the value at a path, so that its default holds.
    ///
    /// - Returns: The scenario; nil if there is nothing at the path, or no valid scenario without it.
    public static func scenario(_ scenario: Scenario, without path: String) -> Scenario? {
        let steps = path.split(separator: ".").map(String.init)
        let whole = Section.scenario.write(scenario)
        guard let reduced = whole.leavingOut(steps[...]) else { return nil }
        let text = reduced.yamlLines.joined(separator: "\n") + "\n"
        return try? ScenarioReader.read(yaml: text, named: scenario.name).scenario
    }
}

/// A value at a path of a file, with its default.
private struct Part {
    let path: String
    let value: StructuredValue
    let usual: StructuredValue?

    /// The parts that differ from the default; the elements of a list from the end.
    var parts: [Part] {
        let inner: [StructuredValue.Entry]
        switch value {
        case .mapping(let entries, _): inner = entries
        case .list(let values):
            inner = values.enumerated().reversed().map { .init(key: "\($0.offset)", value: $0.element) }
        default: inner = []
        }
        var usualEntries: [StructuredValue.Entry] = []
        if case .mapping(let entries, _) = usual { usualEntries = entries }
        return inner.compactMap { entry in
            let usual = usualEntries.first { $0.key == entry.key }?.value
            guard entry.value != usual else { return nil }
            return Part(path: Reading.path(path, entry.key), value: entry.value, usual: usual)
        }
    }
}

extension StructuredValue {
    /// Returns the value without the part at a path; nil if there is none.
    func leavingOut(_ path: ArraySlice<String>) -> StructuredValue? {
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
