import InputFiles
import LiveActivityModel

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
    static func problem(ofPath path: String) -> String? {
        if let (_, reason, _) = shared.first(where: { Reading.isPath(path, within: $0.path) }) {
            return "cannot differ between cohorts: \(reason)"
        }
        guard !sections.contains(where: { path.hasPrefix("\($0).") }) || path.hasSuffix(".") else { return nil }
        return "must be the path of a value under content, devices or monitor, such as content.ttl"
    }
}

extension ScenarioNode {
    /// The tree of a cohort's scenario: the file without cohorts, replications, design and checks, with the cohort's values.
    ///
    /// - Parameter place: Returns the place of a value.
    fileprivate func laid(
        _ settings: [Scenario.Cohort.Setting],
        at place: (Scenario.Cohort.Setting) -> Place
    ) throws(SourceError) -> ScenarioNode {
        var tree = without(["cohorts", "factors", "checks", "extends", "replications"])
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
