public import Evaluation
import LiveActivityModel
import Statistics

/// The values of a response in a run, with the counts of its populations: the basis for comparing two runs.
public struct ResponseValues: Sendable {
    typealias Values = (response: ResolvedResponse, values: RunValues)

    private let own: Values
    /// The counts of the populations that the response is a mean over, each with the count that includes it.
    private let populations: [(count: Values, whole: Values?)]

    /// Creates the values of a result.
    public init(of response: ResolvedResponse, in result: RunResult) {
        let catalog = MetricCatalog(of: result.scenario)
        func resolved(_ response: Response?) -> Values? {
            guard let resolved = try? response?.resolve(in: result.scenario, by: catalog) else { return nil }
            return (resolved, RunValues(of: resolved, in: result, by: catalog))
        }
        self.init(
            (response, RunValues(of: response, in: result, by: catalog)),
            populations: response.response.populations.compactMap { population in
                resolved(population.count).map { ($0, resolved(population.whole)) }
            }
        )
    }

    init(_ own: Values, populations: [(count: Values, whole: Values?)]) {
        self.own = own
        self.populations = populations
    }

    /// The count of the response's population, in words; nil if no setting changes the population.
    public var population: String? {
        let names = populations.map { ResultComparison.called($0.count.response.text) }
        return names.isEmpty ? nil : names.joined(separator: " or ")
    }

    /// Returns `true` if chance does not explain the mean difference, pair by pair.
    public func differ(from others: ResponseValues) -> Bool { Self.differ(own, others.own) }

    private static func differ(_ ours: Values, _ theirs: Values, level: Double = 0.95) -> Bool {
        ours.values.difference(to: theirs.values, of: ours.response, level: level)?.isBeyondChance ?? false
    }

    /// Returns `true` if one of two runs has the better mean, but perhaps only because of a smaller population: see
    /// ``MetricComparison/of(population:among:)``.
    ///
    /// - Parameter pairs: The number of pairs of runs that are checked. Bonferroni's correction makes the count differ
    ///   beyond chance in all of them together.
    public func areOfOthers(than others: ResponseValues, amongPairs pairs: Int) -> Bool {
        populations.indices.contains { index in
            guard others.populations.indices.contains(index) else { return false }
            let (count, otherCount) = (populations[index].count, others.populations[index].count)
            guard Self.differ(count, otherCount, level: 1 - 0.05 / Double(pairs)) else { return false }
            return isBetterInName(than: others, index) || others.isBetterInName(than: self, index)
        }
    }

    private func isBetterInName(than others: ResponseValues, _ index: Int) -> Bool {
        func compared(_ ours: Values?, _ theirs: Values?, noise: Double) -> MetricComparison? {
            guard let ours, let theirs else { return nil }
            return MetricComparison(ours.response, theirs.values, ours.values, ResultComparison.Options(noise: noise))
        }
        // A better mean is determined as in ``differ(from:)``; the noise of a count is the same as in all comparisons.
        let usual = ResultComparison.Options().noise
        let (ours, theirs) = (populations[index], others.populations[index])
        guard let mean = compared(own, others.own, noise: 0),
            let population = compared(ours.count, theirs.count, noise: usual)
        else { return false }
        let all = compared(ours.whole, theirs.whole, noise: usual)
        return mean.of(population: population, among: all).verdict == .otherBasis
    }
}
