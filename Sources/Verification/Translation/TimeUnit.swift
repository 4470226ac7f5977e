import Quantities

/// What one unit of a case's time stands for in the scenario.
///
/// Cases know no seconds. A unit is a second, or as many times ten seconds as it takes for the shortest time in the case
/// to be long against the microsecond to which the simulation rounds.
struct TimeUnit: Sendable {
    /// One unit [µs].
    let microseconds: Double

    static let second = TimeUnit(microseconds: 1e6)
    static let hour = TimeUnit(microseconds: 3.6e9)

    private init(microseconds: Double) {
        self.microseconds = microseconds
    }

    /// The unit in which the shortest of some times lasts a tenth of a second at least.
    init(shortest: Double) {
        var microseconds = 1e6
        while shortest > 0, shortest * microseconds < 1e5, microseconds < 1e12 {
            microseconds *= 10
        }
        self.microseconds = microseconds
    }

    /// A number of units as a span, not beyond the longest that a scenario may state.
    func span(_ units: Double) -> TimeSpan {
        TimeSpan(bounded: (units * microseconds).rounded())
    }
}

extension TimeSpan {
    /// A span of microseconds, cut off to whole ones and not beyond the longest that a scenario may state.
    ///
    /// What is reckoned from extreme parameters may be of any size, or no number at all.
    init(bounded microseconds: Double) {
        let longest = TimeSpan.longest.microseconds
        self = microseconds < Double(longest) ? TimeSpan(microseconds: Int64(max(0, microseconds))) : .longest
    }
}
