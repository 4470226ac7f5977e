import Quantities
import SimulationKernel

/// An event as it comes out of a list.
struct TakenEvent: Hashable {
    var time: Instant
    var word: EventWord
}

/// A plain heap: the order (time, priority, sequence) by the simplest structure that is fast enough for millions of
/// events.
///
/// The oracle of the future event list. It is a textbook binary heap, unlike the heap inside the list, so that the two
/// cannot share a mistake.
struct PlainEventHeap {
    private struct Entry {
        let time: Int64
        /// The priority in the top 8 bits, the sequence in the lower 56, so that one comparison decides.
        let order: UInt64
        let word: EventWord

        func comes(before other: Entry) -> Bool {
            (time, order) < (other.time, other.order)
        }
    }

    private var entries: ContiguousArray<Entry> = []
    private var sequence: UInt64 = 0

    /// The number of pending events.
    var count: Int { entries.count }

    /// The instant of the next event; `nil` if none is pending.
    var nextTime: Instant? { entries.first.map { Instant(microseconds: $0.time) } }

    mutating func schedule(_ word: EventWord, at time: Instant, priority: EventPriority) {
        entries.append(Entry(time: time.microseconds, order: UInt64(priority.rank) << 56 | sequence, word: word))
        sequence += 1
        var place = entries.count - 1
        while place > 0, entries[place].comes(before: entries[(place - 1) / 2]) {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Takes the first event, unless it is after the horizon.
    mutating func popFirst(through horizon: Instant) -> TakenEvent? {
        guard let first = entries.first, first.time <= horizon.microseconds else { return nil }
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var place = 0
        while let child = firstChild(of: place), entries[child].comes(before: entries[place]) {
            entries.swapAt(place, child)
            place = child
        }
        return TakenEvent(time: Instant(microseconds: first.time), word: first.word)
    }

    /// The child that comes before the other; nil for a leaf.
    private func firstChild(of place: Int) -> Int? {
        let (left, right) = (2 * place + 1, 2 * place + 2)
        guard right < entries.count else { return left < entries.count ? left : nil }
        return entries[right].comes(before: entries[left]) ? right : left
    }
}
