import Quantities
import Synchronization

/// Runs requests when a plan says, whether those before are answered or not; each is a task.
///
/// For services where a request costs a connection's round trip anyway; ``PushLoadRun`` is for many thousands a second.
struct OpenLoop: Sendable {
    let plan: RatePlan
    /// The most requests without an answer; what is due beyond it is not begun.
    private static var outstandingLimit: Int { 20_000 }

    /// How it went.
    struct Outcome: Hashable, Sendable {
        /// How late the latest request was begun, as the generator's own fault.
        var latestStart = Duration.zero
        /// The numbers of requests that were not begun since too many were without an answer.
        var notBegun: [Int] = []
    }

    /// Runs the plan to its end, or until the task is cancelled, and waits for what was begun.
    ///
    /// - Parameters:
    ///   - progress: Is told once a second how many requests are done.
    ///   - request: Makes the request of a number, which is due at an instant.
    func run(
        progress: @Sendable (Int) -> Void,
        request: @escaping @Sendable (Int, ContinuousClock.Instant) async -> Void
    ) async -> Outcome {
        let began = ContinuousClock.now
        let counts = Counts()
        var outcome = Outcome()
        await withDiscardingTaskGroup { group in
            var lastTold = began
            for number in 0..<plan.total {
                let due = began + .nanoseconds(plan.due(number))
                if due > .now, (try? await Task.sleep(until: due, tolerance: .microseconds(200))) == nil { break }
                if Task.isCancelled { break }
                let now = ContinuousClock.now
                if now - lastTold > .seconds(1) {
                    lastTold = now
                    progress(counts.done.load(ordering: .relaxed))
                }
                guard counts.outstanding.load(ordering: .relaxed) < OpenLoop.outstandingLimit else {
                    outcome.notBegun.append(number)
                    continue
                }
                outcome.latestStart = max(outcome.latestStart, due.duration(to: now))
                counts.outstanding.add(1, ordering: .relaxed)
                group.addTask {
                    await request(number, due)
                    counts.outstanding.subtract(1, ordering: .relaxed)
                    counts.done.add(1, ordering: .relaxed)
                }
            }
        }
        return outcome
    }

    private final class Counts: Sendable {
        let outstanding = Atomic<Int>(0)
        let done = Atomic<Int>(0)
    }
}

extension Duration {
    var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
