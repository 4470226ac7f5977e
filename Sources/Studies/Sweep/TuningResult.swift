import Evaluation
import InputFiles
import LiveActivityModel
import ScenarioLanguage
public import Statistics
import TextFormats

/// The result of a search.
public struct TuningResult: Sendable {
    /// The search.
    public let tuning: Tuning
    /// The selection and its certainty.
    public let outcome: SelectionOutcome
    /// The samples of each point in the order in which they were run, including those that were not used.
    public let samples: [[Sample]]
    /// The present settings: a design point, or a point beside the design; nil if neither was run.
    public let present: Present?

    /// A sentence on the reason why the present settings are missing; nil if they were run, or if none are defined.
    public let noteOnAbsentPresent: String?

    /// The present settings with their samples.
    public struct Present: Hashable, Sendable {
        /// The settings.
        public let point: DesignPoint
        /// The index among the design points; nil if they are no design point.
        public let system: Int?
        /// The samples, from replication 0 on.
        public let samples: [Sample]

        /// The mean objective and the mean of each limit's response; nil without samples.
        public var means: [Double]? {
            guard let first = samples.first else { return nil }
            return first.values.indices.map { place in
                samples.reduce(0) { $0 + $1.values[place] } / Double(samples.count)
            }
        }
    }

    init(tuning: Tuning, outcome: SelectionOutcome, samples: [[Sample]], beside: [Sample]) {
        (self.tuning, self.outcome, self.samples) = (tuning, outcome, samples)
        let (sweep, systems) = (tuning.sweep, outcome.systems)
        let undefined = beside.lazy.compactMap { $0.values.firstIndex { !$0.isFinite } }.first
        let name = undefined.map { $0 == 0 ? tuning.objective.text : tuning.limits[$0 - 1].text }
        noteOnAbsentPresent =
            name.map {
                "Today's settings are missing: \($0) is undefined with them, because nothing happened that it measures."
            }
            ?? sweep.noteOnAbsentPresent
        if let index = sweep.presentPoint {
            let used = samples[index].filter { $0.replication < systems[index].replications }
            present = Present(point: sweep.points[index], system: index, samples: used)
        } else if let point = sweep.presentBeside, !beside.isEmpty, undefined == nil {
            present = Present(point: point, system: nil, samples: beside)
        } else {
            present = nil
        }
    }

    /// Returns the difference of the objective (place 0) or of a limit's response (from place 1) between the present
    /// settings and a point, over the replications that both have.
    ///
    /// Nil without any, and if a setting that defines the response differs from the present one.
    public func change(of place: Int, at system: Int) -> PresentChange? {
        guard let present else { return nil }
        let (sweep, goal) = (tuning.sweep, tuning.goal)
        let asked = place == 0 ? tuning.objective.responses.map(\.response) : [goal.constraints[place - 1].response]
        let levels = (present.point.levels, sweep.points[system].levels)
        guard asked.allSatisfy({ sweep.factors.measuresAlike($0, levels.0, levels.1) }) else { return nil }
        // Both have replications from 0 on.
        let pairs = Array(zip(present.samples, used(of: system)))
        guard !pairs.isEmpty else { return nil }
        let (first, second) = (pairs.map { $0.0.values[place] }, pairs.map { $0.1.values[place] })
        let scenario = tuning.sweep.experiment.scenario
        let chance =
            place == 0
            ? difference(pairs, level: 0.95, in: scenario)
            : DifferenceRule(count: pairs.count)?
                .difference(
                    first,
                    second,
                    event: [first, second].map { tuning.limits[place - 1].eventSize(of: $0, in: scenario) }.max() ?? 0,
                    areCounts: tuning.limits[place - 1].unit == "count"
                )
        let mean = first.reduce(0, +) / Double(first.count)
        let difference = zip(first, second).reduce(0) { $0 + $1.1 - $1.0 } / Double(first.count)
        return PresentChange(present: mean, difference: difference, chance: chance)
    }

