import Statistics
import Testing

@Suite("The interval of a quantity that is never negative")
struct GammaIntervalTests {
    /// Garwood's bounds as in published tables.
    @Test(
        "For a Poisson count it is the exact interval",
        arguments: [(0.0, 0.0, 3.689), (1, 0.025, 5.572), (3, 0.619, 8.767), (10, 4.795, 18.390), (100, 81.36, 121.63)]
    )
    func garwood(count: Double, lower: Double, upper: Double) {
        let interval = GammaInterval(estimate: count, dispersion: 1)
        #expect(abs(interval.range.lowerBound - lower) < 0.006)
        #expect(abs(interval.range.upperBound - upper) < 0.006)
    }

    @Test("Events in clusters of three are counted by the cluster")
    func clusters() {
        let one = GammaInterval(estimate: 4, dispersion: 1)
        let three = GammaInterval(estimate: 12, dispersion: 3)
        #expect(
            three.range.lowerBound == 3 * one.range.lowerBound && three.range.upperBound == 3 * one.range.upperBound
        )
    }

    @Test("Beyond a thousand events the quantiles are continuous, and approach normal ones")
    func many() {
        let below = GammaInterval(estimate: 999.9, dispersion: 1)
        let above = GammaInterval(estimate: 1000.1, dispersion: 1)
        #expect(
            abs(above.range.lowerBound - below.range.lowerBound - 0.2) < 0.01
                && abs(above.range.upperBound - below.range.upperBound - 0.2) < 0.01
        )
        let many = GammaInterval(estimate: 1e8, dispersion: 1)
        #expect(abs(many.range.lowerBound - (1e8 - 19_600)) < 5 && abs(many.range.upperBound - (1e8 + 19_600)) < 5)
    }
}
