internal import CMemoryHints

extension FreshnessTable {
    /// Asks for the memory of some rows that are about to be set.
    ///
    /// For a caller that sets many rows in no order: it asks for all of them before it works on the first. A hint, nothing
    /// more.
    ///
    /// - Parameters:
    ///   - rows: The rows, each within the table.
    ///   - count: How many of them.
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
