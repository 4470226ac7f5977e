/// An ordered set of slots in ranks: lower ranks first, first in, first out within a rank.
///
/// Any slot can be removed from the middle in O(1): the slots of each rank form a doubly linked list, whose links are
/// in one array indexed by slot. Nothing is allocated once that array has reached its size.
struct RankedQueue {
    /// The number of ranks: 0...7.
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
    /// The number of slots in the queue.
    private(set) var count = 0

    /// The best rank that is not empty; ``rankCount`` when the queue is empty.
    var bestRank: Int { occupied.trailingZeroBitCount }

    /// The worst rank that is not empty; -1 when the queue is empty.
    var worstRank: Int { 7 - occupied.leadingZeroBitCount }

    /// The first slot; nil when the queue is empty.
    var first: UInt32? { occupied == 0 ? nil : lines[bestRank].first }

    /// The slot that has been longest in the worst rank; nil when the queue is empty.
    var oldestOfWorstRank: UInt32? { occupied == 0 ? nil : lines[worstRank].first }

    /// The slot that entered the worst rank last; nil when the queue is empty.
    var newestOfWorstRank: UInt32? { occupied == 0 ? nil : lines[worstRank].last }

    /// The slot after another in its rank; nil after the last.
    func next(after place: UInt32) -> UInt32? {
        let next = links[Int(place)].next
        return next == RankedQueue.none ? nil : next
    }

    /// The first slot of a rank; nil if the rank is empty.
    func first(ofRank rank: Int) -> UInt32? {
        lines[rank].first == RankedQueue.none ? nil : lines[rank].first
    }

    /// Appends a slot to its rank.
    ///
    /// - Precondition: The slot is not in the queue.
    mutating func append(_ place: UInt32, rank: Int) {
        insert(place, Links(previous: lines[rank].last), rank: rank)
    }

    /// Inserts a slot at the front of its rank.
    ///
    /// - Precondition: The slot is not in the queue.
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

    /// Removes a slot.
    ///
    /// - Precondition: The slot is in the queue, in that rank.
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
