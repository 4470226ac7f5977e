/// A probability, stored as an integer threshold so that a trial is one comparison without floating point.
///
/// A trial succeeds if and only if the top 63 bits of a uniform draw are below the threshold. With the same draw, a
/// larger probability therefore succeeds whenever a smaller one does: the trials of two policies are coupled.
@frozen
public struct Probability: Hashable, Comparable, BitwiseCopyable, Sendable {
    /// The probability times 2^63; certainty is exactly 2^63.
    public let threshold: UInt64

    /// Creates a probability from a fraction.
    ///
    /// - Parameter fraction: Between 0 and 1, inclusive. Readers of scenarios reject anything else.
    /// - Precondition: `fraction` is within 0...1 (and so not NaN).
    public init(_ fraction: Double) {
        precondition(fraction >= 0 && fraction <= 1, "a probability lies within 0...1")
        threshold = UInt64((fraction * 0x1p63).rounded())
    }

    @inlinable
    init(threshold: UInt64) {
        self.threshold = threshold
    }

    /// The probability 0.
    @inlinable
    public static var never: Probability { Probability(threshold: 0) }

    /// The probability 1.
    @inlinable
    public static var always: Probability { Probability(threshold: 1 << 63) }

    /// The probability as a fraction; exact for every fraction of up to 52 bits that was given to ``init(_:)``.
    public var fraction: Double { Double(threshold) * 0x1p-63 }

    /// Returns `true` if a trial with this draw, uniform on all 64-bit integers, succeeds.
    @inlinable
    public func happens(_ draw: UInt64) -> Bool {
        (draw >> 1) < threshold
    }

    /// Returns `true` if the left probability is smaller.
    @inlinable
    public static func < (left: Probability, right: Probability) -> Bool {
        left.threshold < right.threshold
    }
}