    /// Returns the mean volumes of the present settings and of a point, over the replications that both have.
    public func volumes(at system: Int) -> (present: PushVolume, point: PushVolume)? {
        guard let present else { return nil }
        let pairs = Array(zip(present.samples, used(of: system)))
        guard !pairs.isEmpty else { return nil }
        func mean(_ volumes: [PushVolume]) -> PushVolume {
            let count = Double(volumes.count)
            return PushVolume(
                pushes: volumes.reduce(0) { $0 + $1.pushes } / count,
                rides: volumes.reduce(0) { $0 + $1.rides } / count
            )
        }
        return (mean(pairs.map { $0.0.volume }), mean(pairs.map { $0.1.volume }))
    }

    /// Returns the objective of a point less that of another, over the replications that both have; nil without any.
    public func lead(of system: Int, over other: Int) -> Double? {
        let pairs = Array(zip(used(of: other), used(of: system)))
        guard !pairs.isEmpty else { return nil }
        return pairs.reduce(0) { $0 + $1.1.values[0] - $1.0.values[0] } / Double(pairs.count)
    }

    /// The design points that are as good as the best: those that keep to the limits with a mean within the
    /// indifference zone of the best one's, in the order of the design.
    public var asGood: [Int] {
        guard let bestSystem else { return [] }
        return outcome.systems.indices.filter { system in
            guard system != bestSystem, keepsToLimits(system), limitsInDoubt(of: system).isEmpty,
                outcome.systems[system].status != .surviving(isFeasible: false),
                let lead = lead(of: system, over: bestSystem)
            else { return false }
            return lead.magnitude < tuning.problem.indifference
        }
    }

    /// Returns `true` if two points never differ in the objective, in any replication that both have.
    ///
    /// The procedure then settles the pair at once in favour of the first. A rare event that has not occurred yet may
    /// still make a difference.
    public func neverDiffered(_ system: Int, from other: Int) -> Bool {
        // A value that is known without a run is certain.
        guard !tuning.objective.isExact else { return false }
        // Both have replications from 0 on.
        return zip(samples[system], samples[other]).allSatisfy { $0.values[0] == $1.values[0] }
    }

    /// A statistical tie of the best point with the present setting.
    public struct PresentTie: Hashable, Sendable {
        /// The point with the present setting.
        public let present: DesignPoint
        /// Another point that is better than the present setting beyond chance; nil if there is none.
        public let better: DesignPoint?
    }

    /// The tie of the best point with the present setting, if that keeps to the limits and is another point.
    ///
    /// In a tie, chance explains the difference, pair by pair on the same worlds. A point with a large lead may also
    /// vary more. So all other points that keep to the limits are compared with the present one, at 95 % for all of
    /// them together (Bonferroni).
    public var presentTie: PresentTie? {
        guard let leader = bestSystem, let present = present?.system, leader != present, !breaksLimits(present)
        else { return nil }
        func gain(of system: Int, level: Double) -> MeanDifference? {
            // Both have replications from 0 on.
            difference(
                Array(zip(used(of: present), used(of: system))),
                level: level,
                in: tuning.sweep.experiment.scenario
            )
        }
        guard let lead = gain(of: leader, level: 0.95), !lead.isBeyondChance else { return nil }
        let others = outcome.systems.indices.filter { $0 != present && $0 != leader && !breaksLimits($0) }
        let level = 1 - 0.05 / Double(max(1, others.count))
        let better = others.first { system in
            guard let gain = gain(of: system, level: level), gain.isBeyondChance else { return false }
            return tuning.problem.direction.oriented(gain.mean) > 0
        }
        let points = tuning.sweep.points
        return PresentTie(present: points[present], better: better.map { points[$0] })
    }

