import Experiments
import LiveActivityModel
import SimulationKernel

/// What came of the intervals of one kind in a study.
public struct CoverageOutcome: Sendable {
    /// What the parts of the intervals were.
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
    /// How many rides a run had, on average; five such runs make an interval of replications.
    public let rides: Int
    /// What the parts were.
    public let basis: Basis
    /// How many runs there were.
    public let runs: Int
    /// The rows that any run had an interval for.
    public let rows: [Row]

    /// One row of summary.csv over all runs.
    public struct Row: Hashable, Sendable {
        /// Metric, scope and statistic.
        public let name: String
        /// Whether it is a count.
        public let isCount: Bool
        /// How many runs printed an interval.
        public let printed: Int
        /// How many of these hold the long-run value.
        public let held: Int

        /// A row; nil where no run printed an interval.
        init?(name: String, isCount: Bool, exact: Double, intervals: [ClosedRange<Double>]) {
            guard !intervals.isEmpty else { return nil }
            (self.name, self.isCount) = (name, isCount)
            printed = intervals.count
            // The last digit is no miss: a share of exactly 1 may be the end of its interval.
            let slack = abs(exact) * 1e-12
            held = intervals.count { $0.lowerBound - slack <= exact && exact <= $0.upperBound + slack }
        }

        /// The share of the intervals that hold the long-run value.
        public var coverage: Double { Double(held) / Double(printed) }
    }

    /// What came of a study's intervals from one basis.
    init(_ study: CoverageStudy, _ basis: Basis, _ intervals: [CoverageStudy.Intervals], sums: [Measurements]) {
        let replications = study.seeds / CoverageStudy.replications * CoverageStudy.replications
        // A count is as large as what it was counted in.
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

    /// What share of all intervals must hold the long-run value, for counts and for all else.
    public static let allowed = 0.92...0.985
    /// What share of the runs may print an interval that misses, in any row.
    static let mostMisses = 0.08
    /// A row fails whose misses, or more, are less likely than this at that share: of a thousand rows that are as bad as
    /// they may be one would fail in ten studies.
    static let falseAlarm = 1e-4

    /// The share of all printed intervals that hold the long-run value; nil where none was printed.
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

    /// Whether all is as it must be.
    ///
    /// Rows of one run depend on each other, so the share over all rows scatters nearly as that of one row; it is judged
    /// only where there are a hundred runs.
    public var holds: Bool {
        let pooled = [true, false].compactMap { coverage(ofCounts: $0) }
        return failures.isEmpty && (runs < 100 || pooled.allSatisfy { CoverageOutcome.allowed.contains($0) })
    }

    /// The chance of this many misses or more in independent runs that miss as often as they may.
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
