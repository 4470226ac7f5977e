import Quantities

/// The load on a cell's sender at an instant.
struct SenderLoad {
    /// Pushes in the queue.
    let queued: Int64
    /// Requests in flight, without those that were processed ahead.
    let busy: Int64
    /// Pushes that a full queue has deferred, to be offered again.
    let inOrbit: Int64
    /// `true` if no stream is free.
    let isSaturated: Bool

    init(_ sender: borrowing SenderStation) {
        queued = Int64(sender.waitingCount)
        busy = Int64(sender.inFlight - sender.aheadCount)
        inOrbit = Int64(sender.inOrbit)
        isSaturated = sender.isSaturated
    }
}

/// The load of one cell's sender integrated over time, and its part of the load per second.
///
/// ``advance(to:_:_:)`` must be called before the sender's load changes; ``begin(at:streams:)`` must be called before
/// changes that are known to be in the past.
struct SenderBooks: ~Copyable {
    private static let secondLength: Int64 = 1_000_000

    private let course: UnsafeMutablePointer<SenderCourse.Open>
    /// `true` if the cell owns the load series, and not its group.
    private let ownsCourse: Bool
    private let measuredFrom: Instant
    /// The end of the arrivals [µs]: the sender's metrics cover the time before it, the totals all time.
    private let arrivalsEnd: Int64
    /// The instant up to which the load is integrated.
    private var integratedUntil = Instant.start

    /// The current second; initially the second in which the warm-up ends.
    private var second: Int
    /// The end of the current second [µs]; never for the last one, which includes the last instant of a run.
    private var secondEnd: Int64
    private let lastSecond: Int
    private var requests: Int32 = 0
    private var mostStreams: Int32 = 0

    /// - Parameter course: The load series that the group's senders share; nil for a cell that runs alone.
    init(_ world: World, course: UnsafeMutablePointer<SenderCourse.Open>?) {
        self.course = course ?? SenderCourse.opened(world)
        ownsCourse = course == nil
        measuredFrom = world.measuredFrom
        arrivalsEnd = world.arrivalsEnd.microseconds
        lastSecond = MeasurementShape(world).secondCount - 1
        second = Int(measuredFrom.microseconds / Self.secondLength)
        secondEnd = Self.end(of: second, last: lastSecond)
    }

    private static func end(of second: Int, last: Int) -> Int64 {
        second < last ? Int64(second + 1) * secondLength : .max
    }

    deinit {
        if ownsCourse { SenderCourse.close(course) }
    }

    /// The load series so far; nil if the cell's group owns it.
    var ownCourse: SenderCourse? { ownsCourse ? course.pointee.course : nil }

    /// Starts the maxima with the current load if the warm-up has ended since the last call.
    @inline(__always)
    mutating func begin(at now: Instant, streams: Int) {
        guard integratedUntil < measuredFrom, measuredFrom <= now else { return }
        integratedUntil = measuredFrom
        mostStreams = Int32(truncatingIfNeeded: streams)
    }

    /// Integrates the load of the sender since the last call.
    @inline(__always)
    mutating func advance(to now: Instant, _ sender: borrowing SenderStation, _ recorder: inout Recorder) {
        begin(at: now, streams: sender.inFlight)
        guard integratedUntil < now else { return }
        if now.microseconds >= secondEnd {
            cross(to: now.microseconds, Int32(truncatingIfNeeded: sender.inFlight))
        }
        let from = max(integratedUntil, measuredFrom)
        integratedUntil = now
        guard from < now, !sender.isAtRest else { return }
        let time = (now - from).microseconds
        let load = SenderLoad(sender)
        recorder.add(load.queued * time, to: .queuedTime)
        recorder.add(load.busy * time, to: .busyTime)
        recorder.add(load.inOrbit * time, to: .orbitTime)
        if load.isSaturated {
            recorder.add(time, to: .saturatedTime)
        }
        recorder.add(load, from: from.microseconds, to: min(now.microseconds, arrivalsEnd))
    }

    /// Adds the time of a request that was processed ahead.
    @inline(__always)
    func requestAhead(from begin: Instant, to end: Instant, _ recorder: inout Recorder) {
        recorder.add(
            from: begin.microseconds,
            to: min(end.microseconds, arrivalsEnd),
            column: .busyTime
        )
    }

    /// The end of the current second if it is over now; nil if it is not, or is already handled.
    @inline(__always)
    func secondOver(at now: Instant) -> Instant? {
        let isOver = secondEnd <= now.microseconds && integratedUntil < now
        return isOver ? Instant(microseconds: secondEnd) : nil
    }

    /// Records requests that have begun without a wait since the last call, as speculation had determined.
    ///
    /// Their times are already added; only their number and the maximum of streams in use count here.
    @inline(__always)
    mutating func requestsBegan(_ count: Int, most streams: Int) {
        requests &+= Int32(truncatingIfNeeded: count)
        streamTaken(streams: streams)
    }

    /// Ends a second in which a number of streams has been in use until now.
    private mutating func cross(to microseconds: Int64, _ streams: Int32) {
        let next = min(Int(microseconds / Self.secondLength), lastSecond)
        course.pointee.add(second: second, requests: requests, streams: max(mostStreams, streams))
        if streams > 0 {
            for second in second + 1..<max(next, second + 1) {
                course.pointee.add(second: second, requests: 0, streams: streams)
            }
        }
        second = next
        secondEnd = Self.end(of: second, last: lastSecond)
        requests = 0
        mostStreams = streams
    }

    /// Records a request that begins after some wait; with it, a number of streams is in use.
    @inline(__always)
    mutating func requestBegan(after wait: TimeSpan, streams: Int, at now: Instant) {
        requests &+= 1
        streamTaken(streams: streams)
        // Nearly all begin at once; the counts of requests by window give their number.
        if wait > .zero { course.pointee.record(wait: wait.microseconds, at: now) }
    }

    /// Records a stream that is taken, for example by a request that was interrupted.
    @inline(__always)
    mutating func streamTaken(streams: Int) {
        mostStreams = max(mostStreams, Int32(truncatingIfNeeded: streams))
    }

    /// Records a push that is given up after some wait.
    func pushGivenUp(after wait: TimeSpan, at now: Instant) {
        course.pointee.record(unsentAfter: wait.microseconds, at: now)
    }

    /// Records the remaining integrals at the end of the run.
    mutating func finish(at now: Instant, _ recorder: inout Recorder) {
        recorder.add(
            from: measuredFrom.microseconds,
            to: min(now.microseconds, arrivalsEnd),
            column: .arrivalTime
        )
        course.pointee.add(second: second, requests: requests, streams: mostStreams)
        requests = 0
        mostStreams = 0
    }
}
