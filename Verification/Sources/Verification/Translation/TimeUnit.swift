import Quantities

/// The time unit of a case in the scenario.
///
/// Cases have no seconds. A unit is a second, or a power of ten of seconds if the shortest time in the case would
/// otherwise not be long compared with the microsecond to which the simulation rounds.
struct TimeUnit: Sendable {
    /// One unit [µs].
    let microseconds: Double

    static let millisecond = TimeUnit(microseconds: 1e3)
    static let second = TimeUnit(microseconds: 1e6)
    static let hour = TimeUnit(microseconds: 3.6e9)

    private init(microseconds: Double) {
        self.microseconds = microseconds
    }

    /// Creates the smallest unit for which the shortest of some times lasts at least a tenth of a second.
    init(shortest: Double) {
        var microseconds = 1e6
        while shortest > 0, shortest * microseconds < 1e5, microseconds < 1e12 {
            microseconds *= 10
        }
        self.microseconds = microseconds
    }

    /// A number of units as a span, limited to the longest that a scenario may state.
    func span(_ units: Double) -> TimeSpan {
        TimeSpan(bounded: (units * microseconds).rounded())
    }
}

extension TimeSpan {
    /// Creates a span from microseconds, truncated and limited to the longest that a scenario may state.
    ///
    /// Values computed from extreme parameters may have any size, or may be NaN.
    init(bounded microseconds: Double) {
        let longest = TimeSpan.longest.microseconds
        self = microseconds < Double(longest) ? TimeSpan(microseconds: Int64(max(0, microseconds))) : .longest
    }
}
