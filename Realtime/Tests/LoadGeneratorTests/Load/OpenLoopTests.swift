import Experiments
import Foundation
import Quantities
import Reporting
import Synchronization
import Testing

@testable import LoadGenerator

/// Requests that are not real: when they end is up to the test.
@Suite struct OpenLoopTests {
    private final class Book: Sendable {
        let recorded = Mutex<[Int]>([])
        let begun = Mutex(0)
        let looks = Mutex(0)
    }

    @Test("what has no answer when an early end has waited for it is counted in the mark, and not recorded")
    func givenUp() async throws {
        let (book, end) = (Book(), EarlyEnd())
        let plan = try RatePlan(points: [.init(at: .zero, perSecond: 100), .init(at: .seconds(60), perSecond: 100)])
        var loop = OpenLoop(plan: plan)
        loop.patience = .milliseconds(100)
        let outcome = await loop.run(endingWith: end) { _ in
        } request: { number, _ in
            book.begun.withLock { $0 += 1 }
            if number == 10 { _ = end.ask(.interrupted) }
            // Every second request is answered; the others when they are given up.
            if !number.isMultiple(of: 2) { try? await Task.sleep(for: .seconds(1000)) }
            return number
        } record: { number in
            book.recorded.withLock { $0.append(number) }
        }
        let recorded = book.recorded.withLock { $0 }
        #expect(recorded.allSatisfy { $0.isMultiple(of: 2) })
        #expect(recorded.count >= 6)
        #expect(outcome.earlyEnd?.unanswered == book.begun.withLock { $0 } - recorded.count)
    }

    @Test("requests are begun while a look goes on")
    func slowLook() async throws {
        let (book, end) = (Book(), EarlyEnd())
        let plan = try RatePlan(points: [.init(at: .zero, perSecond: 100), .init(at: .seconds(60), perSecond: 100)])
        let outcome = await OpenLoop(plan: plan)
            .run(endingWith: end) { _ in
                let before = book.begun.withLock { $0 }
                let limit = ContinuousClock.now + .seconds(30)
                while book.begun.withLock({ $0 }) == before, .now < limit { usleep(1000) }
                if book.begun.withLock({ $0 }) > before { book.looks.withLock { $0 += 1 } }
                _ = end.ask(.interrupted)
            } request: { _, _ in
                book.begun.withLock { $0 += 1 }
            } record: { _ in
            }
        #expect(book.looks.withLock { $0 } == 1)
        #expect(outcome.earlyEnd != nil)
    }
}
