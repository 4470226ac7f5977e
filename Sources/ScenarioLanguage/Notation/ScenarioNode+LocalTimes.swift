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
        return changingTimes { time in time.first(after: start).map { DurationText.text($0) } }
            .changingWindows { Response.countingFromStart($0, at: start) }
    }

    /// `true` if a fault or a step of a rollout is at a local time, or a window has one.
    package var hasLocalTimes: Bool {
        var isFound = hasLocalWindows
        _ = changingTimes { _ in
            isFound = true
            return nil
        }
        return isFound
    }

    /// Returns the tree with other texts for the local times of faults and rollouts; a time stays if its new text is nil.
    private func changingTimes(_ text: (Scenario.LocalTime) -> String?) -> ScenarioNode {
        func changed(_ entry: ScenarioNode) -> ScenarioNode {
            entry.changing("at") { at in
                var at = at
                if let time = at.scalar.flatMap(LocalTimeText.time), let text = text(time) {
                    at.content = .scalar(text, isPlain: true)
                }
                return at
            }
        }
        return changing("faults") { $0.changingElements(changed) }
            .changing("cohorts") { $0.changingElements { $0.changing("rollout") { $0.changingElements(changed) } } }
    }

    /// Returns the list with other elements; the node itself if it is no list.
    private func changingElements(_ change: (ScenarioNode) -> ScenarioNode) -> ScenarioNode {
        guard let list else { return self }
        var node = self
        node.content = .list(list.map(change))
        return node
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
