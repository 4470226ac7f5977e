import HeapModule
import NIOCore

/// A calendar of later work on one thread, in order of time; ties in the order of scheduling.
///
/// One timer of the event loop for each of a million requests would cost more than the requests. Here one timer exists
/// at a time: the owner reads the earliest time and takes all work that is due then. O(log *n*).
struct DueCalendar {
    private var heap = Heap<Entry>()
    private var slots: [Due?] = []
    private var free: [Int] = []
    private var sequence: UInt64 = 0

    private struct Entry: Comparable {
        let deadline: NIODeadline
        let sequence: UInt64
        let slot: Int

        static func < (left: Entry, right: Entry) -> Bool {
            (left.deadline, left.sequence) < (right.deadline, right.sequence)
        }
    }

    var earliest: NIODeadline? { heap.min?.deadline }

    mutating func schedule(_ due: Due, at deadline: NIODeadline) {
        let slot: Int
        if let reused = free.popLast() {
            slots[reused] = due
            slot = reused
        } else {
            slots.append(due)
            slot = slots.count - 1
        }
        heap.insert(Entry(deadline: deadline, sequence: sequence, slot: slot))
        sequence += 1
    }

    /// Removes and returns the earliest entry if it is due.
    mutating func takeFirst(by now: NIODeadline) -> Due? {
        guard let entry = heap.min, entry.deadline <= now else { return nil }
        heap.removeMin()
        free.append(entry.slot)
        defer { slots[entry.slot] = nil }
        return slots[entry.slot]
    }

    mutating func removeAll() { self = DueCalendar() }
}
