public import Quantities

extension SamplerBank {
    /// The value for a draw of a sampler of durations [µs].
    @inlinable
    public func timeSpan(_ id: SamplerID, _ draw: @autoclosure () -> UInt64) -> TimeSpan {
        TimeSpan(microseconds: sample(id, draw()))
    }
}
