public import LiveActivityModel

extension LoadedScenario {
    /// What is allowed and hardly meant, each at its place.
    public var warnings: [Diagnostic] {
        guard scenario.generatesNoUpdates else { return [] }
        let limit = scenario.devices.initialContentLimit.map { "ends after \(DurationText.text($0))" }
        return [
            diagnostic(
                at: "content.refresh",
                "is none, and rides have one stage: no update is ever generated. An activity "
                    + "\(limit ?? "keeps its first content"), unless a retry of the monitor comes first; give content.refresh, "
                    + "content.updates_at, or a second stage"
            )
        ]
    }
}

extension Scenario {
    /// Whether there is no occasion for an update: no refresh, and no change from one stage to another.
    public var generatesNoUpdates: Bool {
        content.updatesAt.isEmpty && content.refresh == nil && rides.stages.count == 1
            && rides.stages.allSatisfy { $0.refresh == nil }
    }
}
