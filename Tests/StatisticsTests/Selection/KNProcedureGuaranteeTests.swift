import Statistics
import TestSupport
import Testing

/// The guaranteed probabilities, counted over many worlds in the hardest configurations.
///
/// A count of 1,000 worlds at 95% has a standard error of 0.7%; four standard errors are allowed.
struct KNProcedureGuaranteeTests {
    private static let worlds = 1000 as UInt32

    private static func share(_ worlds: UInt32 = worlds, _ isRight: (UInt32) -> Bool) -> Double {
        Double((0..<worlds).count { isRight($0) }) / Double(worlds)
    }

    private static func leastShare(_ probability: Double) -> Double {
        probability - 4 * (probability * (1 - probability) / Double(worlds)).squareRoot()
    }

    /// All others are exactly δ worse, with common random numbers.
    ///
    /// With two systems Bonferroni's correction is exact, so a region that is too narrow would show.
    @Test("Slippage: correct selections", .enabled(if: Loop.isFull), arguments: [2, 5], ResponseDirection.allCases)
    func slippage(_ systems: Int, _ direction: ResponseDirection) {
        let best = systems - 1
        let step = direction == .maximise ? 0.5 : -0.5
        let worlds = NormalWorlds(means: (0..<systems).map { [$0 == best ? 3 + step : 3] })
        let problem = SelectionProblem(systems: systems, direction: direction, indifference: 0.5)
        let share = Self.share { world in
            let outcome = worlds.outcome(problem, world: world)
            #expect(outcome.guarantee.holds)
            return outcome.decision == .selected(best)
        }
        #expect(share >= Self.leastShare(0.95))
        // Nor is the guarantee due to a region that is much too wide.
        #expect(share < 1)
    }

    /// The test above is sensitive: with a fifth of the assumed difference, the guarantee does not hold.
    @Test
    func lessThanTheIndifferenceIsNoticed() {
        let worlds = NormalWorlds(means: [[3], [3.1]])
        let problem = SelectionProblem.largest(2, indifference: 0.5)
        let share = Self.share { worlds.outcome(problem, world: $0).decision == .selected(1) }
        #expect(share < 0.9)
    }

    /// A mean exactly ε from its limit, on either side; a single system, so that the whole of α is spent on this
    /// decision.
    @Test("Feasibility at the tolerance", arguments: [9.5, 10.5])
    func feasibility(_ mean: Double) {
        let worlds = NormalWorlds(means: [[0, mean]])
        let problem = SelectionProblem.largest(1, indifference: 1, .init(.atMost, 10, tolerance: 0.5))
        let expected: SelectionOutcome.Decision = mean < 10 ? .selected(0) : .noneFeasible
        let share = Self.share { worlds.outcome(problem, world: $0).decision == expected }
        #expect(share >= Self.leastShare(0.95))
        #expect(share < 1)
    }

    /// Several systems and limits under common random numbers, every mean exactly ε from its limit.
    ///
    /// A test counts two errors: an allowed system is found infeasible, or a forbidden one is found feasible and selected.
    @Test
    func feasibilityOfSeveral() {
        // Systems 0 and 1 satisfy both limits, the others violate one each and are better.
        let worlds = NormalWorlds(means: [[0, 9.5, 4.5], [0, 9.5, 4.5], [1, 10.5, 4.5], [1, 9.5, 3.5]])
        let problem = SelectionProblem.largest(
            4,
            indifference: 0.5,
            .init(.atMost, 10, tolerance: 0.5),
            .init(.atLeast, 4, tolerance: 0.5),
            error: 0.2
        )
        let share = Self.share { world in
            let outcome = worlds.outcome(problem, world: world)
            return outcome.infeasible.allSatisfy { $0 >= 2 } && outcome.survivors.allSatisfy { $0 < 2 }
        }
        #expect(share >= Self.leastShare(0.9))
        #expect(share < 1)
    }

    /// The best allowed system, among better systems that are forbidden and worse ones.
    @Test(.enabled(if: Loop.isFull))
    func constrainedSelection() {
        let worlds = NormalWorlds(means: [[5, 10.5], [4, 9.5], [3.5, 9.5], [3.5, 9.5], [5, 10.5]])
        let problem = SelectionProblem.largest(5, indifference: 0.5, .init(.atMost, 10, tolerance: 0.5))
        let share = Self.share { worlds.outcome(problem, world: $0).decision == .selected(1) }
        #expect(share >= Self.leastShare(0.95))
    }

    /// Every system violates the limit by ε: all are found infeasible with a probability of at least 1 - α₁.
    @Test
    func noneFeasible() {
        let worlds = NormalWorlds(means: [[5, 10.5], [4, 10.5], [3, 10.5]])
        let problem = SelectionProblem(
            systems: 3,
            direction: .minimise,
            indifference: 0.5,
            constraints: [.init(.atMost, 10, tolerance: 0.5)]
        )
        let share = Self.share { world in
            let outcome = worlds.outcome(problem, world: world)
            return outcome.decision == .noneFeasible && outcome.infeasible == [0, 1, 2]
        }
        #expect(share >= Self.leastShare(0.975))
    }

    @Test("Common random numbers need fewer runs")
    func commonRandomNumbers() {
        let problem = SelectionProblem.largest(3, indifference: 0.5)
        var means = NormalWorlds(means: [[0], [0], [0.5]], correlation: 0)
        let runs = { (worlds: NormalWorlds) in
            (0..<100 as Range<UInt32>).reduce(0) { $0 + worlds.outcome(problem, world: $1).runs }
        }
        let independent = runs(means)
        means.correlation = 0.8
        #expect(runs(means) * 2 < independent)
    }
}
