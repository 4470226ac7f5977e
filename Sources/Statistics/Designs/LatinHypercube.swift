public import SimulationKernel

/// A Latin hypercube: n points in which every factor has one value in each nth part of its range.
///
/// McKay, Beckman and Conover, Technometrics 21, 1979. Within its part a value is uniform, and the parts of different
/// factors are matched at random, so each point is uniform on the cube and the mean over the points is unbiased. A
/// design cannot be extended: 2n points are different points, not n additional ones.
public struct LatinHypercube: Hashable, Sendable {
    /// The points, each with one value per factor in 0..<1.
    public let points: [[Double]]

    /// The maximum number of points, so that a part and a 32-bit draw within it fit into the digits of a `Double`.
    private static let largestPointCount = 1 << 20

    /// Draws a design; the same source, entity and purpose give the same design.
    ///
    /// Factor d draws as entity `entity` + d: with the indices 0..<n for the positions within the parts, and n..<2n for
    /// their order (Fisher and Yates). A factor's values therefore do not change when factors are added after it.
    ///
    /// - Precondition: There are points, at most ``largestPointCount``.
    /// - Complexity: O(n · k).
    public init(points count: Int, dimensions: Int, source: RandomSource, entity: UInt64, purpose: UInt16) {
        precondition((1...Self.largestPointCount).contains(count), "a design has points, and not too many")
        var points = [[Double]](repeating: [Double](repeating: 0, count: dimensions), count: count)
        for dimension in 0..<dimensions {
            let draw = { (index: Int) in
                source.draw(entity: entity &+ UInt64(dimension), purpose: purpose, index: UInt32(index))
            }
            let parts = Self.permutation(count) { draw(count + $0) }
            for point in 0..<count {
                // Exact until the division: at most 20 binary digits before the point and 32 after it.
                let place = Double(parts[point]) + Double(draw(point) >> 32) * 0x1p-32
                points[point][dimension] = place / Double(count)
            }
        }
        self.points = points
    }

    /// A random order of 0..<count; the probabilities of any two orders differ by less than count² / 2^64.
    private static func permutation(_ count: Int, draw: (Int) -> UInt64) -> [Int] {
        var order = Array(0..<count)
        for last in stride(from: count - 1, to: 0, by: -1) {
            order.swapAt(last, Int(draw(last).multipliedFullWidth(by: UInt64(last + 1)).high))
        }
        return order
    }
}
