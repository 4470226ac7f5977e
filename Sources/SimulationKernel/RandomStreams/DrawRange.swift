/// A stretch of consecutive 64-bit draws, and the map that stretches it to all of them.
///
/// One draw thus both chooses among several alternatives and, rescaled, decides within the chosen one.
@frozen
public struct DrawRange: Hashable, BitwiseCopyable, Sendable {
    /// The smallest draw of the stretch.
    public let first: UInt64
    /// The largest draw of the stretch; included, so that the end of all draws can be written.
    public let last: UInt64
    /// How far the stretch is shifted to fill more than half of all draws.
    @usableFromInline
    let shift: UInt64
    /// 2^128 divided by the shifted size, less 2^64, rounded down.
    @usableFromInline
    let reciprocal: UInt64

    /// The stretch from one draw to another, both included.
    ///
    /// - Precondition: `first` is not above `last`.
    public init(first: UInt64, last: UInt64) {
        precondition(first <= last, "a range of draws is not empty")
        self.first = first
        self.last = last
        let span = last - first
        shift = UInt64(min(span.leadingZeroBitCount, 63))
        // A size that is a power of two comes out as 2^64, that is 0, and needs no multiplication. A single draw has
        // nothing to stretch.
        let size = (span &+ 1) &<< shift
        reciprocal = size > 1 << 63 ? size.dividingFullWidth((high: 0 &- size, low: 0)).quotient : 0
    }

    /// One less than how many draws there are.
    var span: UInt64 { last - first }

    /// Whether a draw is one of the stretch.
    @inlinable
    public func holds(_ draw: UInt64) -> Bool { draw &- first <= last &- first }

    /// All draws.
    public static var all: DrawRange { DrawRange(first: 0, last: .max) }

    /// A draw of the stretch as a draw from all 64-bit integers.
    ///
    /// Rises with the draw and starts at 0. It is (draw - first) · 2^64 / size, rounded down, or one less: the rounded
    /// reciprocal costs at most one unit of 2^-64 and saves a division.
    ///
    /// - Precondition: `draw` is within the stretch; not checked.
    @inlinable
    public func rescaled(_ draw: UInt64) -> UInt64 {
        let offset = (draw &- first) &<< shift
        return offset &+ offset.multipliedFullWidth(by: reciprocal).high
    }

    /// The stretch of these draws that is what `inner` is of all draws; nil where it holds no draw.
    ///
    /// Neighbouring inner ranges become neighbouring ranges.
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
