public import Quantities

extension SamplerBank {
    /// The value of a sampler that belongs to a draw, of a distribution of durations [µs].
    @inlinable
    public func timeSpan(_ id: SamplerID, _ draw: @autoclosure () -> UInt64) -> TimeSpan {
        TimeSpan(microseconds: sample(id, draw()))
    }
}
