import Dispatch
import Foundation
import NIOCore
import NIOPosix
import Quantities
import ScenarioLanguage
import Shell
import TestSupport
import Testing

@testable import Evaluation
@testable import LoadGenerator

/// Runs on event loops; no verdict depends on the speed of the machine.
@Suite("A run of a load")
struct LoadRunTests {
    /// A target that asks a test whether a request is answered.
    private final class Target: LoadTarget {
        let isAnswered: @Sendable (Int) -> Bool

        init(_ isAnswered: @escaping @Sendable (Int) -> Bool) { self.isAnswered = isAnswered }

        func submit(_ request: LoadRequest, for lane: LoadLane<Target>) {
            guard isAnswered(request.arrival) else { return }
            let (number, due) = (request.number, request.due)
            let outcome = APNsOutcome.answered(APNsAnswer(status: 200))
            let completion = APNsCompletion(number: number, outcome: outcome, due: due, sent: due, done: .now())
            lane.loop.execute { lane.completed([completion]) }
        }
    }

    private func run(
        _ plan: RatePlan,
        lanes: Int = 1,
        isAnswered: @escaping @Sendable (Int) -> Bool
    ) -> LoadRun<Target> {
        let loops = (0..<lanes).map { _ in MultiThreadedEventLoopGroup.singleton.next() }
        return LoadRun(LoadSchedule(.open(plan)), on: loops) { _ in Target(isAnswered) }
    }

    @Test("After an early end, requests without an answer in time are unanswered: they do not fail", arguments: 1...2)
    func unanswered(lanes: Int) async throws {
        let (begun, end) = (Observed(0), EarlyEnd())
        let plan = try RatePlan.constant(perSecond: 200, for: .minutes(5))
        var run = run(plan, lanes: lanes) { arrival in
            begun.change { $0 += 1 }
            return arrival.isMultiple(of: 2)
        }
        run.patience = .milliseconds(1)
        var stopped: TimeSpan?
        let result = try await run.run(unixMicroseconds: 0, endingWith: end, every: .milliseconds(10)) { progress in
            if progress.earlyEnd != nil { stopped = stopped ?? progress.elapsed }
            // Answers and open requests are told together.
            if progress.tally.requests >= 10, progress.inFlight >= 10 { _ = end.ask(.interrupted) }
        }
        let mark = try #require(result.earlyEnd)
        #expect(mark.cause == .interrupted && mark.planned == .minutes(5) && mark.ran < .minutes(5))
        let unanswered = try #require(mark.unanswered)
        #expect(unanswered >= 10 && result.tally.learnt.missing == 0)
        #expect(result.tally.requests + unanswered == begun.value)
        // Each arrival up to the end was sent, and none after all lanes had stopped.
        #expect(begun.value >= plan.dueCount(at: mark.ran.microseconds * 1000))
        #expect(begun.value <= plan.dueCount(at: try #require(stopped).microseconds * 1000))
        #expect(result.ran(of: LoadSchedule(.open(plan))) == mark.ran)
    }

    /// There are as many runs as processors, so callbacks occupy all threads of tasks.
    @Test("No request waits for a slow callback")
    func slowCallback() async throws {
        let plan = try RatePlan.constant(perSecond: 200, for: .milliseconds(500))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
                group.addTask {
                    let isSent = DispatchSemaphore(value: 0)
                    let run = run(plan) { arrival in
                        if arrival == plan.total - 1 { isSent.signal() }
                        return true
                    }
                    var isFirst = true
                    let result = try await run.run(unixMicroseconds: 0, every: .milliseconds(10)) { _ in
                        guard isFirst else { return }
                        isFirst = false
                        #expect(isSent.wait(timeout: .now() + .seconds(Patience.seconds)) == .success)
                    }
                    #expect(result.tally.learnt.accepted == plan.total && result.earlyEnd == nil)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("A cancelled run sends nothing more")
    func cancelled() async throws {
        let (begun, loop) = (Observed(0), MultiThreadedEventLoopGroup.singleton.next())
        let schedule = LoadSchedule(.open(try .constant(perSecond: 100, for: .hours(1))))
        let run = LoadRun(schedule, on: [loop]) { _ in
            Target { _ in
                begun.change { $0 += 1 }
                return true
            }
        }
        let task = Task { try await run.run(unixMicroseconds: 0, every: .milliseconds(10)) }
        #expect(await begun.reaches { $0 > 0 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let atEnd = try await loop.submit { begun.value }.get()
        // A loop runs its tasks in the order of their deadlines, and the next request was due within 10 ms.
        #expect(try await loop.scheduleTask(in: .milliseconds(50)) { begun.value }.futureResult.get() == atEnd)
    }
}
