import Quantities

/// How the load on senders goes over the time of a run, finely enough for its peaks: second by second, and for waits window
/// by window.
///
/// Cells add up second by second. Requests do so exactly; of streams the most of each cell within the second count, so
/// their sum is an upper bound that is off by what cells do within the same second.
///
/// Nothing but the largest sums is of interest, and those are of all cells together, so the cells of a group share one
/// course: its memory does not grow with their number.
public struct SenderCourse: Hashable, Sendable {
    /// How many requests began in each second, up to the last one in which anything happened: years may follow.
    public internal(set) var requests: [Int64] = []
    /// How many streams were in use at a time in each of these seconds.
    public internal(set) var streams: [Int64] = []
    /// How long the pushes waited that did, by the window of the time series in which they were sent; empty where the course was
    /// kept elsewhere.
    var waits: [Tally] = []
    /// How long pushes waited that were never sent, by the window in which they were given up.
    var unsentWaits: [Tally] = []
    /// The most requests of each width of ``peakWidths`` in whole histories whose seconds are not kept any more.
    private var settledRequests = [Int64](repeating: 0, count: SenderCourse.peakWidths.count)
    /// The most streams in use at a time in these histories.
    private var settledStreams: Int64 = 0

    /// Within how many consecutive seconds the most requests are asked for.
    public static let peakWidths = [1, 10, 60]

    /// The most requests that began within a number of consecutive seconds, one of ``peakWidths``.
    ///
    /// - Complexity: O(*seconds*); constant once ``settle()`` was called.
    public func mostRequests(inSeconds width: Int) -> Int64 {
        guard let place = SenderCourse.peakWidths.firstIndex(of: width) else {
            preconditionFailure("no peak is kept for \(width) s")
        }
        var sum: Int64 = 0
        var most = settledRequests[place]
        for second in requests.indices {
            sum += requests[second]
            if second >= width { sum -= requests[second - width] }
            most = max(most, sum)
        }
        return most
    }

    /// The most streams that were in use at a time.
    public var mostStreams: Int64 { max(settledStreams, streams.max() ?? 0) }

    /// Ends a history to which nothing is added any more: of its seconds, which take most of a small run's memory, the peaks
    /// are kept.
    ///
    /// Two histories that are settled add up to the higher peaks of the two.
    mutating func settle() {
        settledRequests = SenderCourse.peakWidths.map { mostRequests(inSeconds: $0) }
        settledStreams = mostStreams
        (requests, streams) = ([], [])
    }

    mutating func add(_ other: SenderCourse) {
        guard !other.waits.isEmpty else { return }
        guard !waits.isEmpty else {
            self = other
            return
        }
        requests.add(other.requests)
        streams.add(other.streams)
        for place in settledRequests.indices {
            settledRequests[place] = max(settledRequests[place], other.settledRequests[place])
        }
        settledStreams = max(settledStreams, other.settledStreams)
        for window in waits.indices {
            waits[window].add(other.waits[window])
            unsentWaits[window].add(other.unsentWaits[window])
        }
    }

    mutating func transfer(through numbers: inout some NumberTransfer, _ shape: MeasurementShape) {
        var isKept: Int64 = waits.isEmpty ? 0 : 1
        numbers.transfer(&isKept)
        guard isKept != 0 else {
            self = SenderCourse()
            return
        }
        if waits.isEmpty { self = SenderCourse(shape) }
        numbers.transfer(leading: &requests, of: shape.secondCount)
        numbers.transfer(leading: &streams, of: shape.secondCount)
        numbers.transfer(&settledRequests)
        numbers.transfer(&settledStreams)
        for window in waits.indices {
            waits[window].transfer(through: &numbers)
            unsentWaits[window].transfer(through: &numbers)
        }
    }
}

