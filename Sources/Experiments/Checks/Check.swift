import TextFormats

/// A requirement on a run of a scenario: a comparison with a name for reports.
public struct Check: Hashable, Sendable {
    /// The given name; empty for none.
    public var givenName: String
    /// The comparison that must hold.
    public var comparison: Comparison

    /// Creates a check, with or without a name.
    public init(_ comparison: Comparison, name: String = "") {
        self.comparison = comparison
        givenName = name
    }

    /// The name in reports: the given name, or else the comparison itself.
    public var name: String { givenName.isEmpty ? comparison.text : OneLine.text(givenName) }
}
