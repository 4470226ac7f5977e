/// The length of the measurements.
struct Effort {
    /// The number of turns of each program.
    let turns: Int
    /// The work of one turn, in operations, customers or events.
    let units: Int
    /// The largest population that is measured.
    let largest: Int

    /// A few minutes, for figures to publish.
    static let full = Effort(turns: 7, units: 1_000_000, largest: 10_000_000)
    /// A few seconds, to detect a large regression.
    static let quick = Effort(turns: 5, units: 100_000, largest: 1_000_000)
}
