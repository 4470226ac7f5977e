/// The quantile function of a continuous distribution as integers: nodes with linear interpolation between them.
///
/// The nodes are log-linear in the probability of *both* tails, as the buckets of an HDR histogram are in the value:
/// each halving of the tail's probability, from 1/2 down to 2^-44, is divided into 128 equal steps. The relative width
/// of a step in probability is therefore between 1/256 and 1/128 everywhere, and a quantile of 1 - 10^-9 is as precise
/// as the quartile.
///
/// Cut-off: a tail ends at its quantile of 2^-44. One draw in 1.8 · 10^13 on each side is beyond it and yields that
/// quantile.
///
/// Draws count from their own end: a draw u below 2^63 has the probability u / 2^64 of the lower tail, any other has
/// (2^64 - 1 - u) / 2^64 of the upper one. The value never decreases as the draw increases.
public struct QuantileTable: Hashable, Sendable {
    /// The side from which a probability is counted.
    public enum Tail: Hashable, Sendable {
        /// The probability of a smaller value.
        case lower
        /// The probability of a larger value.
        case upper
    }

    /// The nodes of one tail: 128 steps for each of 43 halvings, and the median.
    @inlinable
    static var nodesPerTail: Int { 43 * 128 + 1 }

    /// The probabilities of each tail increase from 2^-44 to 1/2; the lower tail comes first, and the median is in
    /// both.
    let nodes: [Int64]

    /// Creates the table of a quantile function.
    ///
    /// Numerical quantile functions can decrease in their last bits. A quantile below its neighbour towards the lower
    /// end is raised to it.
    ///
    /// - Parameter quantile: Returns the value that is exceeded, towards the given side, with the given probability: an
    ///   exact multiple of 2^-51 within 2^-44...1/2.
    /// - Throws: The errors of `quantile`.
    public init<Failure>(_ quantile: (Tail, Double) throws(Failure) -> Int64) throws(Failure) {
        let count = Self.nodesPerTail
        var nodes = [Int64](repeating: 0, count: 2 * count)
        var largest = Int64.min
        for node in 0..<count {
            largest = max(largest, try quantile(.lower, Self.probability(ofNode: node)))
            nodes[node] = largest
        }
        nodes[2 * count - 1] = largest
        for node in (0..<count - 1).reversed() {
            largest = max(largest, try quantile(.upper, Self.probability(ofNode: node)))
            nodes[count + node] = largest
        }
        self.nodes = nodes
    }

    /// The quantile for a draw.
    func value(for draw: UInt64) -> Int64 {
        let position = Position(draw)
        return position.value(from: nodes[position.node], to: nodes[position.node + 1])
    }

    /// The probability of a node of either tail; exact.
    private static func probability(ofNode node: Int) -> Double {
        let (octave, step) = node.quotientAndRemainder(dividingBy: 128)
        return Double(UInt64(128 + step) << UInt64(octave)) * 0x1p-51
    }
}

extension QuantileTable {
    /// The position of a draw's quantile: the preceding node, and the fraction of the way to the next.
    @frozen
    @usableFromInline
    struct Position {
        /// The node on the outer side, below `2 * nodesPerTail - 1`.
        @usableFromInline
        let node: Int
        /// The fraction of the way to the next node, the inner one, in 2^-64.
        @usableFromInline
        let fraction: UInt64
        /// All ones in the upper tail, where values decrease from node to node; otherwise zero.
        @usableFromInline
        let mirror: UInt64

        /// The position of a draw.
        @inlinable
        init(_ draw: UInt64) {
            mirror = UInt64(bitPattern: Int64(bitPattern: draw) &>> 63)
            // The draw counted from its own end; below 2^63. A draw beyond the cut-off is moved to it.
            let tail = max(draw ^ mirror, 1 << 20)
            let leadingZeros = UInt64(truncatingIfNeeded: tail.leadingZeroBitCount)
            // Without its leading one: seven bits of step, then the fraction within the step.
            let digits = tail &<< (leadingZeros &+ 1)
            let octave = 43 &- leadingZeros
            let start = UInt64(truncatingIfNeeded: QuantileTable.nodesPerTail) & mirror
            node = Int(truncatingIfNeeded: start &+ octave &* 128 &+ digits &>> 57)
            fraction = digits &<< 7
        }

        /// The point between two neighbouring nodes, rounded to the nearest integer.
        @inlinable
        func value(from outer: Int64, to inner: Int64) -> Int64 {
            let rise = (UInt64(bitPattern: inner &- outer) ^ mirror) &- mirror
            let (high, low) = rise.multipliedFullWidth(by: fraction)
            return outer &+ Int64(bitPattern: ((high &+ low &>> 63) ^ mirror) &- mirror)
        }
    }
}
