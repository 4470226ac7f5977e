extension EventLogReader {
    /// A file with its next events.
    final class Source {
        let rows: LogRows
        let number: Int
        var next: LogEvent?
        /// The answers in the rows of pushes that come after later rows.
        var answers = LogEventQueue()
        /// The event of the last row, which waits for answers before it.
        var pendingRow: LogEvent?
        /// The time of the last row.
        var last = Int64.min
        /// The times of the last rows in ascending order, and in the order of the rows from ``oldest`` on.
        private var ascending: [Int64] = []
        private var recent: [Int64] = []
        private var oldest = 0
        /// The number of rows in the last ten minutes, about.
        private var recentRows = 0.0
        /// The time of the first rows with the line of the first, and the number of rows in the ten minutes after it.
        private(set) var begin = (at: Int64.min, line: 1)
        private var firstRows = 0.0

        init(_ rows: LogRows, _ number: Int) {
            self.rows = rows
            self.number = number
        }

        /// The median time of the last nine rows: where the file is in time, although the clock of a row may be wrong.
        var clock: Int64 { ascending.isEmpty ? .min : ascending[(ascending.count - 1) / 2] }

        /// Notes the time of a row; returns the time without a row before it, if at least thirty should have come in it.
        func note(_ at: Int64) -> Range<Int64>? {
            let before = clock
            if before == .min { begin.line = rows.line }
            insert(at)
            if begin.at == .min, recent.count == 9 {
                begin.at = ascending.first { $0 >= clock - Self.silence } ?? clock
                firstRows = 9
            } else if begin.at != .min, clock - begin.at < Int64(Self.memory) {
                firstRows += 1
            }
            guard before != .min, clock > before else {
                recentRows += 1
                return nil
            }
            let silence = clock - before
            let isGap = isGap(silence)
            recentRows = recentRows * max(0, 1 - Double(silence) / Self.memory) + 1
            return isGap ? before..<clock : nil
        }

        private static let memory = 600e6
        /// The time without a row that may count as a gap [µs].
        static let silence: Int64 = 120_000_000

        /// The time of the last rows; nil for a file with few of them.
        var end: Int64? { begin.at == .min ? nil : ascending.last { $0 <= clock + Self.silence } }

        /// Returns `true` if at least thirty rows should have come in a time after the last rows, or before the first ones.
        func isGap(_ silence: Int64, beforeFirst: Bool = false) -> Bool {
            silence > Self.silence && (beforeFirst ? firstRows : recentRows) * Double(silence) > 30 * Self.memory
        }

        private func insert(_ at: Int64) {
            if recent.count < 9 {
                recent.append(at)
            } else {
                if let place = ascending.firstIndex(of: recent[oldest]) { ascending.remove(at: place) }
                recent[oldest] = at
                oldest = (oldest + 1) % 9
            }
            let place = ascending.lastIndex { $0 <= at }.map { $0 + 1 } ?? 0
            ascending.insert(at, at: place)
        }
    }
}
