/// What a run of a scenario must come to: a comparison, with a name for reports.
public struct Check: Hashable, Sendable {
    /// The name that was given; empty for none.
    public var givenName: String
    /// What must hold.
    public var comparison: Comparison

    /// A check, with or without a name.
    public init(_ comparison: Comparison, name: String = "") {
        self.comparison = comparison
        givenName = name
    }

    /// What reports call it: its name, or else the comparison itself.
    public var name: String { givenName.isEmpty ? comparison.text : OneLine.text(givenName) }
}
