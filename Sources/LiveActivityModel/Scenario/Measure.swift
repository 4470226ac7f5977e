public import Quantities

extension Scenario {
    /// What is measured beyond what always is; it changes nothing about what happens.
    public struct Measure: Hashable, Sendable {
        /// Ages of information whose exceedance is measured; ascending, at most 8.
        public var ageOver: [TimeSpan] = []
        /// Waits in the sender whose exceedance is measured; ascending, at most 8.
        public var waitOver: [TimeSpan] = []

        /// Nothing more.
        public init() {}
    }
}
