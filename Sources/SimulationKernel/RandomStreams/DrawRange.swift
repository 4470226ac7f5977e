/// A range of consecutive 64-bit draws, and the map that stretches it to all draws.
///
/// One draw thus both chooses among several alternatives and, rescaled, decides within the chosen one.
@frozen
public struct DrawRange: Hashable, BitwiseCopyable, Sendable {
    /// The smallest draw of the range.
    public let first: UInt64
    /// The largest draw of the range; inclusive, so that the end of all draws can be represented.
    public let last: UInt64
    /// The shift that makes the range fill more than half of all draws.
    @usableFromInline
    let shift: UInt64
    /// 2^128 divided by the shifted size, minus 2^64, rounded down.
    @usableFromInline
    let reciprocal: UInt64

    /// Creates a range from one draw to another, both inclusive.
    ///
    /// - Precondition: `first` is not above `last`.
    public init(first: UInt64, last: UInt64) {
        precondition(first <= last, "a range of draws is not empty")
        self.first = first
        self.last = last
        let span = last - first
        shift = UInt64(min(span.leadingZeroBitCount, 63))
        // A size that is a power of two yields 2^64, that is 0, and needs no multiplication. A single draw needs no
        // scaling.
        let size = (span &+ 1) &<< shift
        reciprocal = size > 1 << 63 ? size.dividingFullWidth((high: 0 &- size, low: 0)).quotient : 0
    }

    /// The number of draws minus one.
    var span: UInt64 { last - first }

    /// Returns `true` if a draw is in the range.
    @inlinable
    public func holds(_ draw: UInt64) -> Bool { draw &- first <= last &- first }

    /// All draws.
    public static var all: DrawRange { DrawRange(first: 0, last: .max) }

    /// A draw of the range, rescaled to all 64-bit integers.
    ///
    /// It increases with the draw and starts at 0. It is (draw - first) · 2^64 / size, rounded down, or one less: the
    /// rounded reciprocal costs at most one unit of 2^-64 and saves a division.
    ///
    /// - Precondition: `draw` is within the range; not checked.
    @inlinable
    public func rescaled(_ draw: UInt64) -> UInt64 {
        let offset = (draw &- first) &<< shift
        return offset &+ offset.multipliedFullWidth(by: reciprocal).high
    }

    /// The part of this range that corresponds to `inner` as a part of all draws; nil if it contains no draw.
    ///
    /// Adjacent inner ranges yield adjacent ranges.
    func subrange(_ inner: DrawRange) -> DrawRange? {
        let start = scaledDown(inner.first)
        // The draw after the last one, or nil for the end of all draws.
        let end = inner.last == .max ? nil : scaledDown(inner.last + 1)
        switch end {
        case nil:
            return DrawRange(first: first + start, last: last)
        case let end? where end > start:
            return DrawRange(first: first + start, last: first + (end - 1))
        case .some:
            return nil
        }
    }

    /// draw · size / 2^64, rounded down; below the size.
    private func scaledDown(_ draw: UInt64) -> UInt64 {
        let (high, low) = draw.multipliedFullWidth(by: last - first)
        return high &+ (low.addingReportingOverflow(draw).overflow ? 1 : 0)
    }
}
