/// Why a system cannot be selected, or a response not be taken.
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
    /// A response that is NaN or infinite: 0 is the objective, the constraints follow.
    case notFinite(system: Int, replication: Int, response: Int, Double)
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
        case .notFinite(let system, let replication, let response, let value):
            "response \(response) of system \(system) in replication \(replication) must be a finite number, got \(value)"
        }
    }
}

/// A problem that cannot be solved, with all that is wrong with it.
public struct InvalidSelection: Error, Hashable, Sendable {
    /// What is wrong; never empty.
    public let errors: [SelectionError]
}

extension InvalidSelection: CustomStringConvertible {
    /// One line for each thing that is wrong.
    public var description: String { errors.map(\.description).joined(separator: "\n") }
}
