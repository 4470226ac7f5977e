import DequeModule
import HeapModule
import LiveActivityModel

/// The events of a log that wait for earlier ones, in the order of time.
///
/// At one instant they are in the order of ``LogEvent/Kind``, and then in the order in which they were added. An event that comes
/// after all others joins a deque in constant time, as nearly all do. One that comes before takes time logarithmic in their
/// number, whatever the order of the log.
struct LogEventQueue {
    private struct Entry: Comparable {
        let event: LogEvent
        let number: Int

        static func < (left: Entry, right: Entry) -> Bool {
            (left.event.at, left.event.kind.rawValue, left.number)
                < (right.event.at, right.event.kind.rawValue, right.number)
        }

        static func == (left: Entry, right: Entry) -> Bool { left.number == right.number }
    }

    /// Events that came in order.
    private var inOrder: Deque<Entry> = []
    /// Events that came after a later one.
    private var late = Heap<Entry>()
    private var added = 0

    /// The number of events.
    var count: Int { inOrder.count + late.count }

    /// The first event; nil if there is none.
    var first: LogEvent? { isLateFirst ? late.min?.event : inOrder.first?.event }

    private var isLateFirst: Bool {
        guard let late = late.min else { return false }
        return inOrder.first.map { late < $0 } ?? true
    }

    /// Adds an event.
    mutating func add(_ event: LogEvent) {
        let entry = Entry(event: event, number: added)
        added += 1
        if let last = inOrder.last, entry < last { late.insert(entry) } else { inOrder.append(entry) }
    }

    /// Removes the first event and returns it; nil if there is none.
    mutating func popFirst() -> LogEvent? {
        isLateFirst ? late.popMin()?.event : inOrder.popFirst()?.event
    }

    /// Removes the first event and returns it, if it is before an instant.
    mutating func popFirst(before instant: Int64) -> LogEvent? {
        first.map { $0.at < instant } ?? false ? popFirst() : nil
    }
}
