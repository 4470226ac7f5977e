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
}
