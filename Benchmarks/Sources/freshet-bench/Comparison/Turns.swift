import Benchmarking

/// Two programs measured in turn, so that disturbances of the machine affect both.
struct Turns {
    /// The results of our turns.
    let ours: RunSeries
    /// The results of the baseline's turns.
    let baseline: RunSeries
    /// The ratio of the baseline's time to ours, turn by turn.
    let ratios: RunSeries

    /// Runs a workload of ours and the same in C++, in turn.
    ///
    /// - Parameter name: The workload, for the error.
    /// - Throws: An error if their events differ, because then the comparison is meaningless.
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

    /// Measures both in turn, for a number of rounds.
    ///
    /// - Parameters:
    ///   - count: The number of rounds.
    ///   - ours: Runs ours and returns its time per unit.
    ///   - baseline: Runs the baseline and returns its time per unit.
    init(count: Int, ours: () throws -> Double, baseline: () throws -> Double) rethrows {
        let times = try (0..<count).map { _ in (ours: try ours(), baseline: try baseline()) }
        self.ours = RunSeries(times.map(\.ours))
        self.baseline = RunSeries(times.map(\.baseline))
        ratios = RunSeries(times.map { $0.baseline / $0.ours })
    }

    /// The processor time of the thread per unit [ns].
    static func nanoseconds(of workload: inout some Workload & ~Copyable, units: Int) -> Double {
        RunSeries.nanoseconds(of: &workload, units: units, runs: 1).median
    }
}

/// The reason for which a comparison is meaningless.
struct ComparisonFailure: Error, CustomStringConvertible {
    let description: String
}
