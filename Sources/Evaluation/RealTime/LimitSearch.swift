/// A search for the highest rate that holds, which doubles the rate until it does not and then halves the interval.
///
/// It takes the outcome of each trial and returns the rate of the next one. It does not repeat trials, so on a noisy machine
/// a limit that matters is worth a second search.
public struct LimitSearch: Hashable, Sendable {
    /// The highest rate at which a trial held [1/s]; nil for none so far.
    public private(set) var held: Double?
    /// The lowest rate at which a trial did not hold [1/s]; nil for none so far.
    public private(set) var failed: Double?
    /// The rate of the next trial [1/s]; nil if the limit is known closely enough or cannot be found.
    public private(set) var next: Double?
    private let lowest: Double
    private let highest: Double
    private let precision: Double

    /// Creates a search from a first rate between a lowest and a highest rate [1/s].
    ///
    /// - Parameter precision: The width of the final interval relative to the limit.
    public init(first: Double, lowest: Double = 1, highest: Double = 1e9, precision: Double = 0.05) {
        next = min(max(first, lowest), highest)
        self.lowest = lowest
        self.highest = highest
        self.precision = precision
    }

    /// Takes the outcome of a trial at ``next``.
    public mutating func tried(holds: Bool) {
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
