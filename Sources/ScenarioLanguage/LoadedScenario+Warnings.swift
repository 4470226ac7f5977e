public import InputFiles
public import LiveActivityModel
import Quantities
import Statistics

extension LoadedScenario {
    /// Returns a warning if settings of `rides.scale` or `cells` change the load of a cell; nil otherwise.
    ///
    /// - Throws: The problems of the file without settings.
    public func warningOfScale(file: String, settings: [String]) throws(ScenarioError) -> String? {
        guard settings.contains(where: { $0.hasPrefix("rides.scale=") || $0.hasPrefix("cells=") }) else { return nil }
        return warningOfScale(beside: try ScenarioReader.read(file: file))
    }

    /// Returns a warning if a setting of `rides.scale` changes the load of each sender; nil otherwise.
    ///
    /// - Parameter file: The file without settings.
    public func warningOfScale(beside file: LoadedScenario) -> String? {
        let (load, given) = (
            scenario.rides.scale / Double(scenario.cells), file.scenario.rides.scale / Double(file.scenario.cells)
        )
        guard load < given * 0.99, scenario.rides.scale != file.scenario.rides.scale else { return nil }
        let cells = Double(file.scenario.cells) * scenario.rides.scale / file.scenario.rides.scale
        let advice =
            Int(cells.rounded()) == scenario.cells
            ? "no other number of cells is nearer to the load of a cell in the file"
            : cells >= 1
                ? "--set cells=\(Int(cells.rounded())) keeps the load of a cell as it is in the file"
                : "there are too few rides for one cell with the file's load"
        let cell = scenario.cells == 1 ? "the cell" : "each of the \(scenario.cells) cells"
        return
            "rides.scale \(NumberText.text(scenario.rides.scale)) instead of \(NumberText.text(file.scenario.rides.scale)): "
            + "\(cell) has \(NumberText.hundredthsText((load / given * 10_000).rounded() / 10_000))% of the "
            + "file's load, so waits, queues and streams of senders are not those of the full size\(budgets(load / given)); \(advice)"
    }

    /// Returns the effect of a smaller load on retry budgets that belong to a cell; empty without such budgets.
    private func budgets(_ load: Double) -> String {
        let budgets = scenario.budgetsOfCells
        guard !budgets.isEmpty else { return "" }
        let times = NumberText.text((10 / load).rounded() / 10)
        return
            ", and \(budgets.joined(separator: " and ")) \(budgets.count == 1 ? "allows" : "allow") \(times) times as many "
            + "retries per ride"
    }

    /// A warning if factors vary one parameter of a lognormal distribution without the other, which changes its shape; nil
    /// otherwise.
    public var warningOfShape: String? {
        let paths = (experiment.factors?.vary ?? []).map(\.path)
        let alone = paths.compactMap { path -> (path: String, other: String, distribution: String)? in
            let keys = path.split(separator: ".").map(String.init)
            guard let key = keys.last, keys.dropLast().last == "lognormal",
                let other = ["median": "p95", "p95": "median"][key]
            else { return nil }
            let section = keys.dropLast().joined(separator: ".")
            guard !paths.contains("\(section).\(other)") else { return nil }
            return (path, "\(section).\(other)", keys.dropLast(2).joined(separator: "."))
        }
        guard let first = alone.first else { return nil }
        let rest = alone.count > 1 ? ", as \(alone.dropFirst().map(\.path).joined(separator: ", ")) without theirs" : ""
        return
            "the factor \(first.path) varies without \(first.other)\(rest), so levels also differ in shape, which may decide the "
            + "answer; to keep the shape, vary both in the same ratio and zip them (factors.zip, --zip), or vary "
            + "\(first.distribution) by named levels ({short: {lognormal: {median: 30s, p95: 75s}}, long: …})"
    }

