/// A sort of a few numbers without data-dependent branches.
///
/// Most slots of a small list hold 12 to 24 events. Insertion sort mispredicts about one branch per event; a network of
/// minima and maxima mispredicts none. The network for 8 has the minimum possible number of comparators, 19; wider ones
/// are built from it by odd-even merges (K. E. Batcher, Sorting networks and their applications, 1968).
package enum SortingNetwork {
    /// The maximum number of numbers.
    package static var largest: Int { 64 }

    /// Sorts up to ``largest`` numbers.
    ///
    /// - Precondition: the buffer has room for `count` rounded up to the width of a network.
    package static func sort(_ numbers: UnsafeMutablePointer<UInt64>, count: Int) {
        let width = count <= 8 ? 8 : count <= 16 ? 16 : count <= 32 ? 32 : 64
        for index in count..<width {
            numbers[index] = .max
        }
        for start in stride(from: 0, to: count, by: 8) {
            sort8(numbers + start)
        }
        guard count > 8 else { return }
        for start in stride(from: 0, to: count, by: 16) {
            merge(numbers + start, width: 16)
        }
        guard count > 16 else { return }
        merge(numbers, width: 32)
        guard count > 32 else { return }
        merge(numbers + 32, width: 32)
        merge(numbers, width: 64)
    }

    @inline(__always)
    private static func order(_ left: inout UInt64, _ right: inout UInt64) {
        let least = min(left, right)
        right = max(left, right)
        left = least
    }

    private static func sort8(_ numbers: UnsafeMutablePointer<UInt64>) {
        var (a, b, c, d) = (numbers[0], numbers[1], numbers[2], numbers[3])
        var (e, f, g, h) = (numbers[4], numbers[5], numbers[6], numbers[7])
        order(&a, &c)
        order(&b, &d)
        order(&e, &g)
        order(&f, &h)
        order(&a, &e)
        order(&b, &f)
        order(&c, &g)
        order(&d, &h)
        order(&a, &b)
        order(&c, &d)
        order(&e, &f)
        order(&g, &h)
        order(&c, &e)
        order(&d, &f)
        order(&b, &e)
        order(&d, &g)
        order(&b, &c)
        order(&d, &e)
        order(&f, &g)
        (numbers[0], numbers[1], numbers[2], numbers[3]) = (a, b, c, d)
        (numbers[4], numbers[5], numbers[6], numbers[7]) = (e, f, g, h)
    }

    /// Merges two sorted halves.
    @inline(__always)
    private static func merge(_ numbers: UnsafeMutablePointer<UInt64>, width: Int) {
        for index in 0..<(width / 2) {
            order(&numbers[index], &numbers[index &+ width / 2])
        }
        var step = width / 4
        while step > 0 {
            for start in stride(from: step, to: width &- step, by: 2 &* step) {
                for index in start..<(start &+ step) {
                    order(&numbers[index], &numbers[index &+ step])
                }
            }
            step /= 2
        }
    }
}
