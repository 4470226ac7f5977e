import Evaluation
import NIOCore
import Quantities
import Reporting
import Testing

@testable import LoadCommands
@testable import LoadGenerator

@Suite("The search for the limit of an endpoint")
struct LoadLimitTests {
    private static func schedule(perSecond: Double) throws -> LoadSchedule {
        LoadSchedule(.open(try .constant(perSecond: perSecond, for: .seconds(2))))
    }

    /// The results of an endpoint that answers within 10 ms up to its capacity, and only half of the requests above it.
    static func trial(_ schedule: LoadSchedule, capacity: Double) throws -> LoadAPNsOutcome {
        guard let plan = schedule.plan else { return .nothing(sent: []) }
        var tally = LoadTally()
        let isWithin = plan.rate(at: .zero) <= capacity
        for number: UInt64 in 0..<100 {
            let due = NIODeadline.uptimeNanoseconds(1_000_000_000)
            tally.record(
                APNsCompletion(
                    number: number,
                    outcome: isWithin || number.isMultiple(of: 2) ? .answered(APNsAnswer(status: 200)) : .timedOut,
                    due: due,
                    sent: due,
                    done: due + .milliseconds(10)
                ),
                dueAfter: 0,
                isRetry: false,
                firstDue: due
            )
        }
        return LoadAPNsOutcome(tally: tally, duration: .seconds(2), warmUp: .zero, connections: nil, plan: plan)
    }

    @Test("The search ends at most a tenth below the capacity, prints each trial, and keeps the best")
    func limit() async throws {
        let found = try await LoadAPNsOutcome.atLimit(of: Self.schedule(perSecond: 100), thresholds: []) {
            try Self.trial($0, capacity: 1000)
        }
        let held = found.trials.filter(\.holds).map(\.rate)
        #expect(found.trials.prefix(5).map(\.rate) == [100, 200, 400, 800, 1600])
        #expect(found.trials.allSatisfy { $0.holds == ($0.rate <= 1000) })
        #expect((1000 / 1.1...1000).contains(held.max() ?? 0))
        #expect(found.plan?.rate(at: .zero) == held.max())
        #expect(found.trials.first?.percentile99 == 10_000)
    }

    @Test("A threshold decides instead of the usual limits; if no rate holds, the first trial is shown")
    func thresholds() async throws {
        let strict = [try Check(parsing: "request_latency_us.p99 < 5ms")]
        let found = try await LoadAPNsOutcome.atLimit(of: Self.schedule(perSecond: 4), thresholds: strict) {
            try Self.trial($0, capacity: 1000)
        }
        #expect(found.trials.map(\.rate) == [4, 2, 1])
        #expect(!found.trials.contains { $0.holds })
        #expect(found.plan?.rate(at: .zero) == 4)
    }

    @Test("A search that is ended early keeps its complete trials and discards the current one")
    func endedEarly() async throws {
        func found(cutting last: Int) async throws -> LoadAPNsOutcome {
            var count = 0
            return try await LoadAPNsOutcome.atLimit(of: Self.schedule(perSecond: 100), thresholds: []) { schedule in
                count += 1
                var outcome = try Self.trial(schedule, capacity: 1000)
                if count == last {
                    outcome.earlyEnd = EarlyEndMark(
                        cause: .interrupted,
                        ran: .milliseconds(500),
                        planned: .seconds(2),
                        unanswered: 7
                    )
                }
                return outcome
            }
        }
        let third = try await found(cutting: 3)
        #expect(third.trials.map(\.rate) == [100, 200] && third.plan?.rate(at: .zero) == 200)
        let mark = try #require(third.earlyEnd)
        #expect(mark.trials == 2 && mark.planned == nil && mark.unanswered == nil && mark.ran == .milliseconds(4500))
        #expect(
            mark.sentence.hasPrefix("Search ended early by Ctrl-C after 4.50 s and 2 whole trials; "),
            "\(mark.sentence)"
        )
        // Without a complete trial, the first one is kept in part.
        let first = try await found(cutting: 1)
        #expect(first.trials.isEmpty && first.earlyEnd?.planned == .seconds(2) && first.earlyEnd?.unanswered == 7)
    }

    @Test("Without a rate there is no search: the load runs once")
    func closed() async throws {
        var trials = 0
        let schedule = LoadSchedule(.closed(concurrency: 2, duration: .seconds(1)))
        let found = try await LoadAPNsOutcome.atLimit(of: schedule, thresholds: []) { _ in
            trials += 1
            return .nothing(sent: [])
        }
        #expect(trials == 1 && found.trials.isEmpty)
    }
}