    /// A warning if the file takes its name from a file that it extends.
    ///
    /// Results are named after the scenario, so the two would replace each other's results. Nil otherwise.
    public var warningOfName: Diagnostic? {
        guard case .extended(let step, _, _) = place(ofValue: "name") else { return nil }
        return diagnostic(
            at: "extends",
            "takes the name from \(extendedFiles[step]), so results of both go to the same directory; give the file a name of "
                + "its own"
        )
    }

    /// Warnings about allowed but probably unintended values, each with its place.
    public var warnings: [Diagnostic] {
        [warningOfLeftOut].compactMap(\.self) + warningsOfUpdates
    }

    /// A warning if an extended file has checks or factors, which this file does not inherit; nil otherwise.
    private var warningOfLeftOut: Diagnostic? {
        let (checks, factors) = (source.leftOut.checks, source.leftOut.factors)
        let parts = [(checks, "check"), (factors, "factor")].filter { $0.0 > 0 }
            .map { "\($0) \($1)\($0 == 1 ? "" : "s")" }
        guard !parts.isEmpty else { return nil }
        let isOne = checks + factors == 1
        return diagnostic(
            at: "extends",
            "takes neither checks nor factors from another file: \(parts.joined(separator: " and ")) of "
                + "\(source.leftOut.files.joined(separator: " and ")) \(isOne ? "is" : "are") not inherited; copy "
                + "\(isOne ? "it if this file needs it" : "those that this file needs")"
        )
    }

    private var warningsOfUpdates: [Diagnostic] {
        // Each cohort may have refreshes of its own.
        guard scenario.cohorts.isEmpty else { return [] }
        guard scenario.generatesNoUpdates else { return [warningOfRefreshes].compactMap(\.self) }
        let limit = scenario.devices.initialContentLimit.map { "ends after \(DurationText.text($0))" }
        return [
            diagnostic(
                at: "content.refresh",
                "is off, and rides have one stage: no update is ever generated. An activity "
                    + "\(limit ?? "keeps its first content"), unless the monitor retries first; set content.refresh, "
                    + "content.updates_at, or a second stage"
            )
        ]
    }

    /// A warning if nothing refreshes a card in a stage that is usually longer than its content stays fresh; nil otherwise.
    private var warningOfRefreshes: Diagnostic? {
        let stages = scenario.stagesThatTurnStale
        guard let first = stages.first else { return nil }
        let names = scenario.rides.stages.map(\.name)
        let others = stages.dropFirst().map { "\"\(names[$0])\"" }
        let further = others.isEmpty ? "" : ", as have \(others.joined(separator: ", "))"
        let end = scenario.monitor.enabled ? "the monitor retries or the next stage begins" : "the next stage begins"
        return diagnostic(
            at: "rides.stages.\(first)",
            "(\"\(names[first])\") has no refresh\(further), and content.refresh is off: a card turns stale content.ttl "
                + "(\(DurationText.text(scenario.content.ttl))) after the stage begins and stays stale until "
                + "\(end); set refresh of the stage, or content.refresh"
        )
    }
}

extension Scenario {
    /// The keys of retry budgets that each cell has for itself, whatever its number of rides.
    public var budgetsOfCells: [String] {
        [
            ("monitor.retry.budget", monitor.enabled ? monitor.retry.budget : nil),
            ("sender.retry_budget", sender.retryBudget),
        ]
        .filter { $0.1 != nil }.map(\.0)
    }

    /// `true` if nothing causes an update: there is no refresh and no change between stages.
    public var generatesNoUpdates: Bool {
        content.updatesAt.isEmpty && content.refreshing == nil && rides.stages.count == 1
            && rides.stages.allSatisfy { $0.refresh == nil }
    }

    /// The indices of stages in which nothing causes an update, although they last longer than the TTL on average.
    fileprivate var stagesThatTurnStale: [Int] {
        guard content.updatesAt.isEmpty, content.refreshing == nil, !devices.localUpdates.enabled, rides.trace == nil
        else { return [] }
        return rides.stages.indices.filter { place in
            let stage = rides.stages[place]
            return stage.refresh == nil && stage.duration.mean > Double(content.ttl.microseconds)
        }
    }
}
