import Quantities
import SimulationKernel

/// An event as it comes out of a list.
struct TakenEvent: Hashable {
    var time: Instant
    var word: EventWord
}

/// The simplest future event list, as an oracle: an array in descending order of (time, priority, sequence).
struct SortedEventList {
    private struct Entry {
        var event: TakenEvent
        var priority: EventPriority
        var sequence: Int

        func comes(before other: Entry) -> Bool {
            if event.time != other.event.time { return event.time < other.event.time }
            if priority != other.priority { return priority < other.priority }
            return sequence < other.sequence
        }
    }

    /// The next event is the last.
    private var falling: [Entry] = []
    private var sequence = 0

    var count: Int { falling.count }

    /// The instant of the next event; `nil` if none is pending.
    var nextTime: Instant? { falling.last?.event.time }

    mutating func schedule(_ word: EventWord, at time: Instant, priority: EventPriority) {
        insert(makeEntry(word, time, priority))
    }

    /// Schedules many events in order.
    mutating func schedule(contentsOf events: [(word: EventWord, time: Instant, priority: EventPriority)]) {
        falling += events.map { makeEntry($0.word, $0.time, $0.priority) }
        falling.sort { $1.comes(before: $0) }
    }

    mutating func popFirst(through horizon: Instant) -> TakenEvent? {
        guard let first = falling.last, first.event.time <= horizon else { return nil }
        return falling.removeLast().event
    }

    private mutating func makeEntry(_ word: EventWord, _ time: Instant, _ priority: EventPriority) -> Entry {
        defer { sequence += 1 }
        return Entry(event: TakenEvent(time: time, word: word), priority: priority, sequence: sequence)
    }

    private mutating func insert(_ entry: Entry) {
        var low = 0
        var high = falling.count
        while low < high {
            let middle = (low + high) / 2
            if entry.comes(before: falling[middle]) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        falling.insert(entry, at: low)
    }
}
