/// An ordered set of places in ranks: lower ranks go first, first in first out within a rank.
///
/// Anything may leave from the middle, in O(1): the places of each rank are a doubly linked list whose links lie in one
/// array, by place. Nothing is allocated once that array has its size.
struct RankedQueue {
    /// How many ranks there are: 0...7.
    static let rankCount = 8
    private static let none = UInt32.max

    private struct Links {
        var previous = RankedQueue.none
        var next = RankedQueue.none
    }

    private struct Line {
        var first = RankedQueue.none
        var last = RankedQueue.none
    }

    private var links: ContiguousArray<Links> = []
    private var lines = ContiguousArray<Line>(repeating: Line(), count: rankCount)
    /// A bit for each rank that is not empty.
    private var occupied: UInt8 = 0
    /// How many places are in the queue.
    private(set) var count = 0

    /// The best rank that is not empty; ``rankCount`` when the queue is empty.
    var bestRank: Int { occupied.trailingZeroBitCount }

    /// The worst rank that is not empty; -1 when the queue is empty.
    var worstRank: Int { 7 - occupied.leadingZeroBitCount }

    /// Who goes first; nil when the queue is empty.
    var first: UInt32? { occupied == 0 ? nil : lines[bestRank].first }

    /// Who has been longest in the worst rank; nil when the queue is empty.
    var oldestOfWorstRank: UInt32? { occupied == 0 ? nil : lines[worstRank].first }

    /// Who came last into the worst rank; nil when the queue is empty.
    var newestOfWorstRank: UInt32? { occupied == 0 ? nil : lines[worstRank].last }

    /// Who comes after a place in its rank; nil after the last.
    func next(after place: UInt32) -> UInt32? {
        let next = links[Int(place)].next
        return next == RankedQueue.none ? nil : next
    }

    /// The first of a rank; nil where it is empty.
    func first(ofRank rank: Int) -> UInt32? {
        lines[rank].first == RankedQueue.none ? nil : lines[rank].first
    }

    /// Puts a place behind all others of its rank.
    ///
    /// - Precondition: It is not in the queue.
    mutating func append(_ place: UInt32, rank: Int) {
        insert(place, Links(previous: lines[rank].last), rank: rank)
    }

    /// Puts a place before all others of its rank.
    ///
    /// - Precondition: It is not in the queue.
    mutating func prepend(_ place: UInt32, rank: Int) {
        insert(place, Links(next: lines[rank].first), rank: rank)
    }

    private mutating func insert(_ place: UInt32, _ link: Links, rank: Int) {
        while links.count <= Int(place) { links.append(Links()) }
        links[Int(place)] = link
        if link.previous == RankedQueue.none {
            lines[rank].first = place
        } else {
            links[Int(link.previous)].next = place
        }
        if link.next == RankedQueue.none {
            lines[rank].last = place
        } else {
            links[Int(link.next)].previous = place
        }
        occupied |= 1 << UInt8(rank)
        count += 1
    }

    /// Takes a place out.
    ///
    /// - Precondition: It is in the queue, in that rank.
    mutating func remove(_ place: UInt32, rank: Int) {
        let link = links[Int(place)]
        if link.previous == RankedQueue.none {
            lines[rank].first = link.next
        } else {
            links[Int(link.previous)].next = link.next
        }
        if link.next == RankedQueue.none {
            lines[rank].last = link.previous
        } else {
            links[Int(link.next)].previous = link.previous
        }
        if lines[rank].first == RankedQueue.none {
            occupied &= ~(1 << UInt8(rank))
        }
        count -= 1
    }
}
