import Evaluation
import InputFiles
import LiveActivityModel

extension ScenarioNode {
    /// Returns the tree with the local times of faults and windows replaced by the durations from the start of the run.
    ///
    /// A time on a weekday remains if the start has none; its notation refuses it. Without a valid start, the default
    /// applies, because the start is refused itself.
    func resolvingLocalTimes() -> ScenarioNode {
        let text = value("clock")?.value("starts_at")?.scalar ?? ""
        let start = LocalTimeText.time(text) ?? Scenario.Clock().start
        return changingFaultTimes { time in time.first(after: start).map { DurationText.text($0) } }
            .changingWindows { Response.countingFromStart($0, at: start) }
    }

    /// `true` if a fault begins at a local time, or a window has one.
    package var hasLocalTimes: Bool {
        var isFound = hasLocalWindows
        _ = changingFaultTimes { _ in
            isFound = true
            return nil
        }
        return isFound
    }

    /// Returns the tree with other texts for the local times of faults; a time stays if its new text is nil.
    private func changingFaultTimes(_ text: (Scenario.LocalTime) -> String?) -> ScenarioNode {
        changing("faults") { faults in
            guard let list = faults.list else { return faults }
            var faults = faults
            faults.content = .list(
                list.map { fault in
                    fault.changing("at") { at in
                        var at = at
                        if let time = at.scalar.flatMap(LocalTimeText.time), let text = text(time) {
                            at.content = .scalar(text, isPlain: true)
                        }
                        return at
                    }
                }
            )
            return faults
        }
    }

    /// `true` if a window of a check, a response or a goal has a local time.
    var hasLocalWindows: Bool {
        var isFound = false
        _ = changingWindows { text in
            if Response.localWindow(in: text) != nil { isFound = true }
            return text
        }
        return isFound
    }

    /// Returns the tree with other texts for the checks, the responses and the goal.
    private func changingWindows(_ change: (String) -> String) -> ScenarioNode {
        changing("checks") { $0.changingTexts(change) }
            .changing("factors") { factors in
                factors.changing("responses") { $0.changingTexts(change) }.changing("goal") { $0.changingTexts(change) }
            }
    }

    /// Returns the tree with other texts for all scalars, except for names.
    private func changingTexts(_ change: (String) -> String) -> ScenarioNode {
        var node = self
        switch content {
        case .scalar(let text, let isPlain): node.content = .scalar(change(text), isPlain: isPlain)
        case .list(let nodes): node.content = .list(nodes.map { $0.changingTexts(change) })
        case .mapping(var entries):
            for index in entries.indices where entries[index].key != "name" {
                entries[index].value = entries[index].value.changingTexts(change)
            }
            node.content = .mapping(entries)
        }
        return node
    }

    private func value(_ key: String) -> ScenarioNode? { mapping?.first { $0.key == key }?.value }

    /// Returns the section with another value for a key; unchanged without the key.
    private func changing(_ key: String, _ change: (ScenarioNode) -> ScenarioNode) -> ScenarioNode {
        guard var entries = mapping, let index = entries.firstIndex(where: { $0.key == key }) else { return self }
        entries[index].value = change(entries[index].value)
        var section = self
        section.content = .mapping(entries)
        return section
    }
}
