internal import CMemoryHints

extension FreshnessTable {
    /// Prefetches some rows that are about to be set.
    ///
    /// For a caller that sets many rows in arbitrary order and prefetches all of them before it sets the first. It is
    /// only a hint.
    ///
    /// - Parameters:
    ///   - rows: The rows, each within the table.
    ///   - count: The number of rows.
    /// - Complexity: O(`count`).
    public func prefetch(_ rows: UnsafeBufferPointer<Int32>, _ count: Int) {
        lapses.withUnsafeBufferPointer { lapses in
            guard let base = lapses.baseAddress else { return }
            for place in 0..<count {
                prefetch_line(base + Int(rows[place]))
            }
        }
    }
}
