import Quantities

/// The load on senders over time, at a resolution that shows its peaks: by second, and for waits by window.
///
/// The seconds of cells are added. For requests the sums are exact. For streams, each cell contributes its maximum
/// within the second, so a sum is an upper bound; it is off by at most the changes within that second.
///
/// Only the largest sums over all cells matter, so the cells of a group share one object, and memory does not grow with
/// their number.
public struct SenderCourse: Hashable, Sendable {
    /// The number of requests that began in each second, through the last second with any event; years may follow it.
    public internal(set) var requests: [Int64] = []
    /// The maximum number of streams in use in each of the same seconds.
    public internal(set) var streams: [Int64] = []
    /// The maximum length of the queue in each of the same seconds.
    public internal(set) var queued: [Int64] = []
    /// The waits of pushes that waited, by the window in which they were sent; empty if recorded elsewhere.
    var waits: [Tally] = []
    /// The waits of pushes that were never sent, by the window in which they were given up.
    var unsentWaits: [Tally] = []
    /// The maximum of requests for each width of ``peakWidths``, over settled replications.
    private var settledRequests = [Int64](repeating: 0, count: SenderCourse.peakWidths.count)
    /// The maxima of streams in use and of the queue's length by window, over settled replications.
    private var settledStreams: [Int64] = []
    private var settledQueues: [Int64] = []
    /// The width of a window [µs].
    private var windowLength: Int64 = 1

    /// The widths [s] of the intervals over which requests have a maximum.
    public static let peakWidths = [1, 10, 60]

