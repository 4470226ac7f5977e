/// At which scan which rows are to be looked at again, whatever their class: attempts and end events that come later.
///
/// A ring of buckets, one for each scan to come; in a bucket the rows are linked through two columns, so that making,
/// moving and cancelling a wake-up touch a few words and allocate nothing: each is O(1). A wake-up farther ahead than the ring
/// is long waits in the bucket that comes round earlier, and is found there not to be due.
///
/// ```
///   scan   41    42    43    44        each bucket a chain of rows
///        ┌─────┬─────┬─────┬─────┐
///        │  ●──┼→ 7 ⇄ 90  │  ●──┼→ 12
///        └─────┴─────┴─────┴─────┘
/// ```
struct TimingWheel {
    /// How many scans it looks ahead at once, if nothing else is asked for.
    static var usualBuckets: Int { 1024 }
    /// No row.
    private static var none: Int32 { -1 }

    /// The first row of each bucket.
    private var heads: ContiguousArray<Int32>
    /// The row after each row, in its bucket.
    private var nexts: ContiguousArray<Int32>
    /// The row before each row; of a bucket's first one, the bucket itself as -2 - its place; ``none`` without wake-up.
    private var previous: ContiguousArray<Int32>

    /// A wheel without wake-ups.
    ///
    /// - Parameters:
    ///   - rows: How many rows there are.
    ///   - buckets: How many scans it looks ahead at once; above zero.
    init(rows: Int, buckets: Int = usualBuckets) {
        heads = ContiguousArray(repeating: TimingWheel.none, count: buckets)
        nexts = ContiguousArray(repeating: TimingWheel.none, count: rows)
        previous = ContiguousArray(repeating: TimingWheel.none, count: rows)
    }

    /// The bytes that it keeps for each row.
    static var bytesPerRow: Int { 2 * MemoryLayout<Int32>.size }

    /// Schedules a wake-up at a scan, in place of the one that the row may have.
    mutating func schedule(_ row: Int, atScan scan: Int) {
        cancel(row)
        let bucket = scan % heads.count
        let head = heads[bucket]
        nexts[row] = head
        previous[row] = -2 - Int32(bucket)
        if head != TimingWheel.none { previous[Int(head)] = Int32(row) }
        heads[bucket] = Int32(row)
    }

    /// Takes a row's wake-up away, if it has one.
    mutating func cancel(_ row: Int) {
        let before = previous[row]
        guard before != TimingWheel.none else { return }
        let after = nexts[row]
        if before >= 0 { nexts[Int(before)] = after } else { heads[Int(-2 - before)] = after }
        if after != TimingWheel.none { previous[Int(after)] = before }
        previous[row] = TimingWheel.none
    }

    /// Takes a row from the bucket of a scan, the one that came last; nil when the bucket is empty.
    mutating func takeRow(ofScan scan: Int) -> Int? {
        let head = heads[scan % heads.count]
        guard head != TimingWheel.none else { return nil }
        cancel(Int(head))
        return Int(head)
    }
}
