public import Quantities

/// The pending events of a simulation, in the exact order (time, priority, sequence).
///
/// Among events of one instant the smaller priority comes first; among those of one priority the one that was scheduled
/// first. The order is total, so a run does not depend on how the list is built inside.
///
/// There is no removal. An event that has lost its meaning stays and is recognised when it comes up (see ``Alarm``);
/// that is cheaper than finding it, as long as the model does not produce many of them.
///
/// Inside is a heap with four children per node in one contiguous buffer: half the levels of a binary heap, and the four
/// children of a node share two cache lines. Scheduling and taking an event cost O(log n); 24 bytes per pending event.
///
/// A value without copies: two lists never share a buffer.
@frozen
public struct FutureEventList: ~Copyable {
    @usableFromInline
    struct Entry {
        @usableFromInline var time: Int64
        /// Priority in the top 8 bits, sequence in the lower 56: one comparison settles both.
        @usableFromInline var order: UInt64
        @usableFromInline var word: UInt32

        @inlinable
        init(time: Int64, order: UInt64, word: UInt32) {
            self.time = time
            self.order = order
            self.word = word
        }

        @inlinable
        func comes(before other: Entry) -> Bool {
            time < other.time || (time == other.time && order < other.order)
        }
    }

    @usableFromInline
    var entries: UnsafeMutablePointer<Entry>
    @usableFromInline
    var capacity: Int
    @usableFromInline
    var sequence: UInt64 = 0

    @usableFromInline
    var entryCount = 0

    /// An empty list.
    public init() {
        capacity = 1024
        entries = .allocate(capacity: capacity)
    }

    deinit {
        entries.deallocate()
    }

    /// How many events are pending, meaningless ones included.
    @inlinable
    public var count: Int { entryCount }

    /// Adds an event.
    ///
    /// - Complexity: O(log *n*).
    @inlinable
    public mutating func schedule(_ word: EventWord, at time: Instant, priority: EventPriority) {
        if entryCount == capacity {
            grow()
        }
        let entry = Entry(
            time: time.microseconds,
            order: UInt64(priority.rank) << 56 | sequence,
            word: word.bits
        )
        sequence += 1
        var hole = entryCount
        entryCount += 1
        while hole > 0 {
            let parent = (hole - 1) >> 2
            guard entry.comes(before: entries[parent]) else { break }
            entries[hole] = entries[parent]
            hole = parent
        }
        entries[hole] = entry
    }

    /// Takes the first event, unless it lies after the horizon.
    ///
    /// - Parameter horizon: The last instant whose events may be taken.
    /// - Complexity: O(log *n*).
    @inlinable
    public mutating func popFirst(through horizon: Instant) -> (time: Instant, word: EventWord)? {
        guard entryCount > 0, entries[0].time <= horizon.microseconds else { return nil }
        let first = entries[0]
        entryCount -= 1
        if entryCount > 0 {
            sink(entries[entryCount])
        }
        return (Instant(microseconds: first.time), EventWord(bits: first.word))
    }

    /// Puts an entry where the root was and lets it sink to its place.
    @inlinable
    mutating func sink(_ entry: Entry) {
        var hole = 0
        while true {
            let firstChild = hole << 2 + 1
            guard firstChild < entryCount else { break }
            var least = firstChild
            let end = min(firstChild + 4, entryCount)
            var child = firstChild + 1
            while child < end {
                if entries[child].comes(before: entries[least]) {
                    least = child
                }
                child += 1
            }
            guard entries[least].comes(before: entry) else { break }
            entries[hole] = entries[least]
            hole = least
        }
        entries[hole] = entry
    }

    @usableFromInline
    mutating func grow() {
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: entries, count: entryCount)
        entries.deallocate()
        entries = larger
        capacity *= 2
    }
}
