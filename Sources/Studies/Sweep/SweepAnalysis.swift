import Evaluation
import LiveActivityModel
import ScenarioLanguage
import SimulationKernel
public import Statistics

/// The analysis of a sweep: the factors that matter, and the Pareto front of design points.
public struct SweepAnalysis: Sendable {
    /// The result of the sweep.
    public let result: SweepResult
    /// For each response, the main effects of the levels of each group of factors, in the order of ``groupNames``.
    ///
    /// Points that could not measure the response are left out. Nil for a design without levels, or if the response is
    /// undefined at another point.
    public let effects: [MainEffects?]
    /// For each response, the shares of its variance due to each group of factors; nil except for a complete `saltelli`
    /// design.
    public let sensitivity: [SobolIndices?]
    /// The trade-off between freshness and pushes.
    ///
    /// Nil without comparable responses for both, or if a factor belongs to the world, such as the length of an outage,
    /// and cannot be chosen.
    public let tradeOff: TradeOff?

    /// The level of each group of factors, for each point; nil for a design without levels.
    private let levelNumbers: [[Int]]?

    /// The trade-off between freshness and its price in pushes.
    public struct TradeOff: Sendable {
        /// The index of the response to maximise.
        public let gain: Int
        /// The index of the response to minimise.
        public let cost: Int
        /// The Pareto front, by indices of points in the result.
        public let front: ParetoFront
    }

    /// Analyses a result.
    ///
    /// - Complexity: O(*points*²) for the Pareto front with replications, else linear.
    public init(_ result: SweepResult) {
        self.result = result
        let factors = result.sweep.factors
        let samples = result.responses.indices.map { result.samples(of: $0) }
        let numbers = factors.design == .grid ? SweepAnalysis.levelNumbers(result) : nil
        levelNumbers = numbers
        effects = result.responses.indices.map { response in
            let measured = result.measuredPoints(of: response)
            guard !measured.isEmpty, let samples = result.samples(of: response, at: measured), let numbers else {
                return nil
            }
            return MainEffects(
                points: measured.map { numbers[$0] },
                responses: samples,
                eventSizes: measured.map { result.points[$0].eventSizes[response] }
            )
        }
        let isCrossed = factors.design == .saltelli && result.sweep.isWhole && factors.points >= 2
        let random = RandomSource(seed: result.sweep.experiment.scenario.seed, replication: 0)
        sensitivity = samples.map { samples in
            guard let samples, isCrossed else { return nil }
            return SobolIndices(
                outputs: samples.map { $0.reduce(0, +) / Double($0.count) },
                factors: factors.groups.count,
                source: random,
                entity: SweepAnalysis.resampling,
                purpose: UInt16(truncatingIfNeeded: SweepAnalysis.resampling)
            )
        }
        tradeOff = SweepAnalysis.tradeOff(result, samples)
    }

    /// The names of the groups of factors.
    ///
    /// Zipped factors are one group.
    public var groupNames: [String] {
        result.sweep.factors.groups.map { $0.map(\.path).joined(separator: " + ") }
    }

    /// Returns `true` if a point of the design has a level of a group, by their indices.
    public func hasPoints(atLevel level: Int, ofGroup group: Int) -> Bool {
        levelNumbers?.contains { $0[group] == level } ?? false
    }

    /// Returns the labels of a group's levels: the level of its only factor, or the levels of all its factors if they
    /// differ.
    public func levelLabels(ofGroup group: Int) -> [String] {
        let members = result.sweep.factors.groups[group].map(\.labels)
        return members[0].indices
            .map { level in
                let labels = members.map { $0[level] }
                return labels.contains { $0 != labels[0] } ? labels.joined(separator: " + ") : labels[0]
            }
    }

    /// The entity of the resampling stream, which no ride or other entity of the model has.
    private static let resampling: UInt64 = 0xB007_0000_0000_B007

    /// Returns the index of the level of each group of factors, for each point.
    ///
    /// Zipped factors have one level.
    private static func levelNumbers(_ result: SweepResult) -> [[Int]] {
        let factors = result.sweep.factors
        let leaders = factors.groups.compactMap { group in factors.vary.firstIndex { $0.path == group[0].path } }
        let labels = leaders.map { factors.vary[$0].labels }
        return result.points.map { point in
            zip(leaders, labels).map { leader, known in known.firstIndex(of: point.point.levels[leader].label) ?? 0 }
        }
    }

    private static func tradeOff(_ result: SweepResult, _ samples: [[[Double]]?]) -> TradeOff? {
        let factors = result.sweep.factors
        let responses = factors.responses
        let gain = responses.firstIndex { MetricDirection(of: $0) == .higher && factors.measuresAlike($0) }
        let cost = responses.firstIndex { ["pushes_per_activity", "pushes_sent_count"].contains($0.metric) }
        guard factors.choices.count == factors.vary.count, let gain, let cost, let gains = samples[gain],
            let costs = samples[cost], result.points.count > 1
        else { return nil }
        let directions: [ResponseDirection] = [.maximise, .minimise]
        let points: [[[Double]]] = zip(gains, costs).map { [$0, $1] }
        let front =
            result.sweep.replications > 1
            ? ParetoFront(
                replications: points,
                directions: directions,
                eventSizes: result.points.map { [$0.eventSizes[gain], $0.eventSizes[cost]] }
            )
            : ParetoFront(points: points.map { $0.map { $0[0] } }, directions: directions)
        return TradeOff(gain: gain, cost: cost, front: front)
    }
}
