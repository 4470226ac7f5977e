/// At which scan which rows are to be looked at again, whatever their class: attempts and end events that come later.
///
/// A ring of buckets, one for each scan to come; in a bucket the rows are linked through two columns, so that making,
/// moving and cancelling an appointment touch a few words and allocate nothing: each is O(1). An appointment farther ahead than the ring
/// is long waits in the bucket that comes round earlier, and is found there not to be due.
///
/// ```
///   scan   41    42    43    44        each bucket a chain of rows
///        ┌─────┬─────┬─────┬─────┐
///        │  ●──┼→ 7 ⇄ 90  │  ●──┼→ 12
///        └─────┴─────┴─────┴─────┘
/// ```
struct AppointmentWheel {
    /// How many scans it looks ahead at once, if nothing else is asked for.
    static var usualBuckets: Int { 1024 }
    /// No row.
    private static var none: Int32 { -1 }

    /// The first row of each bucket.
    private var heads: ContiguousArray<Int32>
    /// The row after each row, in its bucket.
    private var nexts: ContiguousArray<Int32>
    /// The row before each row; of a bucket's first one, the bucket itself as -2 - its place; ``none`` without appointment.
    private var previous: ContiguousArray<Int32>
    /// Rows with an appointment.
    private(set) var count = 0

    /// A wheel without appointments.
    ///
    /// - Parameters:
    ///   - rows: How many rows there are.
    ///   - buckets: How many scans it looks ahead at once; above zero.
    init(rows: Int, buckets: Int = usualBuckets) {
        heads = ContiguousArray(repeating: AppointmentWheel.none, count: buckets)
        nexts = ContiguousArray(repeating: AppointmentWheel.none, count: rows)
        previous = ContiguousArray(repeating: AppointmentWheel.none, count: rows)
    }

    /// The bytes that it keeps for each row.
    static var bytesPerRow: Int { 2 * MemoryLayout<Int32>.size }

    /// Makes an appointment at a scan, in place of the one that the row may have.
    mutating func schedule(_ row: Int, atScan scan: Int) {
        cancel(row)
        let bucket = scan % heads.count
        let head = heads[bucket]
        nexts[row] = head
        previous[row] = -2 - Int32(bucket)
        if head != AppointmentWheel.none { previous[Int(head)] = Int32(row) }
        heads[bucket] = Int32(row)
        count += 1
    }

    /// Takes a row's appointment away, if it has one.
    mutating func cancel(_ row: Int) {
        let before = previous[row]
        guard before != AppointmentWheel.none else { return }
        let after = nexts[row]
        if before >= 0 { nexts[Int(before)] = after } else { heads[Int(-2 - before)] = after }
        if after != AppointmentWheel.none { previous[Int(after)] = before }
        previous[row] = AppointmentWheel.none
        count -= 1
    }

    /// Takes a row from the bucket of a scan, the one that came last; nil when the bucket is empty.
    mutating func takeRow(ofScan scan: Int) -> Int? {
        let head = heads[scan % heads.count]
        guard head != AppointmentWheel.none else { return nil }
        cancel(Int(head))
        return Int(head)
    }
}
