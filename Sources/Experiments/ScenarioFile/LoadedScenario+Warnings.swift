public import LiveActivityModel

extension LoadedScenario {
    /// What settings of `rides.scale` or `cells` do to the load of a cell, to be said before the scenario runs; nil where they leave
    /// it alone.
    ///
    /// - Throws: What is wrong with the file without settings.
    public func warningOfScale(file: String, settings: [String]) throws(ScenarioError) -> String? {
        guard settings.contains(where: { $0.hasPrefix("rides.scale=") || $0.hasPrefix("cells=") }) else { return nil }
        return warningOfScale(beside: try ScenarioReader.read(file: file))
    }

    /// What a setting of `rides.scale` means for the load on each sender; nil where it stays what the file gives it.
    ///
    /// - Parameter file: The same file without settings.
    public func warningOfScale(beside file: LoadedScenario) -> String? {
        let (load, given) = (
            scenario.rides.scale / Double(scenario.cells), file.scenario.rides.scale / Double(file.scenario.cells)
        )
        guard load < given * 0.99, scenario.rides.scale != file.scenario.rides.scale else { return nil }
        let wanted = Double(file.scenario.cells) * scenario.rides.scale / file.scenario.rides.scale
        let advice =
            wanted >= 1
            ? "--set cells=\(Int(wanted.rounded())) keeps the load of a cell as it is in the file"
            : "so few rides do not fill one cell as the file does"
        return
            "rides.scale \(NumberText.text(scenario.rides.scale)) in place of \(NumberText.text(file.scenario.rides.scale)): "
            + "each of the \(scenario.cells) cells has \(NumberText.hundredthsText((load / given * 10_000).rounded() / 10_000))% of the "
            + "file's load, so waits, queues and streams of senders say nothing of the full size\(budgets(load / given)); \(advice)"
    }

    /// What becomes of budgets that are each cell's own where it has a part of the load; empty without such budgets.
    private func budgets(_ load: Double) -> String {
        let budgets = scenario.budgetsOfCells
        guard !budgets.isEmpty else { return "" }
        let times = NumberText.text((10 / load).rounded() / 10)
        return
            ", and \(budgets.joined(separator: " and ")) \(budgets.count == 1 ? "allows" : "allow") \(times) times as many "
            + "retries a ride"
    }

    /// That the file has its name from one that it extends, for where results go by the name: each would replace the other's.
    ///
    /// Nil where it does not.
    public var warningOfName: Diagnostic? {
        guard case .extended(let step, _, _) = place(ofValue: "name") else { return nil }
        return diagnostic(
            at: "extends",
            "takes the name from \(extendedFiles[step]), so results of both go to the same directory; give the file a name of "
                + "its own"
        )
    }

    /// What is allowed and hardly meant, each at its place.
    public var warnings: [Diagnostic] {
        guard scenario.generatesNoUpdates else { return [] }
        let limit = scenario.devices.initialContentLimit.map { "ends after \(DurationText.text($0))" }
        return [
            diagnostic(
                at: "content.refresh",
                "is off, and rides have one stage: no update is ever generated. An activity "
                    + "\(limit ?? "keeps its first content"), unless a retry of the monitor comes first; give content.refresh, "
                    + "content.updates_at, or a second stage"
            )
        ]
    }
}

extension Scenario {
    /// The retry budgets that every cell has for itself, whatever its number of rides, by their keys.
    public var budgetsOfCells: [String] {
        [
            ("monitor.retry.budget", monitor.enabled ? monitor.retry.budget : nil),
            ("sender.retry_budget", sender.retryBudget),
        ]
        .filter { $0.1 != nil }.map(\.0)
    }

    /// Whether there is no occasion for an update: no refresh, and no change from one stage to another.
    public var generatesNoUpdates: Bool {
        content.updatesAt.isEmpty && content.refresh == nil && rides.stages.count == 1
            && rides.stages.allSatisfy { $0.refresh == nil }
    }
}
