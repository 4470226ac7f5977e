public import Quantities

extension Scenario {
    /// Measurements beyond the default ones; no effect on the history.
    public struct Measure: Hashable, Sendable {
        /// Ages of information whose exceedance is measured; ascending, at most 8.
        ///
        /// Ages do not depend on the expiry of content, so they allow comparisons of runs with different TTLs.
        public var ageOver: [TimeSpan] = [.seconds(30), .minutes(1), .minutes(2), .minutes(5)]
        /// Waits in the sender whose exceedance is measured; ascending, at most 8.
        public var waitOver: [TimeSpan] = []
        /// Errors of the shown ETA whose exceedance is measured; ascending, at most 8.
        public var etaErrorOver: [TimeSpan] = [.minutes(1), .minutes(2), .minutes(5)]

        /// Creates settings without additional measurements.
        public init() {}
    }
}
