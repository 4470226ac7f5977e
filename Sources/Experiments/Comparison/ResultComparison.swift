/// A comparison of two result directories of any kind.
public indirect enum ResultComparison: Sendable {
    /// A comparison of runs of a scenario, simulated or in real time.
    case runs(RunComparison)
    /// A comparison of loads.
    case loads(LoadComparison)
    case sweeps(SweepComparison)

    /// Reads both and compares them.
    ///
    /// - Throws: ``ComparisonError`` if the directories hold different kinds of results or a kind that cannot be
    ///   compared, if the results are not comparable, or if a file is invalid.
    public init(
        _ first: String,
        _ second: String,
        _ options: RunComparison.Options = .init()
    ) throws(ComparisonError) {
        // An unmarked directory is taken for a run, so that the reader of runs reports what is missing.
        let one = ComparisonError.KindOfResults(directory: first, kind: ResultKind(of: first) ?? .run)
        let other = ComparisonError.KindOfResults(directory: second, kind: ResultKind(of: second) ?? .run)
        for results in [one, other] where results.kind.group == nil { throw .neverCompared(results) }
        guard one.kind.group == other.kind.group else { throw .otherKinds(one, other) }
        switch one.kind.group {
        case .runs, nil:
            self = .runs(
                try RunComparison(
                    Self.read { () throws(ScenarioError) in try RecordedRun(directory: first) },
                    Self.read { () throws(ScenarioError) in try RecordedRun(directory: second) },
                    options
                )
            )
        case .loads:
            self = .loads(
                try LoadComparison(
                    Self.read { () throws(ScenarioError) in try RecordedLoad(directory: first) },
                    Self.read { () throws(ScenarioError) in try RecordedLoad(directory: second) },
                    options
                )
            )
        case .sweeps:
            self = .sweeps(
                try SweepComparison(
                    Self.read { () throws(ScenarioError) in try RecordedSweep(directory: first) },
                    Self.read { () throws(ScenarioError) in try RecordedSweep(directory: second) },
                    options
                )
            )
        }
    }

    private static func read<Results>(
        _ body: () throws(ScenarioError) -> Results
    ) throws(ComparisonError) -> Results {
        do throws(ScenarioError) {
            return try body()
        } catch {
            throw .unreadable(error)
        }
    }
}

extension ResultKind {
    fileprivate enum Group {
        case runs, loads, sweeps
    }

    /// The group of kinds that can be compared with each other; nil for kinds that cannot be compared.
    fileprivate var group: Group? {
        switch self {
        case .run, .liveRun: .runs
        case .load: .loads
        case .sweep: .sweeps
        case .search, .comparison, .fit: nil
        }
    }
}
