import InputFiles
package import LiveActivityModel
import Quantities

/// Local times as text: `18:00`, `18:00:30` or `Fri 18:00`.
package enum LocalTimeText {
    static let allowed = #""00:00" … "23:59:59", also with a weekday: "Fri 18:00""#

    /// The notation in words, for lists of keys.
    static let form = "a local time such as 18:00 or Fri 18:00"

    static let pattern = "^((Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$"

    /// Returns the text of a local time, with seconds unless they are zero.
    package static func text(_ time: Scenario.LocalTime) -> String {
        let seconds = time.timeOfDay.microseconds / 1_000_000
        let parts = [seconds / 3600, seconds / 60 % 60] + (seconds % 60 == 0 ? [] : [seconds % 60])
        return (time.weekday.map { "\($0.name) " } ?? "")
            + parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    /// Reads a local time; nil for any other text.
    static func time(_ text: String) -> Scenario.LocalTime? {
        let weekday = Scenario.Weekday.allCases.first { text.hasPrefix("\($0.name) ") }
        let text = weekday.map { String(text.dropFirst($0.name.count + 1)) } ?? text
        guard text.hasForm("00:00") || text.hasForm("00:00:00") else { return nil }
        let parts = text.split(separator: ":").map { Int64($0) ?? 0 }
        guard parts[0] < 24, parts.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        let time = zip(parts, [3600, 60, 1]).reduce(TimeSpan.zero) { $0 + .seconds($1.0 * $1.1) }
        return Scenario.LocalTime(weekday: weekday, timeOfDay: time)
    }
}

extension ScenarioNode {
    /// Returns the tree with the local times of faults replaced by the durations from the start of the run.
    ///
    /// A time on a weekday remains if the start has none; its notation refuses it. Without a valid start, the default
    /// applies, because the start is refused itself.
    func resolvingLocalTimes() -> ScenarioNode {
        let text = value("clock")?.value("starts_at")?.scalar ?? ""
        let start = LocalTimeText.time(text) ?? Scenario.Clock().start
        return changingFaultTimes { time in time.first(after: start).map { DurationText.text($0) } }
    }

    /// `true` if a fault begins at a local time.
    package var hasLocalTimes: Bool {
        var isFound = false
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