extension Measurements {
    /// How long the pushes waited that were sent or given up in some windows of the time series.
    public func waits(in windows: Range<Int>) -> Tally {
        let windows = windows.clamped(to: senderCourse.waits.indices)
        let sent = windows.reduce(Int64(0)) { sum, window in
            SeriesColumn.requests.reduce(sum) { $0 + series[window, $1] }
        }
        var waits = Tally.sum(senderCourse.waits[windows])
        waits.add(zeros: sent - waits.count)
        waits.add(Tally.sum(senderCourse.unsentWaits[windows]))
        return waits
    }
}

extension SenderCourse {
    /// Nothing has happened in any second.
    init(_ shape: MeasurementShape) {
        waits = [Tally](repeating: Tally(), count: shape.windowCount)
        unsentWaits = waits
    }

    /// A course in which nothing has happened yet, in memory that the caller gives back by ``close(_:)``.
    static func opened(_ world: World) -> UnsafeMutablePointer<Open> {
        let course = UnsafeMutablePointer<Open>.allocate(capacity: 1)
        course.initialize(to: Open(world))
        return course
    }

    /// Gives the memory of a course back; nothing may be recorded any more.
    static func close(_ course: UnsafeMutablePointer<Open>) {
        course.deinitialize(count: 1)
        course.deallocate()
    }

    /// A course that is being recorded, by one cell or by several: they share it by its address.
    struct Open: ~Copyable {
        private var requests: Buffer<Int32>
        private var streams: Buffer<Int32>
        private let secondCount: Int
        private let waits: Buffer<Tally.Open>
        private let unsentWaits: Buffer<Tally.Open>
        private let windowLength: Int64

        init(_ world: World) {
            let shape = MeasurementShape(world)
            windowLength = world.scenario.clock.window.microseconds
            secondCount = shape.secondCount
            requests = Buffer(repeating: 0, count: min(secondCount, 4096))
            streams = Buffer(repeating: 0, count: requests.count)
            waits = Buffer(repeating: Tally.Open(), count: shape.windowCount)
            unsentWaits = Buffer(repeating: Tally.Open(), count: shape.windowCount)
        }

        deinit {
            for window in 0..<waits.count {
                waits[window].close()
                unsentWaits[window].close()
            }
        }

        /// Takes in what a cell did in a second.
        @inline(__always)
        mutating func add(second: Int, requests newRequests: Int32, streams mostStreams: Int32) {
            // The last instant of a run belongs to its last second.
            let second = min(second, secondCount - 1)
            if second >= requests.count {
                guard newRequests | mostStreams != 0 else { return }
                makeRoom(for: second)
            }
            requests[second] &+= newRequests
            streams[second] &+= mostStreams
        }

        /// Room for twice the seconds, or up to a later one.
        private mutating func makeRoom(for second: Int) {
            let count = min(secondCount, max(2 * requests.count, second + 1))
            requests = Buffer(requests, then: 0, count: count)
            streams = Buffer(streams, then: 0, count: count)
        }

        /// Takes in a wait that has ended with a request.
        ///
        /// - Precondition: It took some time.
        func record(wait: Int64, at instant: Instant) {
            waits[window(of: instant)].record(wait)
        }

        /// Takes in a wait that has ended without a request.
        func record(unsentAfter wait: Int64, at instant: Instant) {
            unsentWaits[window(of: instant)].record(wait)
        }

        private func window(of instant: Instant) -> Int {
            min(Int(instant.microseconds / windowLength), waits.count - 1)
        }

        /// All of it as a value.
        var course: SenderCourse {
            var result = SenderCourse()
            var length = requests.count
            while length > 0, requests[length - 1] | streams[length - 1] == 0 { length -= 1 }
            result.requests = (0..<length).map { Int64(requests[$0]) }
            result.streams = (0..<length).map { Int64(streams[$0]) }
            result.waits = waits.values.map { Tally($0) }
            result.unsentWaits = unsentWaits.values.map { Tally($0) }
            return result
        }
    }
}

extension [Int64] {
    /// Adds numbers place by place; the shorter one goes on with zeros.
    fileprivate mutating func add(_ other: [Int64]) {
        if count < other.count { append(contentsOf: repeatElement(0, count: other.count - count)) }
        for index in other.indices { self[index] += other[index] }
    }
}
