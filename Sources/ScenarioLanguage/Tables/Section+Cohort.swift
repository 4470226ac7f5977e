import InputFiles
import LiveActivityModel
import Quantities

extension Section where Whole == Scenario.Cohort {
    static var cohort: Section {
        Section("A share of the fleet with values of its own.", Scenario.Cohort(name: "", share: .never)) {
            Field("name", \.name, .identifier, isRequired: true).means("Name of the cohort, for scopes.")
            Field("share", \.share, .share, isRequired: true)
                .means("Share of all rides; the rides that are left belong to the cohort \"others\".")
            Field("rollout", \.rollout, .list(of: .section(.rolloutStep), count: 0...100))
                .means("Later changes of the share, in order of time; rides keep the cohort of their request.")
            Field("set", \.settings, .cohortSettings)
                .means("The cohort's own values under content, devices and monitor, such as content.ttl: 2m.")
        }
    }
}

extension Section where Whole == Scenario.Cohort.Step {
    static var rolloutStep: Section {
        Section("A change of a cohort's share.", Scenario.Cohort.Step(at: .zero, share: .never)) {
            Field("at", \.at, .durationOrLocalTime, isRequired: true)
                .means(
                    "When the share changes: the time from the start of the run, or the first such local time in it."
                )
            Field("share", \.share, .share, isRequired: true)
                .means("Share of the rides that are requested from then on.")
        }
    }
}

extension Notation where Value == [Scenario.Cohort] {
    /// The cohorts of a fleet; those of random scenarios have some values that any scenario can have.
    static var cohorts: Notation {
        Notation.list(of: .section(.cohort), count: 0...Scenario.Cohort.most)
            .drawn { draws in
                (0..<Int(draws.number(1...2)))
                    .map { index in
                        var cohort = Scenario.Cohort(
                            name: "c\(index)",
                            share: Probability(Double(draws.number(0...10)) / 20)
                        )
                        if draws.coin() {
                            let share = Probability(Double(draws.number(0...10)) / 20)
                            cohort.rollout = [.init(at: .seconds(draws.number(0...1800)), share: share)]
                        }
                        cohort.settings =
                            drawnSettings
                            .filter { _ in draws.number(0...3) == 0 }
                            .map { .init(path: $0.path, value: draws.one(of: $0.values)) }
                        return cohort
                    }
            }
    }

    private static var drawnSettings: [(path: String, values: [String])] {
        [
            ("content.ttl", ["20s", "1m", "5m"]), ("content.refresh", ["off", "10s", "1m"]),
            ("content.refresh_priority", ["5", "10"]), ("content.stale_date_missing", ["0%", "10%"]),
            ("devices.activities_enabled", ["0%", "80%"]), ("devices.token.never", ["0%", "20%"]),
            ("devices.token.delay", ["0s", "20s"]), ("devices.swipe.share", ["0%", "50%"]),
            ("devices.end_report", ["0s", "1m"]), ("devices.system_limit", ["1m", "1h"]),
            ("monitor.enabled", ["true", "false"]), ("monitor.fresh_limit", ["0s", "30s"]),
            ("monitor.recovery_window", ["1m", "5m"]), ("monitor.retry.max_attempts", ["0", "1", "5"]),
            ("monitor.feedback", ["acceptance", "delivery"]),
        ]
    }
}

extension Notation where Value == [Scenario.Cohort.Setting] {
    /// Paths with their values.
    static var cohortSettings: Notation {
        Notation(
            read: { node, path, reading in
                guard let mapping = node.mapping else {
                    reading.refuse(
                        path,
                        at: node.place,
                        "must be a section of paths and values, got \(node.excerpt); for example content.ttl: 2m"
                    )
                    return nil
                }
                var isValid = true
                let entries = mapping.flatMap(\.values)
                for entry in entries {
                    let inner = Reading.path(path, entry.key)
                    reading.visit(inner, at: entry.value.place)
                    if let problem = Scenario.Cohort.problem(ofPath: entry.key) {
                        reading.refuse(inner, at: entry.keyPlace, problem, isOfKey: true)
                        isValid = false
                    }
                }
                guard isValid else { return nil }
                return entries.map { Scenario.Cohort.Setting(path: $0.key, value: $0.value.yamlFlow) }
            },
            write: { settings in
                .mapping(settings.map { .init(key: $0.path, value: .word($0.value)) }, isCompact: false)
            },
            schema: ["type": "object"]
        )
    }
}

extension ScenarioNode.Entry {
    /// The entry, or those of a nested section with their paths as keys, as `--set cohorts.0.set.content.ttl=2m` adds them.
    ///
    /// The value of a path with dots is a whole, and so are the parameters of a distribution.
    fileprivate var values: [ScenarioNode.Entry] {
        guard let entries = value.mapping, !entries.isEmpty, !key.contains("."), !value.isDistribution else {
            return [self]
        }
        return entries.flatMap(\.values)
            .map { ScenarioNode.Entry(key: "\(key).\($0.key)", keyPlace: $0.keyPlace, value: $0.value) }
    }
}
