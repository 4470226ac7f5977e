/// What two result directories come to against each other, whatever both of them hold.
public enum ResultComparison: Sendable {
    /// Of runs of a scenario, simulated or in real time.
    case runs(RunComparison)
    /// Of tests in real time.
    case loads(LoadComparison)
    case sweeps(SweepComparison)

    /// Reads both and compares them.
    ///
    /// - Throws: That they hold different kinds of results or what is never compared; why they are not comparable; what is
    ///   wrong with their files.
    public init(
        _ first: String,
        _ second: String,
        _ options: RunComparison.Options = .init()
    ) throws(ComparisonError) {
        // Where nothing tells, a run is looked for, and what is missing is told.
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

    /// Among what it can be compared; nil for what is never compared.
    fileprivate var group: Group? {
        switch self {
        case .run, .liveRun: .runs
        case .load: .loads
        case .sweep: .sweeps
        case .search, .comparison, .fit: nil
        }
    }
}
