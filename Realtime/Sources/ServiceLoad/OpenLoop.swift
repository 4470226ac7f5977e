import Dispatch
import Experiments
import LoadGenerator
import Quantities
import Shell
import Synchronization

/// Starts each request at its due time, whether earlier requests have been answered or not; each request is a task.
///
/// It suits services in which a request costs a round trip. ``PushLoadRun`` sends many thousands of requests per second.
struct OpenLoop<LoopClock: Clock<Duration>>: Sendable {
    let plan: RatePlan
    /// The clock of the due times.
    let clock: LoopClock
    /// The most requests in flight; requests that become due while this many are in flight are not started.
    private static var outstandingLimit: Int { 20_000 }

    /// The longest time between two checks for an early end.
    private static var look: Duration { .milliseconds(100) }

    /// The longest wait for answers after an early end.
    var patience = Duration.seconds(10)

    /// Runs the plan until its end, an early end, or the task's cancellation, and then waits for the requests in flight.
    ///
    /// After an early end it waits for at most ``patience``.
    ///
    /// - Parameters:
    ///   - end: The request for an early end.
    ///   - onLook: Called once a second with the elapsed time, the number of requests in flight, and the mark of an early end
    ///     if there is one. It is called on a thread of its own and may block.
    ///   - request: Makes the request with a number, which is due at an instant.
    ///   - record: Receives the result of a request. It is not called for a request that had no answer when the wait ended.
    func run<Completion: Sendable>(
        endingWith end: EarlyEnd,
        onLook: @escaping @Sendable (TimeSpan, Int, EarlyEndMark?) -> Void,
        request: @escaping @Sendable (Int, LoopClock.Instant) async -> Completion,
        record: @escaping @Sendable (Completion) -> Void
    ) async -> OpenLoopOutcome {
        let began = clock.now
        let book = Book()
        var outcome = OpenLoopOutcome()
        end.workBegins()
        await withDiscardingTaskGroup { group in
            group.addTask {
                // Tasks share one thread per processor, so a callback on them would delay requests.
                let queue = DispatchQueue(label: "looks")
                while (try? await clock.sleep(for: .seconds(1))) != nil {
                    await withCheckedContinuation { continuation in
                        queue.async {
                            onLook(TimeSpan(began.duration(to: clock.now)), book.outstanding, book.mark)
                            continuation.resume()
                        }
                    }
                }
            }
            plan: for number in 0..<plan.total {
                let due = began.advanced(by: .nanoseconds(plan.due(number)))
                while true {
                    if Task.isCancelled { break plan }
                    if let cause = end.cause {
                        let ran = TimeSpan(began.duration(to: clock.now))
                        book.end(with: EarlyEndMark(by: cause, ran: ran, planned: plan.duration))
                        break plan
                    }
                    let now = clock.now
                    guard due > now else { break }
                    let wake = min(due, now.advanced(by: Self.look))
                    try? await clock.sleep(until: wake, tolerance: .microseconds(200))
                }
                guard book.outstanding < Self.outstandingLimit else {
                    outcome.notBegun.append(number)
                    continue
                }
                outcome.latestStart = max(outcome.latestStart, due.duration(to: clock.now))
                book.begin()
                group.addTask {
                    let completion = await request(number, due)
                    book.complete { record(completion) }
                }
            }
            var limit = book.mark.map { _ in clock.now.advanced(by: patience) }
            while book.outstanding > 0, !Task.isCancelled {
                if limit == nil, let cause = end.cause {
                    limit = clock.now.advanced(by: patience)
                    book.end(with: EarlyEndMark(by: cause, ran: plan.duration, planned: plan.duration))
                }
                if let limit, clock.now > limit { break }
                try? await clock.sleep(for: .milliseconds(5))
            }
            let unanswered = book.close()
            outcome.earlyEnd = book.mark
            outcome.earlyEnd?.unanswered = unanswered
            group.cancelAll()
        }
        return outcome
    }

    /// The requests in flight.
    ///
    /// Once it is closed, nothing more is recorded, because a cancelled request has not failed.
    private final class Book: Sendable {
        private struct State {
            var outstanding = 0
            var isClosed = false
            var mark: EarlyEndMark?
        }

        private let state = Mutex(State())

        var outstanding: Int { state.withLock { $0.outstanding } }

        var mark: EarlyEndMark? { state.withLock { $0.mark } }

        func end(with mark: EarlyEndMark) { state.withLock { $0.mark = mark } }

        func begin() { state.withLock { $0.outstanding += 1 } }

        func complete(_ record: () -> Void) {
            state.withLock { state in
                guard !state.isClosed else { return }
                state.outstanding -= 1
                record()
            }
        }

        /// Closes it and returns the number of requests still in flight.
        func close() -> Int {
            state.withLock { state in
                state.isClosed = true
                return state.outstanding
            }
        }
    }
}

extension OpenLoop<ContinuousClock> {
    /// A loop in real time.
    init(plan: RatePlan) { self.init(plan: plan, clock: ContinuousClock()) }
}

/// The result of an open loop.
struct OpenLoopOutcome: Hashable, Sendable {
    /// The largest delay between a request's due time and its start, which the generator causes itself.
    var latestStart = Duration.zero
    /// The numbers of the requests that were not started because too many were in flight.
    var notBegun: [Int] = []
    /// The early end; nil for a loop that ran to the end of its plan.
    var earlyEnd: EarlyEndMark?
}

extension Duration {
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
