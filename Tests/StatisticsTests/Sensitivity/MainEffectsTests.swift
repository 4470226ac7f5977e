import Statistics
import Testing

struct MainEffectsTests {
    /// A grid of 2 × 3: response 10 a + b² plus a random variation that all points of a replication share.
    private static let grid = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
    private static let responses = grid.map { point in
        [0.0, 7, -1].map { Double(10 * point[0] + point[1] * point[1]) + $0 }
    }

    /// By hand: grand mean 5 + 5/3 + 2; a: ∓5; b: -5/3, -2/3, 7/3.
    @Test
    func wholeGrid() {
        let effects = MainEffects(points: Self.grid, responses: Self.responses)
        #expect(abs(effects.grandMean - (5 + 5.0 / 3 + 2)) < 1e-12)
        #expect(effects.isBalanced)
        #expect(effects.effects.map { $0.map(\.level) } == [[0, 1], [0, 1, 2]])
        #expect(effects.effects.map { $0.map(\.points) } == [[3, 3], [2, 2, 2]])
        for (effect, exact) in zip(effects.effects.joined(), [-5, 5, -5.0 / 3, -2.0 / 3, 7.0 / 3]) {
            #expect(abs(effect.value - exact) < 1e-12)
            #expect(abs(effect.mean - effects.grandMean - exact) < 1e-12)
            // The shared variation cancels.
            #expect((effect.difference?.reach ?? 1) < 1e-12)
        }
    }

    /// One factor, two levels, three replications: effects -(1, 2, 3) and +(1, 2, 3), and so Student's interval of
    /// those.
    @Test
    func intervals() throws {
        let effects = MainEffects(points: [[0], [1]], responses: [[0, 0, 0], [2, 4, 6]], level: 0.9)
        let difference = try #require(effects.effects[0][1].difference)
        #expect(difference.interval == StudentInterval([1, 2, 3], level: 0.9)?.range)
        #expect(effects.effects[0][0].difference?.mean == -2)
    }

    /// Half of an event at the points of one level also changes the mean of all points; Garwood's bound for none
    /// observed is 3.689.
    @Test(
        "An effect has no interval if a plausible unobserved event would change it by more than the half-width"
    )
    func unseenEvents() throws {
        func effect(_ size: Double) throws -> MeanDifference {
            let effects = MainEffects(
                points: [[0], [1]],
                responses: [[0, 0, 0], [2, 4, 6]],
                eventSizes: [size, size]
            )
            return try #require(effects.effects[0][1].difference)
        }
        let halfWidth = try #require(StudentInterval([1, 2, 3])).halfWidth
        #expect(try effect(1).halfWidth == halfWidth)
        let heavy = try effect(2)
        #expect(heavy.halfWidth == nil && !heavy.isBeyondChance && abs(heavy.reach - 3.688_879_454) < 1e-8)
    }

    @Test("One replication has effects without intervals")
    func single() {
        let effects = MainEffects(points: [[0], [1]], responses: [[0], [2]])
        #expect(effects.effects[0].map(\.value) == [-1, 1])
        #expect(effects.effects[0].allSatisfy { $0.difference == nil && $0.halfWidth == nil })
    }

    /// The half fraction 2^(3-1) is balanced; without one corner it is not; levels without points are omitted.
    @Test
    func fractions() {
        let half = [[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]]
        let flat = { (points: [[Int]]) in points.map { _ in [1.0, 2] } }
        #expect(MainEffects(points: half, responses: flat(half)).isBalanced)
        let missing = Array(Self.grid.dropLast())
        #expect(!MainEffects(points: missing, responses: flat(missing)).isBalanced)
        let sparse = [[0], [7]]
        #expect(MainEffects(points: sparse, responses: flat(sparse)).effects[0].map(\.level) == [0, 7])
    }
}
