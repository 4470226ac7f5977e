import LiveActivityModel
import Studies

/// A search for the strength of a fault from which a scenario does not recover, over runs of one scenario.
struct ThresholdSearch: Sendable {
    /// Returns the scenario with a fault of a given strength.
    let scenario: @Sendable (_ strength: Double) -> Scenario
    /// Returns `true` if a run shows that the scenario has not recovered.
    let hasCollapsed: @Sendable (Measurements) -> Bool
    /// A strength from which it recovers, and a strength from which it does not.
    var range: ClosedRange<Double>
    /// The maximum difference of the two strengths in the result.
    var precision: Double

    /// Bisects the range until it is narrow enough, and compares its centre with the answer.
    func judgement(of known: Case) async throws -> Judgement {
        var (low, high) = (range.lowerBound, range.upperBound)
        guard try await !collapses(at: low), try await collapses(at: high) else {
            return Judgement(id: known.id, verdict: .fail, remark: "there is no threshold within the range")
        }
        var runs = 2
        while high - low > precision {
            try Task.checkCancellation()
            await Task.yield()
            let middle = (low + high) / 2
            if try await collapses(at: middle) { high = middle } else { low = middle }
            runs += 1
        }
        let estimate = (low + high) / 2
        let exact = known.exactNumber ?? .nan
        let distance = if case .absolute(let distance) = known.tolerance { distance } else { 0.0 }
        return Judgement(
            id: known.id,
            verdict: abs(estimate - exact) <= distance ? .pass : .fail,
            exact: exact,
            estimate: estimate,
            halfWidth: (high - low) / 2,
            seeds: 1,
            remark: "\(runs) runs"
        )
    }

    private func collapses(at strength: Double) async throws -> Bool {
        let world = try ScenarioLoader.world(scenario(strength))
        return hasCollapsed(try await Estimator.measurements(of: world, seed: 1, replication: 0))
    }
}
