import Experiments
import LiveActivityModel
import SimulationKernel

/// The coverage of one kind of intervals in a study.
public struct CoverageOutcome: Sendable {
    /// The parts that intervals are computed from.
    public enum Basis: String, Sendable {
        /// The cells of one replication.
        case cells
        /// Five replications.
        case replications
        /// Windows of one replication of one cell.
        case windows
    }

    /// The scenario's name.
    public let scenario: String
    /// The mean number of rides per run; five such runs make an interval of replications.
    public let rides: Int
    /// The parts of the intervals.
    public let basis: Basis
    /// The number of runs.
    public let runs: Int
    /// The rows for which any run had an interval.
    public let rows: [Row]

    /// A row of summary.csv over all runs.
    public struct Row: Hashable, Sendable {
        /// Metric, scope and statistic.
        public let name: String
        /// `true` if it is a count.
        public let isCount: Bool
        /// The number of runs that printed an interval.
        public let printed: Int
        /// The number of intervals that contain the long-run value.
        public let held: Int

        /// Creates a row; nil if no run printed an interval.
        init?(name: String, isCount: Bool, exact: Double, intervals: [ClosedRange<Double>]) {
            guard !intervals.isEmpty else { return nil }
            (self.name, self.isCount) = (name, isCount)
            printed = intervals.count
            // A difference in the last digit is not a miss: a share of exactly 1 can be the bound of its interval.
            let slack = abs(exact) * 1e-12
            held = intervals.count { $0.lowerBound - slack <= exact && exact <= $0.upperBound + slack }
        }

        /// The share of the intervals that contain the long-run value.
        public var coverage: Double { Double(held) / Double(printed) }
    }

    /// Computes the coverage of a study's intervals from one basis.
    init(_ study: CoverageStudy, _ basis: Basis, _ intervals: [CoverageStudy.Intervals], sums: [Measurements]) {
        let replications = study.seeds / CoverageStudy.replications * CoverageStudy.replications
        // A count is proportional to the number of runs that it covers.
        let runsInSums = basis == .windows ? intervals.count : replications
        let share = Double(basis == .replications ? CoverageStudy.replications : 1) / Double(runsInSums)
        let truth = CoverageOutcome.longRun(study.scenario, sums)
        self.init(
            scenario: study.scenario.name,
            rides: study.rides,
            basis: basis,
            runs: intervals.count,
            rows: truth.indices.compactMap { place in
                let row = truth[place]
                return row.value.flatMap {
                    let isCount = row.stat == "total"
                    return Row(
                        name: "\(row.metric) \(row.scope) \(row.stat)",
                        isCount: isCount,
                        exact: isCount ? $0.double * share : $0.double,
                        intervals: intervals.compactMap { $0[place] }
                    )
                }
            }
        )
    }

    init(scenario: String, rides: Int, basis: Basis, runs: Int, rows: [Row]) {
        (self.scenario, self.rides, self.basis, self.runs, self.rows) = (scenario, rides, basis, runs, rows)
    }

    private static func longRun(_ scenario: Scenario, _ sums: [Measurements]) -> [SummaryRow] {
        guard !sums.isEmpty else { return [] }
        let cell = CellResult(replication: 0, cell: 0, measurements: Measurements.sum(sums), fingerprint: .init())
        return Summary(RunResult(scenario: scenario, cells: [cell])).rows
    }

    // MARK: - Judging

    /// The allowed share of intervals that contain the long-run value, for counts and for all other rows.
    public static let allowed = 0.92...0.985
    /// The allowed share of runs whose interval misses, in any row.
    static let mostMisses = 0.08
    /// The significance level of a row: it fails if at least as many misses are less likely than this at the allowed
    /// share.
    ///
    /// Of a thousand rows with exactly the allowed share, one would fail in ten studies.
    static let falseAlarm = 1e-4

    /// The share of all printed intervals that contain the long-run value; nil if none was printed.
    public func coverage(ofCounts isCount: Bool) -> Double? {
        let rows = rows.filter { $0.isCount == isCount }
        let printed = rows.reduce(0) { $0 + $1.printed }
        return printed == 0 ? nil : Double(rows.reduce(0) { $0 + $1.held }) / Double(printed)
    }

    /// The rows with more misses than chance explains.
    public var failures: [Row] {
        rows.filter { row in
            let misses = row.printed - row.held
            return CoverageOutcome.chance(of: misses, orMoreIn: runs) < CoverageOutcome.falseAlarm
        }
    }

    /// `true` if the coverage is as required.
    ///
    /// The rows of one run are correlated, so the share over all rows varies nearly as much as that of one row. It is
    /// tested only with at least a hundred runs.
    public var holds: Bool {
        let pooled = [true, false].compactMap { coverage(ofCounts: $0) }
        return failures.isEmpty && (runs < 100 || pooled.allSatisfy { CoverageOutcome.allowed.contains($0) })
    }

    /// The probability of at least this many misses in independent runs with the allowed share of misses.
    static func chance(of misses: Int, orMoreIn runs: Int) -> Double {
        let odds = mostMisses / (1 - mostMisses)
        var term = (0..<runs).reduce(1.0) { term, _ in term * (1 - mostMisses) }
        var below = 0.0
        for count in 0..<misses {
            below += term
            term *= odds * Double(runs - count) / Double(count + 1)
        }
        return max(0, 1 - below)
    }
}