    /// The maximum number of requests that began within consecutive seconds of a width in ``peakWidths``.
    ///
    /// - Complexity: O(*seconds*); constant after ``settle()``.
    public func mostRequests(inSeconds width: Int) -> Int64 {
        guard let place = SenderCourse.peakWidths.firstIndex(of: width) else {
            preconditionFailure("no maximum is kept for a width of \(width) s")
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

    /// The maximum number of streams in use.
    public var mostStreams: Int64 { mostStreams(in: 0..<waits.count) }

    /// The maximum length of the queue.
    public var mostQueued: Int64 { mostQueued(in: 0..<waits.count) }

    /// The maximum number of streams in use in some windows of the time series.
    ///
    /// A second that belongs to two windows counts in both.
    public func mostStreams(in windows: Range<Int>) -> Int64 { most(streams, settledStreams, windows) }

    /// The maximum length of the queue in some windows of the time series.
    public func mostQueued(in windows: Range<Int>) -> Int64 { most(queued, settledQueues, windows) }

    private func most(_ seconds: [Int64], _ settled: [Int64], _ windows: Range<Int>) -> Int64 {
        let windows = windows.clamped(to: waits.indices)
        guard !windows.isEmpty else { return 0 }
        let first = Int(Int64(windows.lowerBound) * windowLength / 1_000_000)
        // The last window includes the last instant of the run.
        let end =
            windows.upperBound == waits.count
            ? Int.max : Int((Int64(windows.upperBound) * windowLength + 999_999) / 1_000_000)
        let inSeconds = seconds[min(first, seconds.count)..<min(end, seconds.count)].max() ?? 0
        return max(inSeconds, settled[windows].max() ?? 0)
    }

    /// Completes a replication: keeps the maxima and discards the seconds, which take most of a small run's memory.
    ///
    /// The sum of two settled replications has the larger maxima of the two.
    mutating func settle() {
        settledRequests = SenderCourse.peakWidths.map { mostRequests(inSeconds: $0) }
        settledStreams = waits.indices.map { mostStreams(in: $0..<$0 + 1) }
        settledQueues = waits.indices.map { mostQueued(in: $0..<$0 + 1) }
        (requests, streams, queued) = ([], [], [])
    }

    mutating func add(_ other: SenderCourse) {
        guard !other.waits.isEmpty else { return }
        guard !waits.isEmpty else {
            self = other
            return
        }
        requests.add(other.requests)
        streams.add(other.streams)
        queued.add(other.queued)
        for place in settledRequests.indices {
            settledRequests[place] = max(settledRequests[place], other.settledRequests[place])
        }
        for window in waits.indices {
            settledStreams[window] = max(settledStreams[window], other.settledStreams[window])
            settledQueues[window] = max(settledQueues[window], other.settledQueues[window])
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
        numbers.transfer(leading: &queued, of: shape.secondCount)
        numbers.transfer(&settledRequests)
        numbers.transfer(&settledStreams)
        numbers.transfer(&settledQueues)
        for window in waits.indices {
            waits[window].transfer(through: &numbers)
            unsentWaits[window].transfer(through: &numbers)
        }
    }
}

extension Measurements {
    /// The waits of pushes that were sent or given up in some windows of the time series.
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
    /// Creates an empty series.
    init(_ shape: MeasurementShape) {
        self.init(waits: [Tally](repeating: Tally(), count: shape.windowCount), windowLength: shape.windowLength)
        unsentWaits = waits
    }

    fileprivate init(waits: [Tally], windowLength: Int64) {
        self.waits = waits
        self.windowLength = windowLength
        settledStreams = [Int64](repeating: 0, count: waits.count)
        settledQueues = settledStreams
    }

    /// Creates an empty series in memory that the caller must free with ``close(_:)``.
    static func opened(_ world: World) -> UnsafeMutablePointer<Open> {
        let course = UnsafeMutablePointer<Open>.allocate(capacity: 1)
        course.initialize(to: Open(world))
        return course
    }

    /// Frees the memory of a series; nothing may be recorded afterwards.
    static func close(_ course: UnsafeMutablePointer<Open>) {
        course.deinitialize(count: 1)
        course.deallocate()
    }

    /// A series that is being recorded, by one cell or by several that share its address.
    struct Open: ~Copyable {
        private var requests: Buffer<Int32>
        private var streams: Buffer<Int32>
        private var queued: Buffer<Int32>
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
            queued = Buffer(repeating: 0, count: requests.count)
            waits = Buffer(repeating: Tally.Open(), count: shape.windowCount)
            unsentWaits = Buffer(repeating: Tally.Open(), count: shape.windowCount)
        }

        deinit {
            for window in 0..<waits.count {
                waits[window].close()
                unsentWaits[window].close()
            }
        }

        /// Adds the load of a cell in a second.
        @inline(__always)
        mutating func add(
            second: Int,
            requests newRequests: Int32,
            streams mostStreams: Int32,
            queued mostQueued: Int32
        ) {
            // The last instant of a run belongs to its last second.
            let second = min(second, secondCount - 1)
            if second >= requests.count {
                guard newRequests | mostStreams | mostQueued != 0 else { return }
                makeRoom(for: second)
            }
            requests[second] &+= newRequests
            streams[second] &+= mostStreams
            if mostQueued > 0 { queued[second] &+= mostQueued }
        }

        /// Grows to twice the seconds, or through a later one.
        private mutating func makeRoom(for second: Int) {
            let count = min(secondCount, max(2 * requests.count, second + 1))
            requests = Buffer(requests, then: 0, count: count)
            streams = Buffer(streams, then: 0, count: count)
            queued = Buffer(queued, then: 0, count: count)
        }

        /// Records a wait that has ended with a request.
        ///
        /// - Precondition: `wait` is above 0.
        func record(wait: Int64, at instant: Instant) {
            waits[window(of: instant)].record(wait)
        }

        /// Records a wait that has ended without a request.
        func record(unsentAfter wait: Int64, at instant: Instant) {
            unsentWaits[window(of: instant)].record(wait)
        }

        private func window(of instant: Instant) -> Int {
            min(Int(instant.microseconds / windowLength), waits.count - 1)
        }

        /// A copy of the series.
        var course: SenderCourse {
            var result = SenderCourse(waits: waits.values.map { Tally($0) }, windowLength: windowLength)
            var length = requests.count
            while length > 0, requests[length - 1] | streams[length - 1] | queued[length - 1] == 0 { length -= 1 }
            result.requests = (0..<length).map { Int64(requests[$0]) }
            result.streams = (0..<length).map { Int64(streams[$0]) }
            result.queued = (0..<length).map { Int64(queued[$0]) }
            result.unsentWaits = unsentWaits.values.map { Tally($0) }
            return result
        }
    }
}

extension [Int64] {
    /// Adds numbers element by element; the shorter array is extended with zeros.
    fileprivate mutating func add(_ other: [Int64]) {
        if count < other.count { append(contentsOf: repeatElement(0, count: other.count - count)) }
        for index in other.indices { self[index] += other[index] }
    }
}
