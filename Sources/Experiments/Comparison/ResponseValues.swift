import LiveActivityModel

/// What a run gives for a response, and for the number of those of which it is a mean: two runs can be compared by it.
public struct ResponseValues: Sendable {
    private let response: ResolvedResponse
    private let values: RunValues
    /// The numbers of those of which the response is a mean, and of all of whom they are a part.
    private let count, whole: (response: ResolvedResponse, values: RunValues)?

    /// The values of a result.
    public init(of response: ResolvedResponse, in result: RunResult) {
        func resolved(_ response: Response?) -> (ResolvedResponse, RunValues)? {
            guard let resolved = try? response?.resolve(in: result.scenario) else { return nil }
            return (resolved, RunValues(of: resolved, in: result))
        }
        self.init(
            response: response,
            values: RunValues(of: response, in: result),
            count: resolved(response.response.population?.count),
            whole: resolved(response.response.population?.whole)
        )
    }

    init(
        response: ResolvedResponse,
        values: RunValues,
        count: (ResolvedResponse, RunValues)?,
        whole: (ResolvedResponse, RunValues)?
    ) {
        self.response = response
        self.values = values
        self.count = count
        self.whole = whole
    }

    /// What counts those of which the response is a mean; nil where no setting changes who they are.
    public var population: String? { count?.response.text }

    /// Whether the 95 % interval of the mean difference, pair by pair, leaves zero out.
    public func differ(from others: ResponseValues) -> Bool { values.differ(from: others.values) }

    /// Whether one of two runs has the better mean, and perhaps only over what is left: see
    /// ``MetricComparison/of(population:among:)``.
    ///
    /// - Parameter pairs: How many pairs of runs are looked at: the number has to differ beyond what chance makes in any of
    ///   them (Bonferroni's correction).
    public func areOfOthers(than others: ResponseValues, amongPairs pairs: Int) -> Bool {
        guard let count, let otherCount = others.count,
            count.values.differ(from: otherCount.values, level: 1 - 0.05 / Double(pairs))
        else { return false }
        return isBetterInName(than: others) || others.isBetterInName(than: self)
    }

    private func isBetterInName(than others: ResponseValues) -> Bool {
        typealias Values = (response: ResolvedResponse, values: RunValues)
        func compared(_ ours: Values?, _ theirs: Values?, noise: Double) -> MetricComparison? {
            guard let ours, let theirs else { return nil }
            return MetricComparison(ours.response, theirs.values, ours.values, RunComparison.Options(noise: noise))
        }
        // That it is better is told as by ``differ(from:)``; how far a number may move, as wherever runs are compared.
        let usual = RunComparison.Options().noise
        guard let mean = compared((response, values), (others.response, others.values), noise: 0),
            let population = compared(count, others.count, noise: usual)
        else { return false }
        let all = compared(whole, others.whole, noise: usual)
        return mean.of(population: population, among: all).verdict == .otherRuler
    }
}
