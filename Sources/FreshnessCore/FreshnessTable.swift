public import Quantities

/// The deadlines of many instances side by side, for a monitor that looks at all of them at each scan.
///
/// One 32-bit column says when each instance lapses and one byte a row how it was classified last. A scan is a plain loop
/// over them, which the compiler turns into vector instructions; it runs at the speed of memory. The rule is that of
/// ``FreshnessPolicy``: recoverable from the lapse on, severe from ``FreshnessPolicy/recoveryWindow`` after it on, at
/// the boundary instants too.
///
/// Time is kept in whole milliseconds since a moving epoch: a lapse is rounded up and the instant of a scan down, so a
/// scan at a whole millisecond sees exactly what the rule says, and any other what it said at the last one.
///
/// What a row cannot hold: a lapse more than 12 days ahead of the epoch counts as none at all, always fresh; one more
/// than 12 days past as just so old. A row that is set again, as each update does, does not come near either.
///
/// For a server in real time; the simulator needs no scan, it knows each deadline. And not for what the monitor does about
/// its instances: that is ``InstanceFreshness``.
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

        /// Nothing counted.
        public init() {}
    }

    /// The lapse of each row [ms since the epoch], or one of the marks below.
    var lapses: ContiguousArray<Int32>
    /// What each row was at the last scan: the raw value of its class, or ``vacantCode`` for an instance not seen yet.
    ///
    /// For a vacant row it means nothing.
    var codes: ContiguousArray<UInt8>
    private var epoch: Int64
    /// The recovery window [ms].
    private let window: Int32
    /// How many rows are vacant; a scan need not count them.
    private(set) var vacantCount: Int
    /// What the codes say.
    var sums = Sums()

    /// A row without an instance.
    static var vacant: Int32 { .min }
    /// A row that was given up, whatever its lapse.
    private static var givenUp: Int32 { .min + 1 }
    /// A row that never lapses.
    private static var always: Int32 { .max }
    static var vacantCode: UInt8 { 3 }
    /// The farthest lapse and the longest window [ms]: sums of two fit 32 bits.
    private static var farthest: Int64 { 1 << 30 - 2 }

    /// A table of vacant rows.
    ///
    /// - Parameters:
    ///   - rows: How many rows there are.
    ///   - policy: Whose recovery window separates recoverable from severe.
    ///   - now: About when it is first used.
    /// - Throws: `PolicyError` when the recovery window is longer than 12 days or not of whole milliseconds.
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

    /// How many rows there are.
    public var rowCount: Int { lapses.count }

    /// The bytes that a scan reads for each row, and writes a part of where the class has changed.
    public static var scannedBytesPerRow: Int { MemoryLayout<Int32>.size + MemoryLayout<UInt8>.size }

    // MARK: - Rows

    /// Says until when an instance is fresh; `never` for content without a stale date.
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

    /// Says that an instance was given up: it is severe from now on, whatever comes.
    ///
    /// - Complexity: O(1).
    public mutating func giveUp(_ row: Int) {
        occupy(row)
        lapses[row] = FreshnessTable.givenUp
    }

    /// Says that a row has no instance any more, or one that is not to be counted.
    ///
    /// - Complexity: O(1).
    public mutating func vacate(_ row: Int) {
        guard lapses[row] != FreshnessTable.vacant else { return }
        vacantCount += 1
        lapses[row] = FreshnessTable.vacant
    }

    /// A row that was vacant has an instance that no scan has seen.
    private mutating func occupy(_ row: Int) {
        guard lapses[row] == FreshnessTable.vacant else { return }
        vacantCount -= 1
        sums.replace(codes[row], by: FreshnessTable.vacantCode)
        codes[row] = FreshnessTable.vacantCode
    }

    /// What a row's instance was at the last scan; nil when there is none or that scan has not seen it.
    ///
    /// - Complexity: O(1).
    public func classAtLastScan(_ row: Int) -> FreshnessClass? {
        lapses[row] == FreshnessTable.vacant ? nil : FreshnessClass(rawValue: codes[row])
    }

    /// An instant, and the one a recovery window before it, in the table's time; the epoch moves along with them.
    mutating func ticks(at now: Instant) -> (tick: Int32, late: Int32) {
        let milliseconds = now.microseconds / 1000
        if milliseconds - epoch > FreshnessTable.farthest / 2 { move(to: milliseconds) }
        // A clock that was put back by more counts as 12 days back: nothing has lapsed then that had not before.
        let tick = Int32(max(-FreshnessTable.farthest, milliseconds - epoch))
        return (tick, tick - window)
    }

    /// Counts time from a later epoch; happens every six days.
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
