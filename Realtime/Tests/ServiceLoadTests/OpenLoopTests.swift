import Experiments
import Foundation
import LoadGenerator
import Quantities
import Reporting
import Synchronization
import Testing

@testable import ServiceLoad

@Suite("A load at a rate, a task for each request", .serialized)
struct OpenLoopTests {
    @Test("after an early end what has no answer in time is unanswered: it has not failed, and it is not recorded")
    func unanswered() async throws {
        let end = EarlyEnd()
        let recorded = Mutex<[Int]>([])
        let begun = Mutex(0)
        var loop = OpenLoop(plan: try .constant(perSecond: 100, for: .minutes(1)))
        loop.patience = .milliseconds(300)
        let outcome = await loop.run(endingWith: end) { _, _, _ in
        } request: { number, _ in
            begun.withLock { $0 += 1 }
            if number == 20 { _ = end.ask(.interrupted) }
            // Even numbers are answered; the others wait until they are cancelled, and then complete at once.
            if !number.isMultiple(of: 2) { try? await Task.sleep(for: .seconds(60)) }
            return number
        } record: { number in
            recorded.withLock { $0.append(number) }
        }
        let mark = try #require(outcome.earlyEnd)
        let answered = recorded.withLock { $0 }
        #expect(answered.allSatisfy { $0.isMultiple(of: 2) } && answered.count >= 11)
        #expect(mark.unanswered == begun.withLock { $0 } - answered.count)
        #expect(mark.ran < .seconds(30))
    }

    @Test("a look is told how many requests that were due have no answer", .timeLimit(.minutes(1)))
    func open() async throws {
        let told = Mutex(0)
        let loop = OpenLoop(plan: try .constant(perSecond: 100, for: .milliseconds(1500)))
        _ = await loop.run(endingWith: EarlyEnd()) { _, open, _ in
            told.withLock { $0 = max($0, open) }
        } request: { _, _ in
            // Nothing is answered before the first look.
            while told.withLock({ $0 }) == 0 { try? await Task.sleep(for: .milliseconds(20)) }
        } record: { _ in
        }
        #expect(told.withLock { $0 } >= 20)
    }

    @Test("a look may take its time: no request is begun later for it")
    func slowLook() async throws {
        let looks = Mutex(0)
        let loop = OpenLoop(plan: try .constant(perSecond: 200, for: .seconds(3)))
        var latest: [Duration] = []
        // Other tests may keep every processor busy for as long: a request that waits for the look does so each time.
        while latest.count < 3, latest.last.map({ $0 >= .seconds(3) }) ?? true {
            let outcome = await loop.run(endingWith: EarlyEnd()) { _, _, _ in
                looks.withLock { $0 += 1 }
                Thread.sleep(forTimeInterval: 4)
            } request: { _, _ in
            } record: { _ in
            }
            latest.append(outcome.latestStart)
        }
        #expect(looks.withLock { $0 } >= latest.count)
        #expect(latest.contains { $0 < .seconds(3) }, "\(latest)")
    }
}
