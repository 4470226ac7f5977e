/// Why no system can be selected.
public enum SelectionError: Error, Hashable, Sendable {
    case noSystems
    case indifference(Double)
    /// A limit that is not a finite number; the constraint is counted from 0.
    case limit(constraint: Int, Double)
    /// A tolerance that is not a number above 0; the constraint is counted from 0.
    case tolerance(constraint: Int, Double)
    case errorProbability(Double)
    case initialReplications(Int)
    /// Fewer runs than the first stage takes.
    case budget(Int, least: Int)
}

extension SelectionError: CustomStringConvertible {
    /// What is wrong: what, got, allowed.
    public var description: String {
        switch self {
        case .noSystems: "there must be at least 1 system to choose from, got 0"
        case .indifference(let value): "the indifference must be a number above 0, got \(value)"
        case .limit(let constraint, let value):
            "the limit of constraint \(constraint) must be a finite number, got \(value)"
        case .tolerance(let constraint, let value):
            "the tolerance of constraint \(constraint) must be a number above 0, got \(value)"
        case .errorProbability(let value): "the error probability must be above 0 and below 0.5, got \(value)"
        case .initialReplications(let value): "there must be at least 2 initial replications, got \(value)"
        case .budget(let value, let least):
            "the budget must be at least \(least) runs, which the initial replications take, got \(value)"
        }
    }
}
