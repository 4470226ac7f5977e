import Evaluation
import Results

/// The headline of a comparison.
extension Headline {
    /// Returns the headline of two runs in sentences, each number in the first and in the second; empty for loads and
    /// sweeps, and if a result of an earlier version lacks one of the numbers.
    static func sentences(of comparison: ResultComparison) -> [String] {
        guard !comparison.first.isLoad, !comparison.first.isSweep, comparison.options.cohorts == nil else { return [] }
        var options = comparison.options
        let others = [rightStage, leftovers, belief]
        options.responses = (rideTime + others).map(\.response)
        guard let metrics = try? ResultComparison(comparison.first, comparison.second, options).metrics,
            metrics.count == options.responses.count
        else { return [] }
        func both(_ first: String, _ second: String) -> String { first == second ? first : "\(first) → \(second)" }
        func basis(_ metric: MetricComparison) -> String {
            metric.verdict == .otherBasis ? " (\(metric.words(comparison.options.names.second)))" : ""
        }
        let parts = metrics.prefix(rideTime.count)
        let shares = zip(Self.shares(parts.map(\.first)), Self.shares(parts.map(\.second))).map(both)
        guard shares[0] != Format.undefined else { return [] }
        let rest = zip(others, metrics.dropFirst(rideTime.count))
            .compactMap { number, metric -> String? in
                guard metric.first != nil || metric.second != nil else { return nil }
                let name = ResultComparison.Names.capitalised(number.words)
                return "\(name): \(both(metric.text(metric.first), metric.text(metric.second)))"
                    + (number.whole.map { " of \($0)" } ?? perRun(comparison.second.replications)) + "\(basis(metric))."
            }
        return ["\(rideTime(shares).dropLast())\(basis(metrics[0]))."] + rest
    }
}
