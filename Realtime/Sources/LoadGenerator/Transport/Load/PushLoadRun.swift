package import Experiments
package import NIOCore
import NIOPosix
package import Quantities
package import Shell
import Wire

/// A run of a load against an endpoint.
package struct PushLoadRun: Sendable {
    private let load: PushLoad
    private let pool: APNsPool
    private let lanes: [PushLoadLane]

    /// The progress of a run.
    package struct Progress: Sendable {
        /// The time since the beginning of the load.
        package var elapsed: TimeSpan
        /// The measurements so far.
        package var tally: PushTally
        /// The number of requests that wait for a stream.
        package var waiting: Int
        /// The number of requests in flight.
        package var inFlight: Int
        /// The counts and errors of the connections.
        package var connections: APNsPoolNotes
        /// The early end, after which no more pushes are sent; nil without one.
        package var earlyEnd: EarlyEndMark?
    }

    /// The longest wait for answers after an early end.
    private static let patience = Duration.seconds(10)

    /// Prepares a load.
    ///
    /// - Parameters:
    ///   - load: The load.
    ///   - pool: The connections, whose only user the load must be.
    package init(_ load: PushLoad, over pool: APNsPool) {
        self.load = load
        self.pool = pool
        let tokens =
            load.ownTokens.isEmpty
            ? (0..<load.tokenCount).map { DeviceToken(ride: UInt64($0), number: 0) } : load.ownTokens
        let budget = load.retryBudget.map { SharedRetryBudget($0) }
        lanes = pool.lanes.enumerated()
            .map { index, lane in
                PushLoadLane(
                    load: load,
                    lane: lane,
                    index: index,
                    laneCount: pool.lanes.count,
                    tokens: tokens,
                    budget: budget
                )
            }
    }

    /// Sends all pushes and waits for their outcomes; after an early end it waits for a limited time.
    ///
    /// - Parameters:
    ///   - unixSeconds: The time at the beginning [s since 1970], for payloads.
    ///   - begin: The beginning of the load; nil: as soon as possible. Pushes that were due before now are sent late, at once.
    ///   - end: The request for an early end.
    ///   - every: The interval between reports of progress.
    /// - Throws: `CancellationError` if the task is cancelled.
    package func run(
        unixSeconds: Int64,
        beginningAt begin: NIODeadline? = nil,
        endingWith end: EarlyEnd = EarlyEnd(),
        every interval: Duration = .milliseconds(250),
        tell: (Progress) -> Void = { _ in }
    ) async throws -> Progress {
        end.workBegins()
        var (mark, limit): (EarlyEndMark?, ContinuousClock.Instant?)
        // A little later than now, so that all lanes begin together.
        let begin = begin ?? NIODeadline.now() + .milliseconds(5)
        for (driver, lane) in zip(lanes, pool.lanes) {
            lane.loop.scheduleTask(deadline: begin) { driver.start(at: begin, unixSeconds: unixSeconds) }
        }
        do {
            while true {
                try await Task.sleep(for: interval)
                if mark == nil, let cause = end.cause {
                    let ran = min(elapsed(since: begin), load.duration)
                    for (driver, lane) in zip(lanes, pool.lanes) { lane.loop.execute { driver.stop() } }
                    mark = EarlyEndMark(by: cause, ran: ran, planned: load.duration)
                    limit = .now + Self.patience
                }
                tell(try await progress(since: begin, mark))
                guard mark != nil || elapsed(since: begin) >= load.duration else { continue }
                if try await areDone() { break }
                if let limit, .now >= limit { break }
            }
        } catch {
            for (driver, lane) in zip(lanes, pool.lanes) { lane.loop.execute { driver.stop() } }
            throw error
        }
        var unanswered = 0
        for (driver, lane) in zip(lanes, pool.lanes) {
            unanswered += try await lane.loop.submit { driver.unfinished }.get()
        }
        mark?.unanswered = unanswered
        let progress = try await progress(since: begin, mark)
        for lane in pool.lanes { lane.loop.execute { lane.handler = UnheardCompletions() } }
        return progress
    }

    private func elapsed(since begin: NIODeadline) -> TimeSpan {
        TimeSpan(microseconds: max(0, (NIODeadline.now() - begin).nanoseconds / 1000))
    }

    private func areDone() async throws -> Bool {
        for (driver, lane) in zip(lanes, pool.lanes) {
            guard try await lane.loop.submit({ driver.isDone }).get() else { return false }
        }
        return true
    }

    private func progress(since begin: NIODeadline, _ mark: EarlyEndMark?) async throws -> Progress {
        var tally = PushTally()
        for (driver, lane) in zip(lanes, pool.lanes) {
            tally.add(try await lane.loop.submit { driver.tally }.get())
        }
        return Progress(
            elapsed: elapsed(since: begin),
            tally: tally,
            waiting: pool.waiting,
            inFlight: pool.inFlight,
            connections: pool.notes,
            earlyEnd: mark
        )
    }
}
