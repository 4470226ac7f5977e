import CGSL

/// Pearson's chi-square test of counts against the expected counts of a distribution.
public struct GoodnessOfFit: Hashable, Sendable {
    /// Σ (observed - expected)² / expected over the classes.
    public let statistic: Double
    /// The number of classes minus one.
    public let degreesOfFreedom: Int

    /// Tests counts by class; neighbouring classes are merged until each has an expected count of at least five.
    ///
    /// Nil if fewer than two classes remain.
    ///
    /// - Precondition: There is an expected count for each class, none negative.
    public init?(observed: [Int], expected: [Double]) {
        precondition(observed.count == expected.count, "every class has an expectation")
        precondition(expected.allSatisfy { $0.isFinite && $0 >= 0 }, "expectations are not negative")
        var classes: [(observed: Double, expected: Double)] = []
        var open = (observed: 0.0, expected: 0.0)
        for (count, expectation) in zip(observed, expected) {
            open.observed += Double(count)
            open.expected += expectation
            if open.expected >= Self.leastExpected {
                classes.append(open)
                open = (0, 0)
            }
        }
        if let last = classes.indices.last {
            classes[last].observed += open.observed
            classes[last].expected += open.expected
        }
        degreesOfFreedom = classes.count - 1
        guard degreesOfFreedom >= 1 else { return nil }
        statistic = classes.reduce(0) { sum, part in
            let excess = part.observed - part.expected
            return sum + excess * excess / part.expected
        }
    }

    /// Tests counts, each of one trial, against a Poisson distribution with a mean.
    ///
    /// - Precondition: No count is negative; the mean is above 0.
    public init?(poisson counts: [Int], mean: Double) {
        precondition(counts.allSatisfy { $0 >= 0 }, "counts are not negative")
        precondition(mean > 0, "a mean above 0")
        guard let largest = counts.max() else { return nil }
        var observed = [Int](repeating: 0, count: largest + 2)
        for count in counts { observed[count] += 1 }
        let expected = observed.indices.map { value in
            // The last class includes all larger values.
            let share = GSL.call {
                value > largest ? gsl_cdf_poisson_Q(UInt32(largest), mean) : gsl_ran_poisson_pdf(UInt32(value), mean)
            }
            return Double(counts.count) * share
        }
        self.init(observed: observed, expected: expected)
    }

    private static let leastExpected = 5.0

    /// The probability of counts at least as far from the expected ones.
    public var pValue: Double {
        GSL.call { gsl_cdf_chisq_Q(statistic, Double(degreesOfFreedom)) }
    }
}
