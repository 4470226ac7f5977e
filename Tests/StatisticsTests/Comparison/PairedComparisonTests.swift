import Statistics
import Testing

struct PairedComparisonTests {
    /// Differences 1, 3 and 2 with mean 2 and s = 1.
    ///
    /// Sums of squares: 8 and 14 for the two, 2 for their difference.
    @Test
    func knownAnswer() throws {
        let pairs = try #require(PairedComparison([1, 3, 5], [2, 6, 7]))
        #expect(pairs.difference == StudentInterval([1, 3, 2]))
        #expect(pairs.difference.mean == 2)
        let reduction = try #require(pairs.varianceReduction)
        #expect(abs(reduction - 10.0 / 11) < 1e-12)
    }

    @Test("Perfect company, perfect opposition, nothing at all")
    func extremes() throws {
        #expect(try #require(PairedComparison([1, 2, 4], [11, 12, 14])).varianceReduction == 1)
        #expect(try #require(PairedComparison([1, 2, 3], [3, 2, 1])).varianceReduction == -1)
        #expect(try #require(PairedComparison([1, 1], [2, 2])).varianceReduction == nil)
        #expect(PairedComparison([1], [2]) == nil)
    }

    /// Differences 1.0 ± 0.12, of a base of 100 that varies by itself: relative 1 % ± 0.12 % at most.
    @Test
    func change() throws {
        let pairs = try #require(PairedComparison([90, 100, 110], [91, 101.05, 110.95]))
        #expect(pairs.firstMean == 100)
        #expect(pairs.secondMean == 101)
        #expect(pairs.change(beyond: .absolute(0.5)) == .increase)
        #expect(pairs.change(beyond: .absolute(1)) == .notSure)
        #expect(pairs.change(beyond: .absolute(2)) == .withinNoise)
        #expect(pairs.change(beyond: .relative(0.001)) == .increase)
        #expect(pairs.change(beyond: .relative(0.02)) == .withinNoise)
    }

    @Test("Where the base may be 0, a relative band is a share of its mean")
    func changeFromNothing() throws {
        let none = try #require(PairedComparison([0, 0, 0], [0, 0, 0]))
        #expect(none.relativeDifference == nil)
        #expect(none.change(beyond: .relative(0.1)) == .withinNoise)
        let some = try #require(PairedComparison([0, 0, 0], [2, 2.1, 1.9]))
        #expect(some.change(beyond: .relative(0.1)) == .increase)
        // 10 % of the mean 1 is 0.1; the difference is 0.05, always.
        let wide = try #require(PairedComparison([-4, 1, 6], [-3.95, 1.05, 6.05]))
        #expect(wide.relativeDifference == nil)
        #expect(wide.change(beyond: .relative(0.1)) == .withinNoise)
        #expect(wide.change(beyond: .relative(0.01)) == .increase)
    }
}
