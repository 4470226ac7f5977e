import Quantities
import SimulationKernel

/// The plain heap: the order (time, priority, sequence) by the simplest structure that is quick enough for millions.
///
/// The oracle of the future event list. Four children per node in one buffer; each entry carries its sequence.
struct PlainEventHeap: ~Copyable {
    struct Entry {
        var time: Int64
        /// Priority in the top 8 bits, sequence in the lower 56: one comparison settles both.
        var order: UInt64
        var word: EventWord

        func comes(before other: Entry) -> Bool {
            time < other.time || (time == other.time && order < other.order)
        }
    }

    var entries: UnsafeMutablePointer<Entry>
    var capacity: Int
    var sequence: UInt64 = 0

    var entryCount = 0

    /// An empty list.
    init() {
        capacity = 1024
        entries = .allocate(capacity: capacity)
    }

    deinit {
        entries.deallocate()
    }

    /// How many events are pending.
    var count: Int { entryCount }

    mutating func schedule(_ word: EventWord, at time: Instant, priority: EventPriority) {
        if entryCount == capacity {
            grow()
        }
        let entry = Entry(
            time: time.microseconds,
            order: UInt64(priority.rank) << 56 | sequence,
            word: word
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
    mutating func popFirst(through horizon: Instant) -> TakenEvent? {
        guard entryCount > 0, entries[0].time <= horizon.microseconds else { return nil }
        let first = entries[0]
        entryCount -= 1
        if entryCount > 0 {
            sink(entries[entryCount])
        }
        return TakenEvent(time: Instant(microseconds: first.time), word: first.word)
    }

    /// Puts an entry where the root was and lets it sink to its place.
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

    mutating func grow() {
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: entries, count: entryCount)
        entries.deallocate()
        entries = larger
        capacity *= 2
    }
}
