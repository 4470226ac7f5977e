import Statistics
import Testing

struct WelchComparisonTests {
    private static let first = [27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9]
    private static let second = [
        27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9, 22.1, 22.9, 30.5, 25.2,
    ]

    /// By scipy 1.17.1, `ttest_ind(second, first, equal_var=False)`: df and confidence_interval(0.95).
    @Test
    func knownAnswer() throws {
        let comparison = try #require(WelchComparison(Self.first, Self.second))
        #expect(abs(comparison.degreesOfFreedom - 13.713_197_700_110_255) < 1e-9)
        #expect(abs(comparison.lower - 0.285_201_682_720_590_54) < 1e-7)
        #expect(abs(comparison.upper - 6.039_242_761_723_848) < 1e-7)
    }

    /// Degrees of freedom: n - 1 of the only one that varies, n + m - 2 for equal variances of equal means.
    @Test
    func extremes() throws {
        let one = try #require(WelchComparison([1, 2, 3, 4], [5, 5]))
        #expect(one.degreesOfFreedom == 3)
        #expect(one.halfWidth == StudentInterval([1, 2, 3, 4])?.halfWidth)
        #expect(try #require(WelchComparison([1, 2, 3], [5, 6, 7])).degreesOfFreedom == 4)
        let none = try #require(WelchComparison([1, 1], [2, 2, 2]))
        #expect(none.halfWidth == 0)
        #expect(none.difference == 1)
        #expect(none.degreesOfFreedom == 3)
        #expect(WelchComparison([1], [2, 3]) == nil)
        #expect(WelchComparison([1, 2], []) == nil)
    }

    @Test
    func change() throws {
        let comparison = try #require(WelchComparison(Self.first, Self.second))
        #expect(comparison.change(beyond: .absolute(0.2)) == .increase)
        #expect(comparison.change(beyond: .absolute(1)) == .notSure)
        #expect(comparison.change(beyond: .absolute(7)) == .withinNoise)
        // Of a mean of 20.54: 0.205 and 2.05.
        #expect(comparison.change(beyond: .relative(0.01)) == .increase)
        #expect(comparison.change(beyond: .relative(0.1)) == .notSure)
    }
}
