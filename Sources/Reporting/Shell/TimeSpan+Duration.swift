public import Quantities

extension TimeSpan {
    /// A span of a clock, without what is finer than a microsecond.
    public init(_ duration: Duration) {
        self =
            TimeSpan(microseconds: duration.components.seconds * 1_000_000)
            + TimeSpan(microseconds: duration.components.attoseconds / 1_000_000_000_000)
    }
}