    /// The indices of the points that the selected one leads by the indifference or more, although a few events may
    /// explain the lead.
    ///
    /// The search assumes that responses are nearly normal. If a response consists of a few events, replications may
    /// all agree by chance. So the rules of ``DifferenceRule`` decide, as for the intervals in `summary.csv`. A heavy
    /// ride that was not seen does not count, because no usual number of replications rules it out.
    public var leadsByFewEvents: [Int] {
        guard case .selected(let best) = outcome.decision, !tuning.objective.isExact else { return [] }
        return outcome.systems.indices.filter { system in
            guard case .eliminated = outcome.systems[system].status, system != best else { return false }
            let pairs = Array(zip(used(of: best), used(of: system)))
            guard let lead = difference(pairs, level: 0.95, in: nil) else { return true }
            return lead.mean.magnitude >= tuning.problem.indifference && !lead.isBeyondChance
        }
    }

    /// Returns the mean difference in the objective over pairs of replications, second minus first; nil with fewer than
    /// two.
    ///
    /// - Parameter scenario: The scenario, whose heaviest ride is allowed for; nil to use only rides seen.
    private func difference(_ pairs: [(Sample, Sample)], level: Double, in scenario: Scenario?) -> MeanDifference? {
        let event =
            [pairs.map { $0.0 }, pairs.map { $0.1 }]
            .map { samples in tuning.objective.eventSize(of: samples.map { $0.terms }, in: scenario) }.max() ?? 0
        return DifferenceRule(count: pairs.count, level: level)?
            .difference(
                pairs.map { $0.0.values[0] },
                pairs.map { $0.1.values[0] },
                event: event,
                areCounts: tuning.objective.unit == "count"
            )
    }

    /// Returns `true` if the search found that a point breaks a limit.
    private func breaksLimits(_ system: Int) -> Bool {
        if case .infeasible = outcome.systems[system].status { true } else { false }
    }

    /// The responses of one replication of a point.
    public struct Sample: Hashable, Sendable {
        /// The replication, counted from 0.
        public let replication: Int
        /// The value of the objective, then of each constraint.
        public let values: [Double]
        /// The contribution of each term to the objective.
        public let terms: [Double]
        /// The pushes and rides.
        public let volume: PushVolume
        /// The share of ride time without a card, for each limit that it bounds; nil for other limits.
        public var withoutCard: [Double?] = []
        /// The values of ``Tuning/causesWithoutCard``; empty if the ride time without a card bounds no limit.
        public var causesWithoutCard: [Double] = []
    }

    /// Returns the samples of a point that were used.
    private func used(of system: Int) -> [Sample] {
        samples[system].filter { $0.replication < outcome.systems[system].replications }
    }

    /// Returns the indices of the limits that a point's mean may be on the wrong side of by chance.
    ///
    /// The search may still have judged the point: it is certain only of differences beyond the tolerance.
    public func limitsInDoubt(of system: Int) -> [Int] {
        let used = used(of: system)
        guard let rule = DifferenceRule(count: used.count) else { return [] }
        return tuning.problem.constraints.indices.filter { place in
            let (values, response) = (used.map { $0.values[place + 1] }, tuning.limits[place])
            let limit = tuning.problem.constraints[place].limit
            let event = response.eventSize(of: values, in: tuning.sweep.experiment.scenario)
            return !rule.difference(values.map { $0 - limit }, event: event).isBeyondChance
        }
    }

    /// The points that were ruled out only by limits that their replications cannot decide, although their objective is
    /// better than that of the best point; without a best point, all that were ruled out so.
    public var ruledOutInDoubt: [Int] {
        outcome.systems.indices.filter { system in
            guard case .infeasible(let broken, _) = outcome.systems[system].status else { return false }
            let doubts = limitsInDoubt(of: system)
            guard broken.allSatisfy(doubts.contains) else { return false }
            guard let bestSystem else { return true }
            guard let lead = lead(of: system, over: bestSystem) else { return false }
            return tuning.problem.direction.oriented(lead) > 0
        }
    }

    /// Returns `true` if a point's mean is on the right side of every limit.
    public func keepsToLimits(_ system: Int) -> Bool {
        excesses(of: outcome.systems[system].means).allSatisfy { $0 <= 0 }
    }

