import HeapModule
import Quantities
import SimulationKernel

/// The pending events of one instant that has more than one, in the order in which the cell performs them.
///
/// The event list orders events of one instant by priority and then by the order of scheduling. A speculative cell schedules
/// fewer events, and some of them later, so that order depends on the speculation. This one depends only on the subjects of
/// the events:
///
/// 1. by ``EventKind/priority``,
/// 2. by ride; requests without a response by when they began,
/// 3. by ``EventKind/place``,
/// 4. by push, or by fault.
///
/// Events that are scheduled for the instant while it lasts are ordered among those that are left.
///
/// - Complexity: O(log *n*) per event for *n* events of the instant. An event that is alone in its instant never comes here.
struct TiedEvents {
    private var heap = Heap<Entry>()
    private var addedCount: UInt32 = 0

    /// The position of an event in its instant.
    struct Key: Hashable, Comparable {
        let priority: EventPriority
        /// The number of a ride, or when a request began; 0 for an event of the cell.
        let subject: UInt64
        /// ``EventKind/place``.
        let place: UInt8
        /// The push, by its number among those of its ride; the request, by its number; or the fault.
        let index: UInt32

        static func < (left: Key, right: Key) -> Bool {
            (left.priority.rank, left.subject, left.place, left.index)
                < (right.priority.rank, right.subject, right.place, right.index)
        }
    }

    private struct Entry: Comparable {
        let key: Key
        let word: EventWord
        /// Orders entries with the same key, although at most one of them is not obsolete.
        let sequence: UInt32

        static func < (left: Entry, right: Entry) -> Bool {
            left.key == right.key ? left.sequence < right.sequence : left.key < right.key
        }

        static func == (left: Entry, right: Entry) -> Bool { left.sequence == right.sequence }
    }

    /// `true` if no event of the instant is left.
    private(set) var isEmpty = true

    /// Adds an event of the instant.
    mutating func add(_ word: EventWord, _ key: Key) {
        heap.insert(Entry(key: key, word: word, sequence: addedCount))
        addedCount &+= 1
        isEmpty = false
    }

    /// Removes the first event; `nil` if none is left.
    mutating func removeFirst() -> (word: EventWord, key: Key)? {
        guard let first = heap.popMin() else { return nil }
        isEmpty = heap.isEmpty
        if isEmpty { addedCount = 0 }
        return (first.word, first.key)
    }
}

extension CellSimulation {
    /// Takes the next event up to an instant; `nil` if there is none.
    @inline(__always)
    mutating func nextEvent(through instant: Instant) -> EventWord? {
        if ties.isEmpty {
            guard let word = loop.next(through: instant) else { return nil }
            guard loop.hasTie() else { return word }
            ties.add(word, key(of: word))
        }
        return nextTiedEvent(through: instant)
    }

    @inline(never)
    private mutating func nextTiedEvent(through instant: Instant) -> EventWord? {
        guard loop.now <= instant else { return nil }
        while loop.hasTie(), let word = loop.next(through: loop.now) { ties.add(word, key(of: word)) }
        guard let first = ties.removeFirst() else { return nil }
        // An event is obsolete if its slot belongs to another ride by now.
        guard key(of: first.word).subject == first.key.subject else { return nextEvent(through: instant) }
        return first.word
    }

    /// The position of an event in its instant.
    private func key(of word: EventWord) -> TiedEvents.Key {
        let kind = EventKind(word)
        var subject: UInt64 = 0
        var index: UInt32 = 0
        if kind.concernsActivity {
            subject = activities.ride(ofNumber: word.subject)
        } else if kind.concernsPush {
            let push = pushes[word.subject]
            subject = kind == .silence ? UInt64(push.sentAt.microseconds) : push.ride
            index = kind == .silence ? UInt32(truncatingIfNeeded: push.requestNumber) : push.drawIndex
        } else if kind == .arrival {
            subject = word.subject == 0 ? feed.next?.ride ?? 0 : phones[word.subject - 1].nextRide
        } else if kind == .joining {
            subject = joins[word.subject].ride
        } else {
            index = word.subject
        }
        return TiedEvents.Key(priority: kind.priority, subject: subject, place: kind.place, index: index)
    }
}
