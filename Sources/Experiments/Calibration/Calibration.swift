import SimulationKernel
public import Statistics

/// Distributions fitted to measured values, judged and ranked: which one to put into a scenario.
public struct Calibration: Sendable {
    /// Where the values came from, for reports.
    public struct Source: Hashable, Sendable {
        /// The file as the user named it.
        public var file: String
        /// What was read of it.
        public var column: DataColumn
        /// What was left out.
        public var values: DataColumn.Values

        /// The values of a column.
        public init(file: String, column: DataColumn, values: DataColumn.Values) {
            self.file = file
            self.column = column
            self.values = values
        }

        /// The latencies of a log's requests with status 200.
        public init(file: String, log: SendLog) {
            self.file = file
            column = DataColumn(name: log.latencyColumn, unit: log.unit)
            column.filters = log.filters + [DataColumn.Filter(column: "status", value: "200")]
            values = DataColumn.Values()
            values.values = log.latencies
            values.rows = log.count + log.filtered
            values.filtered = values.rows - log.latencies.count
            values.remarks = log.remarks
        }

        /// Warnings about data that can be read in two ways; each says how to settle it.
        public var remarks: [String] { values.remarks }

        /// Whether a scenario can name the column as it stands.
        public var isWholeColumn: Bool {
            column.since == nil && column.filters.isEmpty && column.shift == 0 && values.negative == 0
        }
    }

    /// A quantile of the data.
    public struct Point: Hashable, Sendable {
        /// The share of values at or below.
        public let probability: Double
        /// The value, less the shift [base units].
        public let value: Int64
        /// What the quantile of all such values may well be (``Sample/interval(ofQuantile:)``) [base units].
        public let interval: ClosedRange<Double>
    }

    /// A family that was fitted.
    public struct Candidate: Sendable {
        /// The fit, of values less the shift.
        public let fit: Fit
        /// By how much Akaike's criterion is above that of the best candidate.
        public let criterionDifference: Double
        /// The distance of Kolmogorov and Smirnov from the data.
        public let distance: Double
        /// Its chance by bootstrap; nil where that was not asked for, or is of no use because there are too many values.
        public let chance: Double?
        /// The fit's quantiles at ``Calibration/points`` [base units].
        public let quantiles: [Double]
        /// The points that the fit misses: outside of their interval and by more than ``Calibration/tolerance``.
        public let missed: [Int]
        /// Why no scenario takes the fit; nil if one does.
        public let problem: String?
    }

    /// What is compared.
    public static let probabilities = [0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99]
    /// A quantile that is off by no more than this is good enough, however many values there are.
    public static let tolerance = 0.1
    /// Of more values no bootstrap is made: any family is refused then, and the distance says more than its chance.
    public static let largestBootstrap = 20_000

    /// Where the values came from.
    public let source: Source
    /// The values, less the shift.
    public let sample: Sample
    /// Quantiles of the data.
    public let points: [Point]
    /// What was fitted, by Akaike's criterion; equal ones in the order of ``Statistics/FitFamily``.
    public let candidates: [Candidate]
    /// What could not be fitted, and why.
    public let failures: [(family: FitFamily, error: FitError)]
    /// How many samples each bootstrap drew.
    public let replications: Int

    /// Fits families to values.
    ///
    /// - Parameters:
    ///   - resolution: The step in which the values were written down [base units]; nil to find it.
    ///   - replications: Samples of each bootstrap; 0 for none.
    ///   - seed: Of the bootstrap's draws.
    /// - Throws: When no family at all can be fitted.
    public init(
        _ source: Source,
        resolution: Int64? = nil,
        families: [FitFamily] = FitFamily.allCases,
        replications: Int,
        seed: UInt64
    ) throws(FitError) {
        let sample = Sample(source.values.values, resolution: resolution, unit: source.column.unit.factor)
        self.source = source
        self.sample = sample
        self.replications = sample.count <= Self.largestBootstrap ? replications : 0
        let points = Self.probabilities.map {
            Point(probability: $0, value: sample.quantile($0), interval: sample.interval(ofQuantile: $0))
        }
        self.points = points
        var fits: [Fit] = []
        var failures: [(family: FitFamily, error: FitError)] = []
        for family in FitFamily.allCases where families.contains(family) {
            do throws(FitError) {
                fits.append(try MaximumLikelihood.fit(family, to: sample))
            } catch .noMaximum(let family) {
                failures.append((family, .noMaximum(family)))
            }
        }
        self.failures = failures
        let order = fits.enumerated()
            .sorted { ($0.element.informationCriterion, $0.offset) < ($1.element.informationCriterion, $1.offset) }
        let best = order.first?.element.informationCriterion ?? 0
        let (bootstrap, shift, unit) = (self.replications, source.column.shift, source.column.unit)
        candidates = order.map { _, fit in
            let quantiles = Self.probabilities.map(fit.quantile)
            let missed = points.indices.filter { Self.misses(quantiles[$0], points[$0]) }
            return Candidate(
                fit: fit,
                criterionDifference: fit.informationCriterion - best,
                distance: fit.distance(to: sample),
                chance: bootstrap > 0 ? fit.bootstrap(sample, replications: bootstrap, seed: seed) : nil,
                quantiles: quantiles,
                missed: missed,
                problem: Self.problem(of: Self.written(fit.distribution, shift: shift), unit)
            )
        }
    }

    /// The candidate to use: of those that a scenario takes and that are as good as the first, the simplest one.
    ///
    /// As good is a criterion within ``asGood`` of the lowest; the simplest is the one with the fewest parameters, the
    /// higher rank where two have as many. Nil if a scenario takes none.
    public var best: Candidate? {
        let usable = candidates.filter { $0.problem == nil }
        guard let first = usable.first else { return nil }
        return usable.filter { $0.criterionDifference - first.criterionDifference <= Self.asGood }
            .reduce(first) { $1.fit.parameterCount < $0.fit.parameterCount ? $1 : $0 }
    }

    /// A difference of Akaike's criterion that says next to nothing.
    ///
    /// K. P. Burnham and D. R. Anderson, "Model Selection and Multimodel Inference", 2002.
    public static let asGood = 2.0

    private static func misses(_ quantile: Double, _ point: Point) -> Bool {
        guard !point.interval.contains(quantile) else { return false }
        return (quantile - Double(point.value)).magnitude > tolerance * Double(point.value)
    }

    private static func problem(of distribution: Distribution, _ unit: EmpiricalColumn.Unit) -> String? {
        do throws(DistributionError) {
            try distribution.validated()
            return nil
        } catch {
            guard case .outOfRange(let value, let allowed) = error else { return error.description }
            func text(_ number: Double) -> String {
                unit == .one ? NumberText.text(number) : DurationText.text(microseconds: number)
            }
            return value > allowed.upperBound
                ? "it can draw values above \(text(allowed.upperBound)), the most that a scenario takes"
                : "it can draw values below \(text(allowed.lowerBound)), the least that a scenario takes"
        }
    }
}