    /// Returns the distances of means, the objective's first, beyond the limits; 0 or below for a limit that is met.
    public func excesses(of means: [Double]) -> [Double] {
        zip(tuning.problem.constraints, means.dropFirst()).map { $0.excess($1, over: $0.limit) }
    }

    /// Returns the mean contribution of each term to the objective of a point, over the replications that were used.
    public func meanTerms(of system: Int) -> [Double] {
        let used = used(of: system)
        guard !used.isEmpty else { return [] }
        return tuning.objective.terms.indices.map { term in
            used.reduce(0) { $0 + $1.terms[term] } / Double(used.count)
        }
    }

    /// A point that does not certainly keep to all limits, with its distances from them.
    public struct Miss: Hashable, Sendable {
        /// The index of the point in the sweep.
        public let system: Int
        /// The gap of each limit to which the point does not certainly keep.
        public let gaps: [Gap]

        /// The distance of a mean from a limit.
        public struct Gap: Hashable, Sendable {
            /// The index of the limit in the goal.
            public let constraint: Int
            /// The distance of the mean beyond the limit [the response's unit].
            ///
            /// It is 0 or below if the mean keeps to a limit with a required confidence, but not by enough to be
            /// certain.
            public let distance: Double
        }
    }

    /// The point that misses the limits least, if no point keeps to all of them; otherwise nil.
    ///
    /// Its largest gap, in tolerances of the limit, is the smallest. The first of equals is taken.
    public var nearest: Miss? {
        guard case .noneFeasible = outcome.decision else { return nil }
        return outcome.systems.indices.min { (largestGap(of: $0), $0) < (largestGap(of: $1), $1) }.map(miss)
    }

    /// Returns the largest distance of a point from a limit that it does not certainly keep, in tolerances of the limit.
    public func largestGap(of system: Int) -> Double {
        let constraints = tuning.problem.constraints
        return miss(of: system).gaps.map { $0.distance / constraints[$0.constraint].tolerance }.max() ?? -.infinity
    }

    private func miss(of system: Int) -> Miss {
        let gaps = zip(tuning.problem.constraints, outcome.systems[system].means.dropFirst()).enumerated()
            .compactMap { place, pair -> Miss.Gap? in
                let (constraint, mean) = pair
                guard constraint.excess(mean, over: constraint.target) > 0 else { return nil }
                return Miss.Gap(constraint: place, distance: constraint.excess(mean, over: constraint.limit))
            }
        return Miss(system: system, gaps: gaps)
    }

    /// A limit that the mean of no design point meets, with the best mean.
    public struct Ceiling: Hashable, Sendable {
        /// The index of the limit in the goal.
        public let constraint: Int
        /// The point with the best mean, the first of equals.
        public let system: Int
        /// The best mean [the response's unit].
        public let value: Double
        /// The ride time without a card, which bounds the response; nil if it does not, or is unknown.
        public let withoutCard: WithoutCard?

        /// The share of ride time without a card: the response can cover only the rest.
        public struct WithoutCard: Hashable, Sendable {
            /// The mean at the point with the best value of the response.
            public let share: Double
            /// The smallest and the largest mean of a point.
            public let range: ClosedRange<Double>
            /// `true` if all points agree in each replication that they share, so that no level tried changes it.
            public let isEqual: Bool
            /// The means of ``Tuning/causesWithoutCard`` at the point with the best value; empty if they are unknown.
            public let causes: [Double]
            /// The rides of a replication there.
            public let rides: Double
        }
    }

    /// The limits that no design point's mean meets, if no point keeps to all limits; otherwise empty.
    public var ceilings: [Ceiling] {
        guard case .noneFeasible = outcome.decision else { return [] }
        return tuning.problem.constraints.enumerated()
            .compactMap { place, constraint in
                func mean(_ system: Int) -> Double {
                    let means = outcome.systems[system].means
                    return means.indices.contains(place + 1) ? means[place + 1] : .nan
                }
                func rank(_ system: Int) -> (Double, Int) { (constraint.excess(mean(system), over: 0), system) }
                let known = outcome.systems.indices.filter { mean($0).isFinite }
                guard let best = known.min(by: { rank($0) < rank($1) }),
                    constraint.excess(mean(best), over: constraint.limit) > 0
                else { return nil }
                return Ceiling(
                    constraint: place,
                    system: best,
                    value: mean(best),
                    withoutCard: withoutCard(boundingLimit: place, at: best)
                )
            }
    }

