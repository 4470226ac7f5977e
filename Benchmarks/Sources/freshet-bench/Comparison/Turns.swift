import Benchmarking

/// Two programs measured by turns, so that what disturbs the machine disturbs both.
struct Turns {
    /// What each turn of ours gave.
    let ours: RunSeries
    /// What each turn of the other gave.
    let baseline: RunSeries
    /// How many times as long the other took, turn by turn.
    let ratios: RunSeries

    /// Runs both, one after the other, for a number of rounds.
    ///
    /// - Parameters:
    ///   - units: What each turn does, to divide its time by.
    ///   - count: How many turns.
    init(units: Int, count: Int, ours: () throws -> Void, baseline: () throws -> Void) rethrows {
        try self.init(count: count) {
            try Turns.nanoseconds(of: ours) / Double(units)
        } baseline: {
            try Turns.nanoseconds(of: baseline) / Double(units)
        }
    }

    /// Measures both, one after the other, for a number of rounds.
    ///
    /// - Parameters:
    ///   - count: How many turns.
    ///   - ours: Runs ours and returns its time per unit.
    ///   - baseline: Runs the other and returns its time per unit.
    init(count: Int, ours: () throws -> Double, baseline: () throws -> Double) rethrows {
        var times: [(ours: Double, baseline: Double)] = []
        for _ in 0..<count {
            times.append((try ours(), try baseline()))
        }
        self.ours = RunSeries(times.map(\.ours))
        self.baseline = RunSeries(times.map(\.baseline))
        ratios = RunSeries(times.map { $0.baseline / $0.ours })
    }

    /// How long the thread worked [ns].
    static func nanoseconds(of work: () throws -> Void) rethrows -> Double {
        let began = threadCPUNanoseconds()
        try work()
        return Double(threadCPUNanoseconds() - began)
    }
}
