import HeapModule

/// The answers in rows of pushes that come after later rows, in the order of time; those of one instant in the order of their rows.
///
/// Adding an answer and removing the first take time logarithmic in their number.
struct LogAnswerQueue {
    private struct Entry: Comparable {
        let answer: LogEvent
        let number: Int

        static func < (left: Entry, right: Entry) -> Bool {
            (left.answer.at, left.number) < (right.answer.at, right.number)
        }
    }

    /// The largest number of answers.
    static let most = 100_000

    private let limit: Int
    private var entries = Heap<Entry>()
    private var added = 0

    init(limit: Int = most) { self.limit = limit }

    /// Adds an answer; returns `false` if the queue is full.
    mutating func add(_ answer: LogEvent) -> Bool {
        guard entries.count < limit else { return false }
        entries.insert(Entry(answer: answer, number: added))
        added += 1
        return true
    }

    /// Removes the first answer before an instant and returns it.
    mutating func popFirst(before instant: Int64) -> LogEvent? {
        guard let first = entries.min, first.answer.at < instant else { return nil }
        return entries.removeMin().answer
    }
}
