/// One combination of levels: a scenario of its own.
public struct DesignPoint: Hashable, Sendable {
    /// Its number in the design, counted from 0; kept where only a part of the design is run.
    public let number: Int
    /// A level for each factor, in the order of the factors.
    public let levels: [FactorLevel]
    /// The hash of the scenario that it makes.
    public let run: RunID
    /// How many cells that scenario has.
    public let cells: Int
    /// About how large a run of it is.
    public let estimate: RunEstimate

    /// The settings by which `freshet run --set` makes the same scenario out of the file without its factors.
    public func settings(_ factors: Factors) -> [String] {
        zip(factors.vary, levels).map { "\($0.path)=\($1.value)" }
    }
}
