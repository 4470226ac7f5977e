/// Finds the highest rate that still holds: doubles it until it does not, then halves the interval.
///
/// Told the outcome of a trial, it says the rate of the next one. It believes each trial; where the machine is noisy, a limit
/// that matters is worth a second search.
package struct LimitSearch: Hashable, Sendable {
    /// The highest rate at which a trial held [1/s]; nil for none so far.
    package private(set) var held: Double?
    /// The lowest rate at which one did not [1/s]; nil for none so far.
    package private(set) var failed: Double?
    /// The rate to try next [1/s]; nil when the limit is known closely enough, or cannot be found.
    package private(set) var next: Double?
    private let lowest: Double
    private let highest: Double
    private let precision: Double

    /// A search from a first rate between the lowest and the highest that are tried [1/s].
    ///
    /// - Parameter precision: How far apart, relative to the limit, the rates may be between which it lies at the end.
    package init(first: Double, lowest: Double = 1, highest: Double = RatePlan.highestRate, precision: Double = 0.05) {
        next = min(max(first, lowest), highest)
        self.lowest = lowest
        self.highest = highest
        self.precision = precision
    }

    /// A trial at ``next`` has held, or has not.
    package mutating func tried(holds: Bool) {
        guard let rate = next else { return }
        if holds { held = rate } else { failed = rate }
        switch (held, failed) {
        case (let held?, let failed?):
            next = failed - held > held * precision ? (held + failed) / 2 : nil
        case (let held?, nil):
            next = held < highest ? min(highest, held * 2) : nil
        case (nil, let failed?):
            next = failed > lowest ? max(lowest, failed / 2) : nil
        case (nil, nil):
            break
        }
    }
}
