import Quantities

/// The load on a cell's sender at an instant.
struct SenderLoad {
    /// Pushes in the queue.
    let queued: Int64
    /// Requests in flight, without those of speculation.
    let busy: Int64
    /// Pushes that a full queue has deferred, to be offered again.
    let inOrbit: Int64
    /// `true` if no stream is free.
    let isSaturated: Bool

    init(_ sender: borrowing SenderStation) {
        queued = Int64(sender.waitingCount)
        busy = Int64(sender.inFlight)
        inOrbit = Int64(sender.inOrbit)
        isSaturated = sender.isSaturated
    }
}

/// The load of one cell's sender integrated over time, and its part of the load per second.
///
/// ``advance(to:_:_:_:)`` must be called before the sender's load changes.
///
/// The maximum of streams in use is an upper bound: for each interval of ``SpeculativeStreams`` the streams at its start
/// and those that are taken within it. The bound is the same whether requests were processed event by event or by
/// speculation.
struct SenderMeter: ~Copyable {
    private let course: UnsafeMutablePointer<SenderCourse.Open>
    /// `true` if the cell owns the load series, and not its group.
    private let ownsCourse: Bool
    private let measuredFrom: Instant
    /// The end of the arrivals [µs]: the sender's metrics cover the time before it, the time series all time.
    private let arrivalsEnd: Int64
    /// The number of streams of all connections.
    private let capacity: Int32
    /// The instant up to which the load is integrated.
    private var integratedUntil = Instant.start

    /// The current interval; initially the one in which the warm-up ends.
    private var interval: Int64
    /// The end of the current interval [µs]; never for the last one, which includes the last instant of a run.
    private var intervalEnd: Int64
    private let lastInterval: Int64
    /// The streams in use at the start of the interval, and those taken within it, without those of speculation.
    private var streams: Int32 = 0
    private var streamsTaken: Int32 = 0
    /// The requests of the current second, and the maximum of its streams.
    private var requests: Int32 = 0
    private var mostStreams: Int32 = 0
    /// The longest queue of the current second.
    private var mostQueued: Int32 = 0
    /// `true` if a request of speculation may not have found a stream free.
    private(set) var hasRunOut = false

    /// - Parameter course: The load series that the group's senders share; nil for a cell that runs alone.
    init(_ world: World, course: UnsafeMutablePointer<SenderCourse.Open>?) {
        self.course = course ?? SenderCourse.opened(world)
        ownsCourse = course == nil
        measuredFrom = world.measuredFrom
        arrivalsEnd = world.arrivalsEnd.microseconds
        capacity = Int32(clamping: world.sender.connections * world.sender.streams)
        lastInterval = Int64(MeasurementShape(world).secondCount) * SpeculativeStreams.perSecond - 1
        interval = SpeculativeStreams.interval(of: measuredFrom)
        intervalEnd = Self.end(of: interval, last: lastInterval)
    }

    private static func end(of interval: Int64, last: Int64) -> Int64 {
        interval < last ? (interval + 1) * SpeculativeStreams.length : .max
    }

    deinit {
        if ownsCourse { SenderCourse.close(course) }
    }

    /// The load series so far; nil if the cell's group owns it.
    var ownCourse: SenderCourse? { ownsCourse ? course.pointee.course : nil }

    /// Integrates the load of the sender since the last call.
    @inline(__always)
    mutating func advance(
        to now: Instant,
        _ sender: borrowing SenderStation,
        _ speculative: inout SpeculativeStreams,
        _ recorder: inout Recorder
    ) {
        guard integratedUntil < now else { return }
        if integratedUntil < measuredFrom, measuredFrom <= now {
            integratedUntil = measuredFrom
            (streams, streamsTaken) = (Int32(truncatingIfNeeded: sender.inFlight), 0)
            mostQueued = Int32(truncatingIfNeeded: sender.waitingCount)
        }
        if now.microseconds >= intervalEnd {
            let next = min(SpeculativeStreams.interval(of: now), lastInterval)
            cross(to: next, sender, &speculative)
        }
        let from = max(integratedUntil, measuredFrom)
        integratedUntil = now
        guard from < now, !sender.isAtRest else { return }
        let load = SenderLoad(sender)
        recorder.add(load, from: from.microseconds, to: now.microseconds)
        if arrivalsEnd < now.microseconds { addDrain(load, from: from, to: now, &recorder) }
    }

