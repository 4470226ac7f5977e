/// Recorded values of one quantity: their distinct values with counts, and their resolution.
///
/// Real data are rounded, and rounding matters: whole seconds create zeros, which no continuous distribution has, and
/// ties, which a density takes for spikes. A sample with ties is therefore treated as rounded: each value represents
/// the interval of half a ``resolution`` to either side (zero the half above it), and its likelihood is the probability
/// of that interval. See D. F. Heitjan, "Inference from Grouped Continuous Data", Statistical Science 4, 1989.
public struct Sample: Hashable, Sendable {
    /// A group of equal values.
    public struct Group: Hashable, Sendable {
        /// The value [base units].
        public let value: Int64
        /// The number of equal values.
        public let count: Int
        /// The number of values at or below it.
        public let cumulative: Int
    }

    /// The distinct values, ascending.
    public let groups: [Group]
    /// The number of values.
    public let count: Int
    /// The resolution of the recorded values, of which they are all multiples [base units].
    public let resolution: Int64
    /// Base units in one unit of the data: 1,000 for milliseconds in microseconds; log-likelihoods are per this unit.
    public let unit: Double

    /// Creates a sample of values in any order.
    ///
    /// - Parameters:
    ///   - values: The values in base units.
    ///   - resolution: The resolution of the recorded values; nil for their greatest common divisor.
    ///   - unit: The number of base units in one unit of the data.
    /// - Precondition: There is a value, none is negative; resolution and unit are above 0.
    public init(_ values: [Int64], resolution: Int64? = nil, unit: Double = 1) {
        precondition(!values.isEmpty && values.allSatisfy { $0 >= 0 }, "a sample has values from 0 on")
        precondition(resolution ?? 1 > 0 && unit > 0, "resolution and unit are above 0")
        var groups: [Group] = []
        let ascending = values.sorted()
        var start = 0
        for index in ascending.indices where index + 1 == ascending.count || ascending[index + 1] != ascending[index] {
            groups.append(Group(value: ascending[index], count: index + 1 - start, cumulative: index + 1))
            start = index + 1
        }
        self.groups = groups
        self.count = values.count
        self.resolution = resolution ?? max(1, groups.reduce(0) { Self.greatestCommonDivisor($0, $1.value) })
        self.unit = unit
    }

    /// The number of zeros.
    public var zeroCount: Int { groups[0].value == 0 ? groups[0].count : 0 }

    /// `true` if values represent intervals: there are zeros, or more than one value in ten is a repetition.
    ///
    /// It is `false` for many thousands of distinct values, which repeat only because of their number.
    public var isRounded: Bool { zeroCount > 0 || (groups.count * 10 < count * 9 && groups.count <= Self.mostSteps) }

    /// The number of distinct values above which rounding is not apparent.
    private static let mostSteps = 5000

    /// The smallest value [base units].
    public var smallest: Int64 { groups[0].value }

    /// The largest value [base units].
    public var largest: Int64 { groups[groups.count - 1].value }

    /// The smallest recorded value that a share of the values does not exceed [base units].
    ///
    /// - Precondition: The probability is within 0...1.
    public func quantile(_ probability: Double) -> Int64 {
        precondition(probability >= 0 && probability <= 1, "a probability lies within 0...1")
        // A product such as 0.95 · 20 may be slightly above the exact integer.
        let rank = max(1, Int((probability * Double(count) - 1e-9).rounded(.up)))
        return value(rank: rank)
    }

    /// The 95% confidence interval of the population's quantile: the values whose ranks bound a binomial count.
    ///
    /// It uses the normal approximation of the binomial distribution. For rounded values the interval is extended by
    /// half a resolution on both sides.
    ///
    /// - Returns: The interval in base units.
    public func interval(ofQuantile probability: Double) -> ClosedRange<Double> {
        let mean = Double(count) * probability
        let reach = 1.96 * (mean * (1 - probability)).squareRoot()
        // Nothing is known below the smallest value and above the largest one.
        let below = Int((mean - reach).rounded(.down))
        let low = below < 1 ? 0 : Double(value(rank: below))
        let beyond = Int((mean + reach).rounded(.up)) + 1
        let high = beyond > count ? Double.greatestFiniteMagnitude : Double(value(rank: beyond))
        let slack = isRounded ? Double(resolution) / 2 : 0
        return max(0, low - slack)...(high + slack)
    }

    /// The values' mean [base units].
    public var mean: Double {
        groups.reduce(0) { $0 + Double($1.value) * Double($1.count) } / Double(count)
    }

    /// The value at a rank in ascending order, from 1.
    private func value(rank: Int) -> Int64 {
        var low = 0
        var high = groups.count - 1
        while low < high {
            let middle = (low + high) / 2
            if groups[middle].cumulative < rank {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return groups[low].value
    }

    private static func greatestCommonDivisor(_ left: Int64, _ right: Int64) -> Int64 {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, left % right) }
        return left
    }
}
