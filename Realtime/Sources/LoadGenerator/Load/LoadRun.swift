package import Evaluation
package import LiveActivityModel
package import NIOCore
package import Quantities
package import Shell

/// The progress of a load, and its result at the end.
package struct LoadProgress: Sendable {
    /// The wall-clock time at the beginning of the load [µs since 1970].
    package var beganAt: Int64 = 0
    /// The time since the beginning of the load.
    package var elapsed = TimeSpan.zero
    /// The measurements so far.
    package var tally: LoadTally
    /// The number of requests that wait to be sent.
    package var waiting = 0
    /// The number of requests in flight.
    package var inFlight = 0
    /// The due times of both.
    package var unfinished = UnfinishedDues()
    /// The counts and errors of the connections; nil if they are not counted.
    package var connections: APNsPoolNotes?
    /// The number of objects that the load has created at its target and could not remove.
    package var remaining = 0
    /// The early end, after which no more requests are sent; nil without one.
    package var earlyEnd: EarlyEndMark?

    /// The time for which new requests were sent.
    package func ran(of schedule: LoadSchedule) -> TimeSpan { min(earlyEnd?.ran ?? elapsed, schedule.duration) }

    /// Adds the progress of another lane.
    fileprivate mutating func add(_ other: LoadProgress) {
        tally.add(other.tally)
        waiting += other.waiting
        inFlight += other.inFlight
        unfinished.add(other.unfinished)
        if let notes = other.connections { connections?.add(notes) }
    }
}

/// Takes rows of an event log, in any order, with the instant before which no row is still to come.
package typealias EventLogTaker = @Sendable ([ServerEvent], Instant) -> Void

/// A run of a load on a target, over one lane or several.
package struct LoadRun<Target: LoadTarget>: Sendable {
    private let schedule: LoadSchedule
    private let lanes: [LoadLane<Target>]

    /// The longest wait for answers after an early end.
    var patience = Duration.seconds(10)

    /// Prepares a load.
    ///
    /// - Parameters:
    ///   - loops: The event loops of the lanes, at least one.
    ///   - target: Returns the target of the lane with a number.
    package init(_ schedule: LoadSchedule, on loops: [any EventLoop], target: (Int) -> Target) {
        self.schedule = schedule
        let budget = schedule.retryBudget.map { SharedRetryBudget($0) }
        lanes = loops.enumerated()
            .map { LoadLane(schedule, target($0), on: $1, index: $0, of: loops.count, budget: budget) }
    }

    /// Sends all requests and waits for their outcomes; after an early end it waits for a limited time.
    ///
    /// - Parameters:
    ///   - unixMicroseconds: The time at the beginning [µs since 1970], for the content of requests; nil: the time of a beginning
    ///     that is not stated either.
    ///   - begin: The beginning of the load; nil: as soon as possible. Requests that were due before now are sent late, at once.
    ///   - end: The request for an early end.
    ///   - interval: The interval between reports of progress.
    ///   - log: Takes rows of the event log, at the same interval; nil: none is kept.
    /// - Throws: `CancellationError` if the task is cancelled.
    package func run(
        unixMicroseconds: Int64? = nil,
        beginningAt begin: NIODeadline? = nil,
        endingWith end: EarlyEnd = EarlyEnd(),
        every interval: Duration = .milliseconds(250),
        report: (LoadProgress) -> Void = { _ in },
        log: EventLogTaker? = nil
    ) async throws -> LoadProgress {
        end.workBegins()
        defer { perform { $0.end() } }
        var (mark, limit): (EarlyEndMark?, ContinuousClock.Instant?)
        // A little later than now, so that all lanes begin together.
        let lead: Int64 = 5000
        // The two clocks are read together: phases of faults depend on the wall-clock time of the beginning.
        let unixMicroseconds = unixMicroseconds ?? WallClock.microseconds + (begin == nil ? lead : 0)
        let begin = begin ?? NIODeadline.now() + .microseconds(lead)
        for lane in lanes {
            lane.loop.scheduleTask(deadline: begin) { lane.start(at: begin, unixMicroseconds: unixMicroseconds) }
        }
        while true {
            try await Task.sleep(for: interval)
            if mark == nil, let cause = end.cause {
                let ran = min(elapsed(since: begin), schedule.duration)
                perform { $0.stop() }
                mark = EarlyEndMark(by: cause, ran: ran, planned: schedule.duration)
                limit = .now + patience
            }
            let known = elapsed(since: begin)
            var (progress, isDone) = try await progress(since: begin, mark)
            progress.beganAt = unixMicroseconds
            // A request is sent when it is due or later, and all that are unknown yet later than now.
            if let log { try await log(rows(), .start + min(known, unsettled(progress) ?? known)) }
            report(progress)
            guard mark != nil || progress.elapsed >= schedule.duration else { continue }
            guard isDone || limit.map({ .now >= $0 }) ?? false else { continue }
            progress.earlyEnd?.unanswered = progress.inFlight + progress.waiting
            return progress
        }
    }

    private func perform(_ step: @escaping @Sendable (LoadLane<Target>) -> Void) {
        for lane in lanes { lane.loop.execute { step(lane) } }
    }

    /// A time before which all requests had their outcomes; nil if all have them.
    private func unsettled(_ progress: LoadProgress) -> TimeSpan? {
        progress.unfinished.earliest.map { TimeSpan(microseconds: $0) }
    }

    /// The rows of the event log since the last call.
    private func rows() async throws -> [ServerEvent] {
        var rows: [ServerEvent] = []
        for lane in lanes { rows += try await lane.loop.submit { lane.takeRows() }.get() }
        return rows
    }

    private func elapsed(since begin: NIODeadline) -> TimeSpan {
        TimeSpan(microseconds: max(0, (NIODeadline.now() - begin).nanoseconds / 1000))
    }

    /// The progress, and `true` if everything has been sent and has an outcome.
    private func progress(since begin: NIODeadline, _ mark: EarlyEndMark?) async throws -> (LoadProgress, Bool) {
        var parts: [(progress: LoadProgress, isDone: Bool)] = []
        for lane in lanes { parts.append(try await lane.loop.submit { (lane.progress, lane.isDone) }.get()) }
        var progress = parts[0].progress
        for part in parts.dropFirst() { progress.add(part.progress) }
        (progress.elapsed, progress.earlyEnd) = (elapsed(since: begin), mark)
        return (progress, parts.allSatisfy(\.isDone))
    }
}
