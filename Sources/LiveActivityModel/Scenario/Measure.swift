public import Quantities

extension Scenario {
    /// The thresholds at which results are read off.
    ///
    /// They change nothing about the run. Shares beyond a threshold are counted exactly, unlike quantiles.
    public struct Measure: Hashable, Sendable {
        /// Waits in the sender; up to 8.
        public var waitOver: [TimeSpan] = []

        /// No thresholds.
        public init() {}
    }
}
