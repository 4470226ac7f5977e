import Dispatch
import Experiments
import Foundation
import LoadGenerator
import Quantities
import Shell
import TestSupport
import Testing

@testable import ServiceLoad

/// Each test has its own clock, so that the speed of the machine does not matter.
@Suite("A load at a rate with a task for each request")
struct OpenLoopTests {
    @Test("after an early end, requests without an answer in time are unanswered: they neither fail nor are recorded")
    func unanswered() async throws {
        let (clock, end) = (ManualClock(), EarlyEnd())
        let begun = Observed(0)
        let recorded = Observed<Set<Int>>([])
        var loop = OpenLoop(plan: try .constant(perSecond: 100, for: .minutes(1)), clock: clock)
        loop.patience = .milliseconds(300)
        async let outcome = loop.run(endingWith: end) { _, _, _ in
        } request: { number, _ in
            begun.change { $0 += 1 }
            // Even numbers are answered; the others wait until they are cancelled and complete then.
            if !number.isMultiple(of: 2) { try? await Task.sleep(for: Patience.limit * 2) }
            return number
        } record: { number in
            recorded.change { _ = $0.insert(number) }
        }
        #expect(await clock.isAwaited(at: .milliseconds(10)))
        clock.advance(to: .milliseconds(200))
        // Numbers 0 to 20 were due, and the loop sleeps until 21 is due.
        #expect(await clock.isAwaited(at: .milliseconds(210)))
        #expect(await begun.reaches { $0 == 21 })
        #expect(end.ask(.interrupted))
        clock.advance(to: .milliseconds(210))
        #expect(await recorded.reaches { $0.count == 11 })
        #expect(await clock.isAwaited(at: .milliseconds(215)))
        clock.advance(to: .milliseconds(511))
        let mark = try #require(await outcome.earlyEnd)
        #expect(recorded.value == Set(stride(from: 0, through: 20, by: 2)))
        #expect(mark.unanswered == 10 && begun.value == 21)
        #expect(mark.ran == .milliseconds(210) && mark.planned == .minutes(1))
    }

    @Test("the callback receives the number of requests in flight")
    func inFlight() async throws {
        let clock = ManualClock()
        let begun = Observed(0)
        let told = Observed<Int?>(nil)
        let loop = OpenLoop(plan: try .constant(perSecond: 100, for: .seconds(1)), clock: clock)
        async let outcome = loop.run(endingWith: EarlyEnd()) { _, inFlight, _ in
            told.change { $0 = $0 ?? inFlight }
        } request: { _, _ in
            begun.change { $0 += 1 }
            // Nothing is answered before the first callback.
            _ = await told.reaches { $0 != nil }
        } record: { _ in
        }
        #expect(await clock.isAwaited(at: .milliseconds(10)))
        #expect(await clock.isAwaited(at: .seconds(1)))
        clock.advance(to: .milliseconds(990))
        #expect(await begun.reaches { $0 == 100 })
        clock.advance(to: .seconds(1))
        #expect(await told.reaches { $0 == 100 })
        let driving = drive(clock)
        _ = await outcome
        driving.cancel()
    }

    /// There are as many loops as processors, so callbacks on the threads of tasks would leave none for requests.
    @Test("no request waits for a slow callback")
    func slowLook() async throws {
        let plan = try RatePlan.constant(perSecond: 200, for: .seconds(3))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
                group.addTask { await expectNoRequestWaits(for: plan) }
            }
        }
    }

    /// The first callback, after a second, lasts until the last request has begun.
    private func expectNoRequestWaits(for plan: RatePlan) async {
        let clock = ManualClock()
        let begun = Observed(0)
        let isLooking = Observed(false)
        let lookEnds = DispatchSemaphore(value: 0)
        async let outcome = OpenLoop(plan: plan, clock: clock)
            .run(endingWith: EarlyEnd()) { _, _, _ in
                guard
                    !isLooking.change({ isLooking in
                        defer { isLooking = true }
                        return isLooking
                    })
                else { return }
                #expect(lookEnds.wait(timeout: .now() + .seconds(Patience.seconds)) == .success)
            } request: { _, _ in
                begun.change { $0 += 1 }
            } record: { _ in
            }
        #expect(await clock.isAwaited(at: .seconds(1)))
        clock.advance(to: .seconds(1))
        #expect(await isLooking.reaches { $0 })
        clock.advance(to: .seconds(3))
        #expect(await begun.reaches { $0 == plan.total })
        lookEnds.signal()
        let driving = drive(clock)
        _ = await outcome
        driving.cancel()
    }

    /// Advances a clock from deadline to deadline until the task is cancelled.
    private func drive(_ clock: ManualClock) -> Task<Void, Never> {
        Task { while await clock.advanceToNext() {} }
    }
}
