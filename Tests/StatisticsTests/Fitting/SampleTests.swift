import Statistics
import Testing

@Suite("Samples")
struct SampleTests {
    @Test("Equal values form groups; the resolution is their greatest common divisor")
    func groups() {
        let sample = Sample([300, 100, 300, 700, 100, 300])
        #expect(sample.groups.map(\.value) == [100, 300, 700])
        #expect(sample.groups.map(\.count) == [2, 3, 1])
        #expect(sample.groups.map(\.cumulative) == [2, 5, 6])
        #expect(sample.resolution == 100)
        #expect(sample.isRounded)
        #expect(sample.zeroCount == 0)
        #expect(sample.mean == 300)
        #expect(Sample([300, 100], resolution: 5).resolution == 5)
        #expect(Sample([0, 0]).resolution == 1)
    }

    @Test("Values without ties are exact, unless one is zero")
    func rounded() {
        #expect(!Sample(Array(1...20)).isRounded)
        #expect(Sample(Array(0...20)).isRounded)
        #expect(!Sample([1, 1] + Array(2...20)).isRounded)
        #expect(Sample([1, 1, 1, 1] + Array(2...20)).isRounded)
        #expect(Sample((0..<10_000).map { $0 / 2 + 1 }).isRounded)
        #expect(!Sample((0..<10_002).map { $0 / 2 + 1 }).isRounded)
    }

    /// Compared with NumPy's `quantile(…, method="inverted_cdf")`.
    @Test(
        "Quantiles are the smallest values that are large enough",
        arguments: [(0, 10), (0.05, 10), (0.1, 10), (0.11, 20), (0.5, 50), (0.51, 60), (0.95, 100), (1, 100)]
            as [(Double, Int64)]
    )
    func quantiles(probability: Double, expected: Int64) {
        #expect(Sample((1...10).map { $0 * 10 }).quantile(probability) == expected)
    }

    /// Of 100 values the median is between the 40th and the 61st with 96.5% probability (binomial).
    @Test("The interval of a quantile covers the ranks that are plausible by chance")
    func intervals() {
        let sample = Sample((1...100).map { $0 * 10 })
        #expect(sample.interval(ofQuantile: 0.5) == 400...610)
        // Of 100 values the largest ones do not determine where p99 ends, nor the smallest ones where p1 begins.
        #expect(sample.interval(ofQuantile: 0.01).lowerBound == 0)
        #expect(sample.interval(ofQuantile: 0.99).upperBound == .greatestFiniteMagnitude)
        let rounded = Sample((1...100).map { ($0 + 4) / 5 * 10 })
        #expect(rounded.interval(ofQuantile: 0.5) == 75...135)
    }
}
