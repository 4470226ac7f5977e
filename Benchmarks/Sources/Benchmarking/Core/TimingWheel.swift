/// A timing wheel with the wake-ups of rows at later scans, for scheduled attempts and end events.
///
/// It is a ring of buckets, one per future scan. The rows of a bucket are linked through two columns, so scheduling, moving and
/// cancelling a wake-up touch a few words, allocate nothing, and are O(1). A wake-up farther ahead than the length of the ring
/// shares a bucket with an earlier scan, at which it is found not to be due.
///
/// ```
///   scan   41    42    43    44        each bucket a chain of rows
///        ┌─────┬─────┬─────┬─────┐
///        │  ●──┼→ 7 ⇄ 90  │  ●──┼→ 12
///        └─────┴─────┴─────┴─────┘
/// ```
struct TimingWheel {
    /// The default number of buckets.
    static var usualBuckets: Int { 1024 }
    /// The mark for no row.
    private static var none: Int32 { -1 }

    /// The first row of each bucket.
    private var heads: ContiguousArray<Int32>
    /// The row after each row, in its bucket.
    private var nexts: ContiguousArray<Int32>
    /// The row before each row; for the first row of a bucket, -2 minus the bucket's place; ``none`` without a wake-up.
    private var previous: ContiguousArray<Int32>

    /// A wheel without wake-ups.
    ///
    /// - Parameters:
    ///   - rows: The number of rows.
    ///   - buckets: The number of buckets; above zero.
    init(rows: Int, buckets: Int = usualBuckets) {
        heads = ContiguousArray(repeating: TimingWheel.none, count: buckets)
        nexts = ContiguousArray(repeating: TimingWheel.none, count: rows)
        previous = ContiguousArray(repeating: TimingWheel.none, count: rows)
    }

    /// Schedules the wake-up of a row at a scan, and cancels its earlier one.
    mutating func schedule(_ row: Int, atScan scan: Int) {
        cancel(row)
        let bucket = scan % heads.count
        let head = heads[bucket]
        nexts[row] = head
        previous[row] = -2 - Int32(bucket)
        if head != TimingWheel.none { previous[Int(head)] = Int32(row) }
        heads[bucket] = Int32(row)
    }

    /// Cancels the wake-up of a row if it has one.
    mutating func cancel(_ row: Int) {
        let before = previous[row]
        guard before != TimingWheel.none else { return }
        let after = nexts[row]
        if before >= 0 { nexts[Int(before)] = after } else { heads[Int(-2 - before)] = after }
        if after != TimingWheel.none { previous[Int(after)] = before }
        previous[row] = TimingWheel.none
    }

    /// Removes and returns the row that was added last to the bucket of a scan; nil if the bucket is empty.
    mutating func takeRow(ofScan scan: Int) -> Int? {
        let head = heads[scan % heads.count]
        guard head != TimingWheel.none else { return nil }
        cancel(Int(head))
        return Int(head)
    }
}
