import Quantities
import SimulationKernel

/// The known times at which streams are taken and come back, read in order.
///
/// Requests are added in any order, minutes before they begin. They go into slots of a ring, and each slot is sorted
/// when its time comes. Few streams are in use at a time, so a short queue holds their returns. Because the slots form
/// a ring, a request cannot be further ahead than ``reach(from:)``.
///
/// ```
///                 ┌── within the open slot ─────────► run ──┐
///    add request ─┴─► slots  [··|·····|  |···|·| …   ▲      ├─► follow
///                             └ the next, sorted ────┘      │
///    add return, and the returns of requests that have begun ─► returns
/// ```
struct StreamCalendar: ~Copyable {
    /// A request within its slot: its start, relative to the slot [µs], in the upper bits, its duration [µs] in the
    /// lower bits.
    private typealias Entry = UInt64

    /// A slot lasts about a second: with shorter slots, chunks would be nearly empty and more of them used.
    private static var slotBits: Int64 { 20 }
    private static var slotCount: Int64 { 2048 }
    /// The number of slots that a request can be ahead, that the reader can be behind, and that the reader searches
    /// ahead; their sum is less than the ring.
    private static var reach: Int64 { 1536 }
    private static var lag: Int64 { 16 }
    private static var outlook: Int64 { 256 }
    private static var spanBits: UInt64 { 44 }
    /// The number of entries in a chunk.
    private static var chunkSize: UInt64 { 7 }
    /// The lowest index of a return.
    private static var returnsStart: Int { 3 }

    /// The last chunk of each slot; 0 for a slot without requests.
    private let slots: UnsafeMutablePointer<UInt32>
    /// A bit for each slot that has any requests.
    private let taken: UnsafeMutablePointer<UInt64>
    /// Chunks of eight words.
    ///
    /// The first word holds the number of the previous chunk, 0 for none, and the number of entries.
    private var chunks: UnsafeMutablePointer<UInt64>
    private var chunkCapacity: UInt32 = 8
    private var chunkCount: UInt32 = 1
    private var firstFree: UInt32 = 0

    /// The open slot, counted from the start of the run.
    private var slot: Int64 = -1
    /// Its entries in order; those from ``cursor`` on are left.
    private var run: UnsafeMutablePointer<Entry>
    /// As large as the run: the second buffer of a sort.
    private var spare: UnsafeMutablePointer<Entry>
    private var runCapacity = SortingNetwork.largest
    private var runCount = 0
    private var cursor = 0
    /// The number of requests that have not begun.
    private(set) var requestCount = 0

    /// Ascending [µs], with sentinels before the first and after the last; those before ``returnsHead`` are gone.
    private var returns: UnsafeMutablePointer<Int64>
    private var returnsCapacity = 64
    private var returnsHead = Self.returnsStart
    private var returnsEnd = Self.returnsStart

    /// The instant before which nothing is left to read.
    private(set) var bound = Instant.start

    /// Creates an empty calendar.
    ///
    /// - Parameter holdsRequests: `true` if requests will be added, and not only returns.
    init(holdsRequests: Bool) {
        assert(Self.reach + Self.lag + Self.outlook < Self.slotCount, "a slot would be reused before it is read")
        let slotCount = holdsRequests ? Int(Self.slotCount) : 0
        slots = .allocate(capacity: slotCount)
        slots.initialize(repeating: 0, count: slotCount)
        taken = .allocate(capacity: slotCount / 64)
        taken.initialize(repeating: 0, count: slotCount / 64)
        chunks = .allocate(capacity: Int(chunkCapacity) * 8)
        run = .allocate(capacity: runCapacity)
        spare = .allocate(capacity: runCapacity)
        returns = .allocate(capacity: returnsCapacity)
        returns.initialize(repeating: .min, count: Self.returnsStart)
        returns[Self.returnsStart] = .max
    }

    deinit {
        slots.deallocate()
        taken.deallocate()
        chunks.deallocate()
        run.deallocate()
        spare.deallocate()
        returns.deallocate()
    }

