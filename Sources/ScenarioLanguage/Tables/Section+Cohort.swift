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
    fileprivate var values: [ScenarioNode.Entry] {
        guard let entries = value.mapping, !entries.isEmpty, !key.contains("."), !value.isDistribution else {
            return [self]
        }
        return entries.flatMap { inner -> [ScenarioNode.Entry] in
            var inner = inner
            let nested = inner.value.mapping.map { !$0.isEmpty } ?? false
            let isSection = nested && !inner.value.isDistribution
            if isSection {
                return inner.values.map { deeper in
                    ScenarioNode.Entry(key: "\(key).\(deeper.key)", keyPlace: deeper.keyPlace, value: deeper.value)
                }
            }
            inner.key = "\(key).\(inner.key)"
            return [inner]
        }
    }
}

extension Scenario.Cohort {
    /// The sections that a cohort can have values in.
    private static let sections = ["content", "devices", "monitor"]
    /// The values under these sections that a cell has once for all cohorts, each with the reason.
    private static let shared: [(path: String, reason: String, isSame: @Sendable (Scenario, Scenario) -> Bool)] = [
        (
            "content.eta.file", "rides have one set of estimates",
            { $1.content.eta == nil || $0.content.eta?.file == $1.content.eta?.file }
        ),
        (
            "content.eta.columns", "rides have one set of estimates",
            { $1.content.eta == nil || $0.content.eta?.columns == $1.content.eta?.columns }
        ),
        (
            "content.payload.limit", "APNs has one limit for all",
            { $0.content.payload.limit == $1.content.payload.limit }
        ),
        (
            "content.payload.photo_stage", "all rides have their photo from one stage on",
            { $0.content.payload.photoStage == $1.content.payload.photoStage }
        ),
        (
            "content.timestamp_resolution", "the server has one clock for all",
            { $0.content.timestampResolution == $1.content.timestampResolution }
        ),
        (
            "monitor.retry.budget", "cohorts share the budget of their cell",
            { $0.monitor.retry.budget == $1.monitor.retry.budget }
        ),
    ]

    /// Returns the problem of a cohort whose values differ from those that all share; nil if none does.
    fileprivate static func problem(of own: Scenario, in scenario: Scenario) -> String? {
        shared.first { !$0.isSame(scenario, own) }
            .map { "sets \($0.path), which cannot differ between cohorts: \($0.reason)" }
    }

    /// Returns the problem of a path that a cohort cannot set; nil if it can.
    fileprivate static func problem(ofPath path: String) -> String? {
        if let (_, reason, _) = shared.first(where: { Reading.isPath(path, within: $0.path) }) {
            return "cannot differ between cohorts: \(reason)"
        }
        guard !sections.contains(where: { path.hasPrefix("\($0).") }) || path.hasSuffix(".") else { return nil }
        return "must be the path of a value under content, devices or monitor, such as content.ttl"
    }
}

extension ScenarioNode {
    /// The tree of a cohort's scenario: the file without cohorts, design and checks, with the cohort's values.
    ///
    /// - Parameter place: Returns the place of a value.
    func laid(
        _ settings: [Scenario.Cohort.Setting],
        at place: (Scenario.Cohort.Setting) -> Place
    ) throws(SourceError) -> ScenarioNode {
        var tree = self
        if let entries = mapping {
            let left = ["cohorts", "factors", "checks", "extends"]
            tree.content = .mapping(entries.filter { !left.contains($0.key) })
        }
        for setting in settings {
            let place = place(setting)
            try Setting("\(setting.path)=\(setting.value)", place: place, keyPlace: place).apply(to: &tree)
        }
        return tree
    }
}

extension Scenario {
    /// Reads the sections of each cohort, and refuses values that make them invalid.
    ///
    /// - Parameter root: The tree of the scenario.
    mutating func readCohorts(of root: ScenarioNode, _ reading: inout Reading) {
        for index in cohorts.indices {
            let path = "cohorts.\(index).set"
            var inner = Reading()
            do throws(SourceError) {
                let tree = try root.laid(cohorts[index].settings) { reading.place(of: "\(path).\($0.path)") }
                let own = Section.scenario.read(tree.resolvingLocalTimes(), "", &inner)
                if let own { ScenarioRules(own).check(&inner) }
                for error in inner.errors {
                    reading.refuse(path, at: error.place, "makes \(error.path) invalid, which \(error.message)")
                }
                guard let own, inner.errors.isEmpty else { continue }
                if let problem = Cohort.problem(of: own, in: self) { reading.refuse(path, problem) }
                for requirement in Requirement.ofCohorts {
                    guard let lack = requirement.unmet(by: self), requirement.unmet(by: own) == nil else { continue }
                    reading.refuse(
                        path,
                        "switches on what is off in the scenario (\(lack.reason)), where results do not show it: switch it on in "
                            + "the scenario, and off in the cohorts without it"
                    )
                }
                cohorts[index].sections = Cohort.Sections(own)
            } catch {
                reading.refuse(path, at: error.place, "has an invalid path: \(error.sentence)")
            }
        }
    }
}

extension LoadedScenario {
    /// Returns the scenario of a cohort's rides, without its data files.
    package func cohort(_ index: Int) throws(ScenarioError) -> LoadedScenario {
        let tree: ScenarioNode
        do throws(SourceError) {
            tree = try root.laid(scenario.cohorts[index].settings) {
                place(ofValue: "cohorts.\(index).set.\($0.path)") ?? .file(line: 1, column: 1)
            }
        } catch {
            throw .invalid([source.diagnostic(error)])
        }
        return try ScenarioReader.read(root: tree, source: source)
    }
}
