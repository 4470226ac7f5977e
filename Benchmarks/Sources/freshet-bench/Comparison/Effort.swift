/// How long to measure.
struct Effort {
    /// How often each program has its turn.
    let turns: Int
    /// What one turn does, in operations, customers or events.
    let units: Int
    /// The largest population that is measured.
    let largest: Int

    /// A few minutes: figures to quote.
    static let full = Effort(turns: 7, units: 1_000_000, largest: 10_000_000)
    /// Some seconds: whether anything has fallen over.
    static let quick = Effort(turns: 5, units: 100_000, largest: 1_000_000)
}