    /// Adds the part of a load that is after the last arrival.
    @inline(never)
    private func addDrain(_ load: SenderLoad, from: Instant, to: Instant, _ recorder: inout Recorder) {
        func add(_ level: Int64, _ column: SeriesColumn) {
            recorder.add(from: max(from.microseconds, arrivalsEnd), to: to.microseconds, column: column, level: level)
        }
        add(load.queued, .queuedTimeOfArrivals)
        add(load.busy, .busyTimeOfArrivals)
        add(load.inOrbit, .orbitTimeOfArrivals)
        add(load.isSaturated ? 1 : 0, .saturatedTimeOfArrivals)
    }

    /// Adds the time of a request of speculation.
    @inline(__always)
    func streamHeld(from begin: Instant, to end: Instant, _ recorder: inout Recorder) {
        recorder.add(from: begin.microseconds, to: end.microseconds, column: .busyTime)
        if arrivalsEnd < end.microseconds {
            recorder.addRare(
                from: max(begin.microseconds, arrivalsEnd),
                to: end.microseconds,
                column: .busyTimeOfArrivals
            )
        }
    }

    /// `true` if the current interval is over for some seconds, which are then read together.
    @inline(__always)
    func isBehind(_ now: Instant) -> Bool { intervalEnd <= now.microseconds &- SpeculativeStreams.lag }

    /// Ends the current interval and those before another; the sender's streams did not change meanwhile.
    @inline(never)
    private mutating func cross(
        to next: Int64,
        _ sender: borrowing SenderStation,
        _ speculative: inout SpeculativeStreams
    ) {
        let inFlight = Int32(truncatingIfNeeded: sender.inFlight)
        while interval < next {
            if streams | streamsTaken | inFlight | requests | mostStreams | mostQueued == 0, !speculative.areInUse,
                sender.waitingCount == 0
            {
                interval = next
                break
            }
            endInterval(sender.streamLimit, &speculative, through: interval + 1)
            (streams, streamsTaken) = (inFlight, 0)
            let second = (interval + SpeculativeStreams.perSecond - 1) / SpeculativeStreams.perSecond
            let secondEnd = second * SpeculativeStreams.perSecond
            endInterval(sender.streamLimit, &speculative, through: min(next, secondEnd))
            if interval == secondEnd { endSecond(sender) }
        }
        intervalEnd = Self.end(of: interval, last: lastInterval)
    }

    /// Ends all intervals before another, in which the sender's streams changed at most at the beginning.
    @inline(__always)
    private mutating func endInterval(_ limit: Int, _ speculative: inout SpeculativeStreams, through end: Int64) {
        let peak = speculative.read(interval..<end, requests: &requests)
        let most = streams + streamsTaken + peak
        if speculative.hasOverflowed || peak > 0 && most >= limit { hasRunOut = true }
        mostStreams = max(mostStreams, min(most, capacity))
        interval = end
    }

    /// Ends a second; the next one begins with the streams of its first interval, and with a queue.
    private mutating func endSecond(_ sender: borrowing SenderStation) {
        add(toSecond: Int(interval / SpeculativeStreams.perSecond) - 1)
        mostQueued = Int32(truncatingIfNeeded: sender.waitingCount)
    }

    private mutating func add(toSecond second: Int) {
        course.pointee.add(second: second, requests: requests, streams: mostStreams, queued: mostQueued)
        (requests, mostStreams) = (0, 0)
    }

    /// Records the length of the queue after a push has entered it.
    mutating func queueGrew(to length: Int) { mostQueued = max(mostQueued, Int32(truncatingIfNeeded: length)) }

    /// Records a request that begins, without those of speculation.
    @inline(__always)
    mutating func requestBegan() {
        requests &+= 1
        streamTaken()
    }

    /// Records the wait of a push whose request begins.
    @inline(__always)
    func waitEnded(after wait: TimeSpan, at now: Instant) {
        // Nearly all begin at once; the counts of requests by window give their number.
        if wait > .zero { course.pointee.record(wait: wait.microseconds, at: now) }
    }

    /// Records a stream that is taken, for example by a request that was interrupted.
    @inline(__always)
    mutating func streamTaken() { streamsTaken &+= 1 }

    /// Records a push that is given up after some wait.
    func pushGivenUp(after wait: TimeSpan, at now: Instant) {
        course.pointee.record(unsentAfter: wait.microseconds, at: now)
    }

    /// Records the remaining integrals at the end of the run.
    mutating func finish(
        at now: Instant,
        _ sender: borrowing SenderStation,
        _ speculative: inout SpeculativeStreams,
        _ recorder: inout Recorder
    ) {
        recorder.add(
            from: measuredFrom.microseconds,
            to: min(now.microseconds, arrivalsEnd),
            column: .arrivalTime
        )
        let second = Int(interval / SpeculativeStreams.perSecond)
        endInterval(sender.streamLimit, &speculative, through: interval + 1)
        add(toSecond: second)
    }
}
