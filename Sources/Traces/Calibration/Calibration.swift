import InputFiles
import SimulationKernel
public import Statistics

/// Distributions fitted to measured values, tested and ranked, to select one for a scenario.
public struct Calibration: Sendable {
    /// The source of the values, for reports.
    public struct Source: Hashable, Sendable {
        /// The file, as given.
        public var file: String
        /// The column of the values.
        public var column: DataColumn
        /// The values with the counts of omitted rows.
        public var values: DataColumn.Values

        /// Creates the source for the values of a column.
        public init(file: String, column: DataColumn, values: DataColumn.Values) {
            self.file = file
            self.column = column
            self.values = values
        }

        /// Creates the source for the latencies of a log's requests with status 200.
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

        /// Warnings about data with two possible readings; each says how to resolve it.
        public var remarks: [String] { values.remarks }

        /// `true` if a scenario can refer to the column directly.
        var isWholeColumn: Bool {
            column.since == nil && column.filters.isEmpty && column.shift == 0 && values.negative == 0
        }
    }

    /// A quantile of the data.
    public struct Point: Hashable, Sendable {
        /// The share of values at or below this quantile.
        public let probability: Double
        /// The value, minus the shift [base units].
        public let value: Int64
        /// The confidence interval of the quantile (``Sample/interval(ofQuantile:)``) [base units].
        public let interval: ClosedRange<Double>
    }

    /// A fitted family.
    public struct Candidate: Sendable {
        /// The fit of the values minus the shift.
        public let fit: Fit
        /// The difference of Akaike's criterion from the best candidate's.
        public let criterionDifference: Double
        /// The Kolmogorov–Smirnov distance from the data.
        public let distance: Double
        /// The fit's quantiles at ``Calibration/points`` [base units].
        public let quantiles: [Double]
        /// The indices of the points that the fit misses: outside of their interval and by more than
        /// ``Calibration/tolerance``.
        public let missed: [Int]
        /// The reason why a scenario cannot use the fit; nil if it can.
        public let problem: String?
    }

    /// The probabilities of the compared quantiles.
    public static let probabilities = [0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99]
    /// The largest relative error of a quantile that is good enough, however many values there are.
    public static let tolerance = 0.1

    /// The source of the values.
    public let source: Source
    /// The values, minus the shift.
    public let sample: Sample
    /// Quantiles of the data.
    public let points: [Point]
    /// The fitted families by Akaike's criterion, with equal ones in the order of ``Statistics/FitFamily``.
    public let candidates: [Candidate]
    /// The families that could not be fitted, with the reason.
    public let failures: [(family: FitFamily, error: FitError)]

    /// Fits families to values.
    ///
    /// - Parameter resolution: The step in which the values were recorded [base units]; nil to determine it.
    /// - Throws: An error if no family can be fitted.
    public init(
        _ source: Source,
        resolution: Int64? = nil,
        families: [FitFamily] = FitFamily.allCases
    ) throws(FitError) {
        let sample = Sample(source.values.values, resolution: resolution, unit: source.column.unit.factor)
        self.source = source
        self.sample = sample
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
        let (shift, unit) = (source.column.shift, source.column.unit)
        candidates = order.map { _, fit in
            let quantiles = Self.probabilities.map(fit.quantile)
            let missed = points.indices.filter { Self.misses(quantiles[$0], points[$0]) }
            return Candidate(
                fit: fit,
                criterionDifference: fit.informationCriterion - best,
                distance: fit.distance(to: sample),
                quantiles: quantiles,
                missed: missed,
                problem: Self.problem(of: Self.written(fit.distribution, shift: shift), unit)
            )
        }
    }

    /// The candidate to use: the simplest one that a scenario can use and that is as good as the first.
    ///
    /// As good means a criterion within ``asGood`` of the lowest. The simplest candidate has the fewest parameters, and
    /// of two with the same number, the better rank. Nil if a scenario can use none.
    public var best: Candidate? {
        let usable = candidates.filter { $0.problem == nil }
        guard let first = usable.first else { return nil }
        return usable.filter { $0.criterionDifference - first.criterionDifference <= Self.asGood }
            .reduce(first) { $1.fit.parameterCount < $0.fit.parameterCount ? $1 : $0 }
    }

    /// The largest difference of Akaike's criterion that is negligible.
    ///
    /// K. P. Burnham and D. R. Anderson, "Model Selection and Multimodel Inference", 2002.
    static let asGood = 2.0

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
                ? "it can draw values above \(text(allowed.upperBound)), the largest value that a scenario allows"
                : "it can draw values below \(text(allowed.lowerBound)), the smallest value that a scenario allows"
        }
    }
}
