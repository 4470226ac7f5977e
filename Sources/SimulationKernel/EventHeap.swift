/// A heap of events in the exact order (time, priority, sequence), for the few events that fit no slot of the calendar.
///
/// Each node has four children: half the levels of a binary heap, and siblings share two cache lines. O(log *n*) for
/// any distribution, which bounds the cost of events that the calendar is not made for. 24 bytes per event; an empty
/// heap that was never used holds no memory.
@usableFromInline
struct EventHeap: ~Copyable {
    @usableFromInline
    struct Entry {
        var time: Int64
        /// The priority in the top 8 bits, the sequence in the lower 56, so that one comparison decides.
        var order: UInt64
        var word: UInt32

        /// The priority above the word, as in a cell.
        var low: UInt64 { (order >> 56) << 32 | UInt64(word) }

        func comes(before other: Entry) -> Bool {
            time < other.time || (time == other.time && order < other.order)
        }
    }

    private var entries: UnsafeMutablePointer<Entry>?
    private var capacity = 0
    private(set) var count = 0
    /// Sequence numbers start in the middle, so that an event can also be inserted before equal ones.
    private var nextSequence: UInt64 = 1 << 55
    private var previousSequence: UInt64 = 1 << 55 - 1

    init() {}

    deinit {
        entries?.deallocate()
    }

    /// The first entry; nil if the heap is empty.
    var first: Entry? {
        guard count > 0, let entries else { return nil }
        return entries[0]
    }

    /// The approximate time of the entry after `rank` others, estimated from a few entries; nil if the heap is empty.
    func sampledTime(rank: Int) -> Int64? {
        guard count > 0, let entries else { return nil }
        let sampleCount = min(count, 32)
        let sample = (0..<sampleCount).map { entries[$0 * count / sampleCount].time }.sorted()
        return sample[min(sampleCount - 1, rank * sampleCount / count)]
    }

    /// Adds an event after equal ones.
    mutating func append(time: Int64, low: UInt64) {
        let order = (low >> 32) << 56 | nextSequence
        nextSequence += 1
        insert(Entry(time: time, order: order, word: UInt32(truncatingIfNeeded: low)))
    }

    /// Adds an event before equal ones.
    mutating func prepend(time: Int64, low: UInt64) {
        let order = (low >> 32) << 56 | previousSequence
        previousSequence -= 1
        insert(Entry(time: time, order: order, word: UInt32(truncatingIfNeeded: low)))
    }

    /// Removes and returns the first entry; nil if the heap is empty.
    mutating func popFirst() -> Entry? {
        guard count > 0, let entries else { return nil }
        let first = entries[0]
        count -= 1
        if count > 0 {
            sink(entries[count], in: entries)
        }
        return first
    }

    /// Frees the memory.
    ///
    /// - Precondition: the heap is empty.
    mutating func releaseMemory() {
        precondition(count == 0)
        entries?.deallocate()
        entries = nil
        capacity = 0
    }

    private mutating func insert(_ entry: Entry) {
        let entries = self.entries(for: count + 1)
        var hole = count
        count += 1
        while hole > 0 {
            let parent = (hole - 1) >> 2
            guard entry.comes(before: entries[parent]) else { break }
            entries[hole] = entries[parent]
            hole = parent
        }
        entries[hole] = entry
    }

    /// Puts an entry at the root and sifts it down.
    private func sink(_ entry: Entry, in entries: UnsafeMutablePointer<Entry>) {
        var hole = 0
        while true {
            let firstChild = hole << 2 + 1
            guard firstChild < count else { break }
            var least = firstChild
            let end = min(firstChild + 4, count)
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

    private mutating func entries(for needed: Int) -> UnsafeMutablePointer<Entry> {
        if let entries, needed <= capacity { return entries }
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: max(16, needed + needed / 2))
        if let entries {
            larger.moveInitialize(from: entries, count: count)
            entries.deallocate()
        }
        capacity = max(16, needed + needed / 2)
        entries = larger
        return larger
    }
}