    /// The first instant that is out of reach, about 25 minutes ahead.
    @inline(__always)
    static func reach(from now: Instant) -> Instant {
        Instant(microseconds: now.microseconds &+ reach &<< slotBits)
    }

    /// `true` if the reader is so far behind that changes must be read before others are added.
    ///
    /// Some seconds are read at a time, because a separate read for each change costs more than the change.
    @inline(__always)
    func isBehind(_ now: Instant) -> Bool { bound.microseconds &+ Self.lag &<< Self.slotBits <= now.microseconds }

    // MARK: - Adding

    /// Adds a request.
    ///
    /// - Parameters:
    ///   - begin: Not before the last instant that was read, and before ``reach(from:)`` of now.
    ///   - span: Less than half a year.
    /// - Precondition: The reader is not ``isBehind(_:)``.
    @inline(__always)
    mutating func addRequest(at begin: Instant, taking span: TimeSpan) {
        requestCount &+= 1
        if begin < bound { bound = begin }
        let number = begin.microseconds &>> Self.slotBits
        let offset = UInt64(truncatingIfNeeded: begin.microseconds) & (1 &<< UInt64(Self.slotBits) &- 1)
        let entry = offset &<< Self.spanBits | UInt64(truncatingIfNeeded: span.microseconds)
        guard number > slot else {
            insertIntoRun(entry)
            return
        }
        let place = Int(truncatingIfNeeded: number & (Self.slotCount &- 1))
        var chunk = slots[place]
        if chunk == 0 || chunks[Int(chunk &* 8)] & 7 == Self.chunkSize { chunk = addChunk(to: place) }
        let words = chunks + Int(chunk &* 8)
        words[0] &+= 1
        words[Int(words[0] & 7)] = entry
    }

    /// Adds the return of a stream that is in use.
    ///
    /// - Parameter instant: Not before the last instant that was read.
    /// - Complexity: O(*n*) for *n* later returns, which are moved in one block; few, because requests have similar
    ///   durations.
    @inline(__always)
    mutating func addReturn(at instant: Instant) {
        if instant < bound { bound = instant }
        insertReturn(instant.microseconds)
    }

    @inline(__always)
    private mutating func insertReturn(_ instant: Int64) {
        if returnsEnd &+ 2 > returnsCapacity { makeRoomForReturns() }
        var place = returnsEnd
        returnsEnd &+= 1
        (returns[place], returns[place &+ 1]) = (instant, .max)
        // The number of later returns is random: up to two are handled without a branch to predict.
        order(place)
        order(place &- 1)
        place &-= 2
        if returns[place] < returns[place &- 1] { bringForward(place) }
    }

    /// Moves a return before all later ones.
    @inline(never)
    private mutating func bringForward(_ place: Int) {
        let instant = returns[place]
        var (low, high) = (returnsHead, place)
        while low < high {
            let middle = (low + high) / 2
            if returns[middle] <= instant { low = middle + 1 } else { high = middle }
        }
        (returns + low + 1).update(from: returns + low, count: place - low)
        returns[low] = instant
    }

    /// Orders a return and the one before it.
    @inline(__always)
    private mutating func order(_ place: Int) {
        let (earlier, later) = (returns[place &- 1], returns[place])
        (returns[place &- 1], returns[place]) = (min(earlier, later), max(earlier, later))
    }

    /// Moves the remaining returns to the front, of a larger buffer if they fill half of it.
    @inline(never)
    private mutating func makeRoomForReturns() {
        let count = returnsEnd - returnsHead
        var room = returns
        if 2 * count > returnsCapacity {
            returnsCapacity *= 2
            room = .allocate(capacity: returnsCapacity)
            room.initialize(repeating: .min, count: Self.returnsStart)
        }
        (room + Self.returnsStart).update(from: returns + returnsHead, count: count)
        if room != returns {
            returns.deallocate()
            returns = room
        }
        (returnsHead, returnsEnd) = (Self.returnsStart, Self.returnsStart + count)
    }

