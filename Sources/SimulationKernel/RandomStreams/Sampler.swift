/// A distribution compiled to integers: one 64-bit draw gives one value, without floating point.
///
/// It is a quantile function. All draws are divided into an ordered list of parts; each part rescales its draws to all
/// 64-bit integers and maps them by a simple law. The value of a draw is thus the same on every processor and, if the
/// parts increase, a larger draw never gives a smaller value.
public struct Sampler: Hashable, Sendable {
    /// The map of a part from its rescaled draws to values.
    public enum Law: Hashable, Sendable {
        /// Equally likely values from `low` to `low + width`.
        ///
        /// low + draw · width / 2^64, rounded to the nearest integer. The rounding is unbiased: the mean is low + width
        /// / 2, because both ends are half as likely as the values between them. A width of 0 is a constant.
        case uniform(low: Int64, width: UInt64)
        /// The quantile function of a continuous distribution.
        case table(QuantileTable)
        /// The values of a data column, ascending, each equally likely.
        case values([Int64])
    }

    /// A share of the draws with its law.
    public struct Part: Hashable, Sendable {
        /// The share.
        public let range: DrawRange
        /// The law of the rescaled draws.
        public let law: Law
    }

    /// The parts, ascending by their draws; together they contain every draw once.
    public let parts: [Part]

    /// Creates a sampler with the same law for all draws.
    ///
    /// - Precondition: Values are ascending and not empty; low + width is an `Int64`.
    public init(_ law: Law) {
        law.validate()
        parts = [Part(range: .all, law: law)]
    }

    /// Joins several samplers: each takes the draws after those of its predecessor, rescaled, up to its last.
    ///
    /// This makes a mixture, in which one draw chooses and samples the component, or a piecewise linear quantile
    /// function.
    ///
    /// - Precondition: The last draws increase, and the last of them is `UInt64.max`.
    public init(joining pieces: [(last: UInt64, sampler: Sampler)]) {
        precondition(pieces.last?.last == .max, "the last piece ends with the last draw")
        var parts: [Part] = []
        var first: UInt64 = 0
        for piece in pieces {
            let range = DrawRange(first: first, last: piece.last)
            for part in piece.sampler.parts {
                guard let share = range.subrange(part.range) else { continue }
                parts.append(Part(range: share, law: part.law))
            }
            first = piece.last &+ 1
        }
        self.parts = parts
    }

    /// Creates a sampler with the same value for every draw.
    public static func constant(_ value: Int64) -> Sampler {
        Sampler(.uniform(low: value, width: 0))
    }

    /// The value for a draw.
    ///
    /// - Complexity: O(log *n*) in the number of parts.
    public func value(for draw: UInt64) -> Int64 {
        var low = 0
        var high = parts.count - 1
        while low < high {
            let middle = (low + high) / 2
            if parts[middle].range.last < draw {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return parts[low].law.value(for: parts[low].range.rescaled(draw))
    }
}

extension Sampler.Law {
    /// The value for a rescaled draw.
    func value(for draw: UInt64) -> Int64 {
        switch self {
        case .uniform(let low, let width):
            return Self.uniform(draw, low: low, width: width)
        case .table(let table):
            return table.value(for: draw)
        case .values(let values):
            return values[Self.index(draw, count: UInt64(values.count))]
        }
    }

    /// The point of a uniform range for a draw, rounded to the nearest integer.
    @inlinable
    static func uniform(_ draw: UInt64, low: Int64, width: UInt64) -> Int64 {
        let (high, fraction) = draw.multipliedFullWidth(by: width)
        return low &+ Int64(bitPattern: high &+ fraction &>> 63)
    }

    /// The index of a column's value for a draw.
    @inlinable
    static func index(_ draw: UInt64, count: UInt64) -> Int {
        Int(truncatingIfNeeded: draw.multipliedFullWidth(by: count).high)
    }

    func validate() {
        switch self {
        case .uniform(let low, let width):
            precondition(width <= UInt64(bitPattern: Int64.max &- low), "the upper end of a uniform range is an Int64")
        case .table:
            return
        case .values(let values):
            precondition(!values.isEmpty, "a data column has values")
            precondition(zip(values, values.dropFirst()).allSatisfy(<=), "a data column is sorted")
        }
    }
}
