public import Quantities

extension Scenario {
    /// What is measured beyond what always is; it changes nothing about what happens.
    public struct Measure: Hashable, Sendable {
        /// Ages of information whose exceedance is measured; ascending, at most 8.
        ///
        /// Ages do not depend on when content expires, so by these runs with another TTL can be compared.
        public var ageOver: [TimeSpan] = [.seconds(30), .minutes(1), .minutes(2), .minutes(5)]
        /// Waits in the sender whose exceedance is measured; ascending, at most 8.
        public var waitOver: [TimeSpan] = []

        /// Nothing more.
        public init() {}
    }
}
