import Benchmarking

/// Two programs measured by turns, so that what disturbs the machine disturbs both.
struct Turns {
    /// What each turn of ours gave.
    let ours: RunSeries
    /// What each turn of the other gave.
    let baseline: RunSeries
    /// How many times as long the other took, turn by turn.
    let ratios: RunSeries

    /// Runs a workload of ours and the same in C++, one after the other.
    ///
    /// - Parameter name: The workload, for the error.
    /// - Throws: When their events differ: then the comparison means nothing.
    init(_ ours: inout some Workload & ~Copyable, _ baseline: Baseline, named name: String, effort: Effort) throws {
        self.init(count: effort.turns) {
            Turns.nanoseconds(of: &ours, units: effort.units)
        } baseline: {
            var baseline = baseline
            return Turns.nanoseconds(of: &baseline, units: effort.units)
        }
        guard ours.trajectoryHash == baseline.trajectoryHash else {
            throw ComparisonFailure(description: "\(name): the events of the two programs differ")
        }
    }

    /// Measures both, one after the other, for a number of rounds.
    ///
    /// - Parameters:
    ///   - count: How many turns.
    ///   - ours: Runs ours and returns its time per unit.
    ///   - baseline: Runs the other and returns its time per unit.
    init(count: Int, ours: () throws -> Double, baseline: () throws -> Double) rethrows {
        let times = try (0..<count).map { _ in (ours: try ours(), baseline: try baseline()) }
        self.ours = RunSeries(times.map(\.ours))
        self.baseline = RunSeries(times.map(\.baseline))
        ratios = RunSeries(times.map { $0.baseline / $0.ours })
    }

    /// How long the thread works for one unit [ns].
    static func nanoseconds(of workload: inout some Workload & ~Copyable, units: Int) -> Double {
        RunSeries.nanoseconds(of: &workload, units: units, runs: 1).median
    }
}

/// Why a comparison means nothing.
struct ComparisonFailure: Error, CustomStringConvertible {
    let description: String
}
