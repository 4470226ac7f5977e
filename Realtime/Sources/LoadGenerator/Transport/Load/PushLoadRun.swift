package import Experiments
package import NIOCore
import NIOPosix
package import Quantities
package import Reporting
import Wire

/// Runs a load against an endpoint.
package struct PushLoadRun: Sendable {
    private let load: PushLoad
    private let pool: APNsPool
    private let lanes: [PushLoadLane]

    /// What has been done up to now.
    package struct Progress: Sendable {
        /// Since the beginning of the load.
        package var elapsed: TimeSpan
        /// What is measured so far.
        package var tally: PushTally
        /// How many requests wait for a stream.
        package var waiting: Int
        /// How many requests wait for an answer.
        package var inFlight: Int
        /// What is worth knowing about the connections.
        package var connections: APNsPoolNotes
        /// That nothing more is begun since an early end was asked for, and how far the load had come; nil for any other end.
        package var earlyEnd: EarlyEndMark?
    }

    /// How long answers are awaited after an early end.
    private static let patience = Duration.seconds(10)

    /// Prepares a load.
    ///
    /// - Parameters:
    ///   - load: What is sent.
    ///   - pool: Over which connections; the load must be their only user.
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

    /// Sends everything and waits for the outcomes; after an early end, for those of what was sent, and not for long.
    ///
    /// - Parameters:
    ///   - unixSeconds: The time at the beginning [s since 1970], for payloads.
    ///   - begin: When the load begins; nil: as soon as may be. What was due before now is sent at once, and is late.
    ///   - end: What may ask for an early end.
    ///   - every: How often progress is told.
    /// - Throws: `CancellationError` when the task is cancelled.
    package func run(
        unixSeconds: Int64,
        beginningAt begin: NIODeadline? = nil,
        endingWith end: EarlyEnd = EarlyEnd(),
        every interval: Duration = .milliseconds(250),
        tell: (Progress) -> Void = { _ in }
    ) async throws -> Progress {
        end.workBegins()
        var (mark, limit): (EarlyEndMark?, ContinuousClock.Instant?)
        // A little later, so that all lanes begin together.
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
                    mark = EarlyEndMark(cause: cause, ran: ran, planned: load.duration)
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
