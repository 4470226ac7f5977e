public import Quantities

/// The deadlines of many instances in columns, for a monitor that checks all of them in each scan.
///
/// A 32-bit column holds each instance's lapse, and a byte per row its class at the last scan. A scan is a plain loop
/// over them, which the compiler vectorizes; it runs at the speed of memory. The rule is that of ``FreshnessPolicy``:
/// recoverable from the lapse on, severe from ``FreshnessPolicy/recoveryWindow`` after it, both inclusive.
///
/// Times are whole milliseconds since a moving epoch. A lapse is rounded up and the instant of a scan is rounded down.
/// A scan at a whole millisecond thus applies the exact rule, and any other scan gives the result of the preceding
/// millisecond.
///
/// A row has limits: a lapse more than 12 days after the epoch counts as none, so the row is always fresh; a lapse more
/// than 12 days before it counts as exactly that old. A row that every update sets again reaches neither limit.
///
/// The table is for a server in real time. The simulator knows each deadline and needs no scan. The monitor's actions
/// are not part of the table, but of ``InstanceFreshness``.
public struct FreshnessTable: Sendable {
    /// Rows by class.
    public struct Counts: Hashable, Sendable {
        /// Rows that are fresh.
        public var fresh = 0
        /// Rows that are stale but recoverable.
        public var recoverable = 0
        /// Rows that are severely stale.
        public var severe = 0
        /// Rows without an instance.
        public var vacant = 0

        /// Creates counts of zero.
        public init() {}
    }

    /// The lapse of each row [ms since the epoch], or one of the special values below.
    var lapses: ContiguousArray<Int32>
    /// The result of the last scan for each row: the raw value of its class, or ``vacantCode`` for an instance that no
    /// scan has seen.
    ///
    /// Meaningless for a vacant row.
    var codes: ContiguousArray<UInt8>
    private var epoch: Int64
    /// The recovery window [ms].
    private let window: Int32
    /// The number of vacant rows, which a scan need not count.
    private(set) var vacantCount: Int
    /// The sums of the codes.
    var sums = Sums()

    /// A row without an instance.
    static var vacant: Int32 { .min }
    /// A row that was given up, regardless of its lapse.
    private static var givenUp: Int32 { .min + 1 }
    /// A row that never lapses.
    private static var always: Int32 { .max }
    static var vacantCode: UInt8 { 3 }
    /// The farthest lapse and the longest window [ms]; the sum of two fits into 32 bits.
    private static var farthest: Int64 { 1 << 30 - 2 }

    /// Creates a table of vacant rows.
    ///
    /// - Parameters:
    ///   - rows: The number of rows.
    ///   - policy: The policy, whose recovery window separates recoverable from severe.
    ///   - now: The approximate instant of its first use.
    /// - Throws: `PolicyError` if the recovery window is longer than 12 days or not a multiple of a millisecond.
    /// - Complexity: O(`rows`).
    public init(rows: Int, policy: FreshnessPolicy, at now: Instant) throws(PolicyError) {
        let window = policy.recoveryWindow.microseconds
        try PolicyError.check(window, in: 0...1000 * FreshnessTable.farthest, name: "recoveryWindow")
        try PolicyError.check(window % 1000, in: 0...0, name: "recoveryWindow, its part below a millisecond")
        self.window = Int32(window / 1000)
        epoch = now.microseconds / 1000
        vacantCount = rows
        lapses = ContiguousArray(repeating: FreshnessTable.vacant, count: rows)
        codes = ContiguousArray(repeating: FreshnessTable.vacantCode, count: rows)
    }

    /// The number of rows.
    public var rowCount: Int { lapses.count }

    /// The bytes that a scan reads per row; it writes some of them for a row whose class has changed.
    public static var scannedBytesPerRow: Int { MemoryLayout<Int32>.size + MemoryLayout<UInt8>.size }

    // MARK: - Rows

    /// Sets the instant until which an instance is fresh; `never` for content without a stale date.
    ///
    /// - Complexity: O(1).
    public mutating func set(_ row: Int, freshUntil lapse: Instant) {
        occupy(row)
        guard lapse != .never else {
            lapses[row] = FreshnessTable.always
            return
        }
        // Rounded up: at a whole millisecond t, t < lapse if and only if t < lapse rounded up.
        let (quotient, remainder) = lapse.microseconds.quotientAndRemainder(dividingBy: 1000)
        let offset = quotient + (remainder > 0 ? 1 : 0) - epoch
        lapses[row] =
            offset > FreshnessTable.farthest ? FreshnessTable.always : Int32(max(-FreshnessTable.farthest, offset))
    }

    /// Marks an instance as given up: it is severe from now on, regardless of later content.
    ///
    /// - Complexity: O(1).
    public mutating func giveUp(_ row: Int) {
        occupy(row)
        lapses[row] = FreshnessTable.givenUp
    }

    /// Marks a row as vacant, because it has no instance or one that must not be counted.
    ///
    /// - Complexity: O(1).
    public mutating func vacate(_ row: Int) {
        guard lapses[row] != FreshnessTable.vacant else { return }
        vacantCount += 1
        lapses[row] = FreshnessTable.vacant
    }

    /// Marks a vacant row as having an instance that no scan has seen.
    private mutating func occupy(_ row: Int) {
        guard lapses[row] == FreshnessTable.vacant else { return }
        vacantCount -= 1
        sums.replace(codes[row], by: FreshnessTable.vacantCode)
        codes[row] = FreshnessTable.vacantCode
    }

    /// The class of a row's instance at the last scan; nil if there is no instance or that scan has not seen it.
    ///
    /// - Complexity: O(1).
    public func classAtLastScan(_ row: Int) -> FreshnessClass? {
        lapses[row] == FreshnessTable.vacant ? nil : FreshnessClass(rawValue: codes[row])
    }

    /// An instant and the start of the recovery window before it, in the table's time; advances the epoch.
    mutating func ticks(at now: Instant) -> (tick: Int32, late: Int32) {
        let milliseconds = now.microseconds / 1000
        if milliseconds - epoch > FreshnessTable.farthest / 2 { move(to: milliseconds) }
        // If a clock was set back by more, it counts as 12 days: then nothing has lapsed that had not lapsed before.
        let tick = Int32(max(-FreshnessTable.farthest, milliseconds - epoch))
        return (tick, tick - window)
    }

    /// Changes to a later epoch; happens every six days.
    private mutating func move(to newEpoch: Int64) {
        let shift = newEpoch - epoch
        epoch = newEpoch
        for row in lapses.indices {
            let lapse = lapses[row]
            guard lapse > FreshnessTable.givenUp, lapse < FreshnessTable.always else { continue }
            lapses[row] = Int32(max(-FreshnessTable.farthest, Int64(lapse) - shift))
        }
    }
}