    @inline(never)
    private mutating func addChunk(to place: Int) -> UInt32 {
        var chunk = firstFree
        if chunk != 0 {
            firstFree = UInt32(chunks[Int(chunk * 8)] >> 3)
        } else {
            if chunkCount == chunkCapacity { growChunks() }
            chunk = chunkCount
            chunkCount += 1
            // The whole chunk, because all of it is copied when its slot is opened.
            (chunks + Int(chunk * 8)).initialize(repeating: 0, count: 8)
        }
        chunks[Int(chunk * 8)] = UInt64(slots[place]) << 3
        slots[place] = chunk
        taken[place >> 6] |= 1 << UInt64(place & 63)
        return chunk
    }

    private mutating func growChunks() {
        let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: 2 * Int(chunkCapacity) * 8)
        larger.moveInitialize(from: chunks, count: Int(chunkCount) * 8)
        chunks.deallocate()
        chunks = larger
        chunkCapacity *= 2
    }

    /// Inserts a request into the remaining entries of the open slot.
    @inline(never)
    private mutating func insertIntoRun(_ entry: Entry) {
        makeRoom(for: runCount + 1)
        var hole = runCount
        while hole > cursor, entry < run[hole - 1] {
            run[hole] = run[hole - 1]
            hole -= 1
        }
        run[hole] = entry
        runCount += 1
    }

    private mutating func makeRoom(for count: Int) {
        guard count > runCapacity else { return }
        runCapacity = 2 * count
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: runCapacity)
        larger.moveInitialize(from: run, count: runCount)
        run.deallocate()
        spare.deallocate()
        run = larger
        spare = .allocate(capacity: runCapacity)
    }

    // MARK: - Reading

    /// The number of streams in use as it changes.
    struct Level: Equatable {
        /// The current number.
        var streams: Int
        /// The maximum so far.
        var most: Int
        /// The number of requests that have begun.
        var requests = 0
    }

    /// Applies all changes before an instant: streams that are taken and streams that come back.
    ///
    /// At one instant, returns come first. A request that begins adds its own return.
    ///
    /// - Parameters:
    ///   - instant: Not before the instant of an earlier call.
    ///   - includesReturns: `true` to apply returns at the instant itself as well.
    @inline(__always)
    mutating func follow(before instant: Instant, includesReturns: Bool, _ level: inout Level) {
        let last = instant.microseconds &- (includesReturns ? 0 : 1)
        var next = Int64.max
        while cursor < runCount || openNextSlot(through: last &>> Self.slotBits) {
            let entry = run[cursor]
            next = slot &<< Self.slotBits | Int64(truncatingIfNeeded: entry &>> Self.spanBits)
            guard next < instant.microseconds else { break }
            takeReturns(through: next, &level)
            cursor &+= 1
            requestCount &-= 1
            level.requests &+= 1
            level.streams &+= 1
            level.most = max(level.most, level.streams)
            insertReturn(next &+ Int64(truncatingIfNeeded: entry & (1 &<< Self.spanBits &- 1)))
        }
        takeReturns(through: last, &level)
        bound = min(nextReturn, cursor < runCount ? Instant(microseconds: next) : nextSlotStart)
    }

    /// Applies the returns up to an instant [µs].
    @inline(__always)
    private mutating func takeReturns(through instant: Int64, _ level: inout Level) {
        var head = returnsHead
        // Two without a branch, as in ``insertReturn(_:)``.
        head &+= returns[head] <= instant ? 1 : 0
        head &+= returns[head] <= instant ? 1 : 0
        while returns[head] <= instant { head &+= 1 }
        level.streams &-= head &- returnsHead
        returnsHead = head
    }

    /// When the next stream in use comes back; `never` if none is in use.
    var nextReturn: Instant { Instant(microseconds: returns[returnsHead]) }

    /// Removes and returns the returns of all streams in use.
    mutating func removeReturns() -> [Instant] {
        let taken = (returnsHead..<returnsEnd).map { Instant(microseconds: returns[$0]) }
        // Restarts at the front, because later additions may return earlier than these.
        (returnsHead, returnsEnd) = (Self.returnsStart, Self.returnsStart)
        returns[Self.returnsStart] = .max
        return taken
    }

    /// The instant before which no request begins, because the open slot has none left: the start of the next slot with
    /// requests.
    ///
    /// The search ends at the outlook, because requests are added up to a limited time ahead of the clock, while the
    /// reader may be behind the clock.
    private var nextSlotStart: Instant {
        let farthest = slot + Self.outlook
        guard requestCount > 0 else { return Instant(microseconds: farthest << Self.slotBits) }
        var next = slot + 1
        while next < farthest {
            let place = Int(truncatingIfNeeded: next & (Self.slotCount - 1))
            let word = taken[place >> 6] >> UInt64(place & 63)
            guard word == 0 else {
                next += Int64(word.trailingZeroBitCount)
                break
            }
            next += Int64(64 - place & 63)
        }
        return Instant(microseconds: min(next, farthest) << Self.slotBits)
    }

    /// Frees the memory of requests when none is left; a cell that has become large adds no more.
    private mutating func forgetChunks() {
        chunks.deallocate()
        (chunkCapacity, chunkCount, firstFree) = (8, 1, 0)
        chunks = .allocate(capacity: Int(chunkCapacity) * 8)
    }

    /// Opens the next slot with requests; returns `false` if there is none up to a slot.
    @inline(never)
    private mutating func openNextSlot(through last: Int64) -> Bool {
        (runCount, cursor) = (0, 0)
        if requestCount == 0, chunkCapacity > 1024 { forgetChunks() }
        while requestCount > 0, slot < last {
            slot += 1
            let place = Int(truncatingIfNeeded: slot & (Self.slotCount - 1))
            let word = taken[place >> 6] >> UInt64(place & 63)
            if word & 1 != 0 {
                sortSlot(place)
                return true
            }
            // Continues at the next slot with requests, or at the end of the word.
            slot = min(last, slot + Int64(word == 0 ? 63 - place & 63 : word.trailingZeroBitCount - 1))
        }
        slot = max(slot, last)
        return false
    }

    private mutating func sortSlot(_ place: Int) {
        var chunk = slots[place]
        slots[place] = 0
        taken[place >> 6] &= ~(1 << UInt64(place & 63))
        while chunk != 0 {
            let words = chunks + Int(chunk &* 8)
            let added = Int(words[0] & 7)
            // The whole chunk, because a copy of constant size is fast; the words after its entries are overwritten.
            makeRoom(for: runCount &+ Int(Self.chunkSize))
            (run + runCount).initialize(from: words + 1, count: Int(Self.chunkSize))
            runCount &+= added
            let next = UInt32(truncatingIfNeeded: words[0] >> 3)
            words[0] = UInt64(firstFree) << 3
            firstFree = chunk
            chunk = next
        }
        guard runCount > SortingNetwork.largest else {
            SortingNetwork.sort(run, count: runCount)
            return
        }
        distribute()
        for index in 1..<runCount {
            let entry = run[index]
            var hole = index
            while hole > 0, entry < run[hole &- 1] {
                run[hole] = run[hole &- 1]
                hole &-= 1
            }
            run[hole] = entry
        }
    }

    /// Brings the run nearly into order by the upper bits of its entries.
    private mutating func distribute() {
        let bits = min(10, UInt64(63 - runCount.leadingZeroBitCount))
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 1 << Int(bits)) { ends in
            ends.initialize(repeating: 0)
            for index in 0..<runCount { ends[Int(run[index] &>> (64 - bits))] &+= 1 }
            var sum: UInt32 = 0
            for index in ends.indices {
                let size = ends[index]
                ends[index] = sum
                sum &+= size
            }
            for index in 0..<runCount {
                let bucket = Int(run[index] &>> (64 - bits))
                spare[Int(ends[bucket])] = run[index]
                ends[bucket] &+= 1
            }
        }
        swap(&run, &spare)
    }
}
