public import ScenarioLanguage

/// A combination of levels, which is a scenario of its own.
public struct DesignPoint: Hashable, Sendable {
    /// The number in the design, counted from 0; it stays the same if only a part of the design is run.
    public let number: Int
    /// A level for each factor, in the order of the factors.
    public let levels: [FactorLevel]
    /// The hash of the resulting scenario.
    public let run: RunID
    /// The number of cells of the resulting scenario.
    public let cells: Int
    /// The estimated number of events of a replication.
    public let events: Double

    /// Returns settings for `freshet run --set` that give the same scenario from the file without its factors.
    public func settings(_ factors: Factors) -> [String] {
        zip(factors.vary, levels).map { "\($0.path)=\($1.value)" }
    }
}