    /// Returns the ride time without a card at a point and at all points, if it bounds a limit's response.
    private func withoutCard(boundingLimit place: Int, at best: Int) -> Ceiling.WithoutCard? {
        let shares = outcome.systems.indices.map { system in
            used(of: system).compactMap { $0.withoutCard.indices.contains(place) ? $0.withoutCard[place] : nil }
        }
        guard zip(shares, outcome.systems.indices).allSatisfy({ !$0.isEmpty && $0.count == used(of: $1).count }) else {
            return nil
        }
        let means = shares.map { $0.reduce(0, +) / Double($0.count) }
        // Every point has replications from 0 on.
        let isEqual = shares.allSatisfy { values in zip(values, shares[0]).allSatisfy { $0 == $1 } }
        return Ceiling.WithoutCard(
            share: means[best],
            range: (means.min() ?? 0)...(means.max() ?? 0),
            isEqual: isEqual,
            causes: Tuning.causesWithoutCard.indices.compactMap { place in
                mean(best) { $0.causesWithoutCard.indices.contains(place) ? $0.causesWithoutCard[place] : nil }
            },
            rides: mean(best) { $0.volume.rides } ?? 0
        )
    }

    /// Returns a mean over the replications of a point that were used; nil if one lacks the value.
    private func mean(_ system: Int, _ value: (Sample) -> Double?) -> Double? {
        let used = used(of: system)
        let values = used.compactMap(value)
        return values.isEmpty || values.count < used.count ? nil : values.reduce(0, +) / Double(values.count)
    }

    /// The design point that sends the fewest pushes among those that are no worse than the present settings by more than
    /// the tolerance of each limit and the indifference zone of the objective; nil if none sends fewer pushes than those.
    public var cheapestAsPresent: Int? {
        let problem = tuning.problem
        let demands =
            [(problem.direction == .minimise, problem.indifference)]
            + problem.constraints.map { ($0.side == .atMost, $0.tolerance) }
        func ratio(_ system: Int) -> Double {
            volumes(at: system).map { $0.point.pushes / $0.present.pushes } ?? .infinity
        }
        return outcome.systems.indices
            .filter { system in
                demands.enumerated()
                    .allSatisfy { place, demand in
                        guard let change = change(of: place, at: system) else { return false }
                        return (demand.0 ? change.difference : -change.difference) <= demand.1
                    }
            }
            .filter { ratio($0) < 1 }
            .min { (ratio($0), $0) < (ratio($1), $1) }
    }

    /// Returns the limits that a point's mean meets or breaks by so little that the guarantee does not cover them.
    ///
    /// A limit with a required confidence is not among them: its tolerance lies inside the limit.
    public func limitsWithinTolerance(of system: Int) -> [Int] {
        zip(tuning.problem.constraints, excesses(of: outcome.systems[system].means)).enumerated()
            .filter { _, pair in
                let (constraint, excess) = pair
                return constraint.confidence == nil && excess > -constraint.tolerance && excess <= constraint.tolerance
            }
            .map(\.offset)
    }

    /// The index of the best point, or of the nearest if none keeps to the limits.
    public var bestOrNearest: Int? { bestSystem ?? nearest?.system }

    /// The design point that was selected or that leads; nil if none keeps to the limits.
    public var best: DesignPoint? { bestSystem.map { tuning.sweep.points[$0] } }

    /// The index of ``best``.
    public var bestSystem: Int? {
        switch outcome.decision {
        case .selected(let system), .notSure(let system): system
        case .noneFeasible: nil
        }
    }
}
