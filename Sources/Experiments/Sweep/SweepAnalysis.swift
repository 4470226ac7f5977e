import LiveActivityModel
import SimulationKernel
public import Statistics

/// What a sweep says about its factors: which of them matter, and which design points nothing beats.
public struct SweepAnalysis: Sendable {
    /// What was run.
    public let result: SweepResult
    /// By response: what each level of each group of factors does on average, in the order of ``groupNames``.
    ///
    /// Points that could not measure the response are left out. Nil for a design without levels, and where the response is
    /// undefined at another point.
    public let effects: [MainEffects?]
    /// By response: how much of its variance comes from each group of factors; nil but for a whole design `saltelli`.
    public let sensitivity: [SobolIndices?]
    /// What freshness costs; nil without comparable responses for both, and where a factor is of
    /// the world, as the length of an outage: there is no choice between its levels.
    public let tradeOff: TradeOff?

    /// For each point the level of each group of factors; nil for a design without levels.
    private let levelNumbers: [[Int]]?

    /// Freshness against its price in pushes.
    public struct TradeOff: Sendable {
        /// The index of the response of which more is better.
        public let gain: Int
        /// The index of the response of which less is better.
        public let cost: Int
        /// The points that nothing beats, by their place in the result.
        public let front: ParetoFront
    }

    /// Looks into a result.
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

    /// The groups of factors by name: zipped ones together.
    public var groupNames: [String] {
        result.sweep.factors.groups.map { $0.map(\.path).joined(separator: " + ") }
    }

    /// Returns `true` if a point of the design has a level of a group, by their places.
    public func hasPoints(atLevel level: Int, ofGroup group: Int) -> Bool {
        levelNumbers?.contains { $0[group] == level } ?? false
    }

    /// What the levels of a group are called: the level of its only factor, or those of all, where they differ.
    public func levelLabels(ofGroup group: Int) -> [String] {
        let members = result.sweep.factors.groups[group].map(\.labels)
        return members[0].indices
            .map { level in
                let labels = members.map { $0[level] }
                return labels.contains { $0 != labels[0] } ? labels.joined(separator: " + ") : labels[0]
            }
    }

    /// Who draws resamples, apart from all rides and the model's own entities.
    private static let resampling: UInt64 = 0xB007_0000_0000_B007

    /// For each point the level of each group of factors by its number: zipped factors have one.
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
        guard factors.vary.allSatisfy(\.isChoice), let gain, let cost, let gains = samples[gain],
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
