/// The chance of a yes, kept as an integer threshold so that a trial is one comparison without floating point.
///
/// A trial says yes if and only if the top 63 bits of a uniform draw are below the threshold. With the same draw, a
/// larger probability therefore says yes whenever a smaller one does: trials of two policies are coupled.
@frozen
public struct Probability: Hashable, Comparable, BitwiseCopyable, Sendable {
    /// The chance times 2^63; the certain yes is exactly 2^63.
    public let threshold: UInt64

    /// A chance given as a fraction of one.
    ///
    /// - Parameter fraction: Between 0 and 1, both included. Readers of scenarios refuse anything else.
    /// - Precondition: `fraction` is within 0...1 (and so not NaN).
    public init(_ fraction: Double) {
        precondition(fraction >= 0 && fraction <= 1, "a probability lies within 0...1")
        threshold = UInt64((fraction * 0x1p63).rounded())
    }

    @inlinable
    init(threshold: UInt64) {
        self.threshold = threshold
    }

    /// The certain no.
    @inlinable
    public static var never: Probability { Probability(threshold: 0) }

    /// The certain yes.
    @inlinable
    public static var always: Probability { Probability(threshold: 1 << 63) }

    /// The chance as a fraction of one; exact for every fraction that ``init(_:)`` was given with up to 52 bits.
    public var fraction: Double { Double(threshold) * 0x1p-63 }

    /// Whether a trial with this draw, uniform on all 64-bit integers, says yes.
    @inlinable
    public func happens(_ draw: UInt64) -> Bool {
        (draw >> 1) < threshold
    }

    /// Whether the smaller of two chances stands on the left.
    @inlinable
    public static func < (left: Probability, right: Probability) -> Bool {
        left.threshold < right.threshold
    }
}
