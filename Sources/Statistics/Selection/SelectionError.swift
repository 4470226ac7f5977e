/// The reason for which no system can be selected.
public enum SelectionError: Error, Hashable, Sendable {
    case noSystems
    case indifference(Double)
    /// A limit that is not finite; constraints are counted from 0.
    case limit(constraint: Int, Double)
    /// A tolerance that is not a number above 0; constraints are counted from 0.
    case tolerance(constraint: Int, Double)
    case errorProbability(Double)
    case initialReplications(Int)
    /// Fewer runs than the first stage needs.
    case budget(Int, least: Int)
}

extension SelectionError: CustomStringConvertible {
    /// A description of the error: what, got, allowed.
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
