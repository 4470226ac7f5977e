import APNsStandIn
import Experiments
import NIOCore
import Quantities
import Reporting
import Shell
import Testing

@testable import LoadCommands
@testable import LoadGenerator

@Suite("Successive loads on an endpoint")
struct LoadAPNsSessionTests {
    private static func load(perSecond: Double) throws -> PushLoad {
        PushLoad(arrivals: .open(try .constant(perSecond: perSecond, for: .seconds(2))), tokens: 10)
    }

    private static func session(port: Int) -> LoadAPNsSession {
        LoadAPNsSession(
            endpoint: APNsEndpoint(host: "127.0.0.1", port: port, trust: .unchecked),
            provider: nil,
            configuration: APNsPoolConfiguration(connections: 2, lanes: 1),
            showsProgress: false
        )
    }

    /// The results of an endpoint that answers within 10 ms up to its capacity, and only half of the requests above it.
    private static func trial(_ load: PushLoad, capacity: Double) throws -> LoadAPNsOutcome {
        guard case .open(let plan, _) = load.arrivals else { return .nothing(sent: []) }
        var tally = PushTally()
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
        let found = try await LoadAPNsSession.findLimit(Self.load(perSecond: 100), thresholds: []) {
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
        let found = try await LoadAPNsSession.findLimit(Self.load(perSecond: 4), thresholds: strict) {
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
            return try await LoadAPNsSession.findLimit(Self.load(perSecond: 100), thresholds: []) { load in
                count += 1
                var outcome = try Self.trial(load, capacity: 1000)
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
        let load = PushLoad(arrivals: .closed(concurrency: 2, duration: .seconds(1)))
        let found = try await LoadAPNsSession.findLimit(load, thresholds: []) { _ in
            trials += 1
            return .nothing(sent: [])
        }
        #expect(trials == 1 && found.trials.isEmpty)
    }

    @Test(
        "A progress line states the plan, the answers and the requests in flight; quantiles include the requests in flight"
    )
    func progress() throws {
        let load = try Self.load(perSecond: 100)
        var progress = PushLoadRun.Progress(
            elapsed: .seconds(1),
            tally: try Self.trial(load, capacity: 1).tally,
            waiting: 7,
            inFlight: 3,
            connections: APNsPoolNotes()
        )
        func line() -> String { LoadAPNsSession.line(progress, load, answered: 50, in: .milliseconds(500)) }
        #expect(line() == "1 s  100 of 100 /s  p99 ≥ 10 ms  10 in flight  50 errors")
        // Half of the requests have timed out, and they count as the slowest.
        (progress.waiting, progress.inFlight) = (0, 0)
        #expect(line() == "1 s  100 of 100 /s  p50 10 ms  p99 ≥ 10 ms  0 in flight  50 errors")
        progress.tally = try Self.trial(load, capacity: 1000).tally
        #expect(line() == "1 s  100 of 100 /s  p50 10 ms  p99 10 ms  0 in flight  0 errors")
    }

    @Test("A rate below one per second has decimals")
    func slowLine() throws {
        let load = try Self.load(perSecond: 0.5)
        let progress = PushLoadRun.Progress(
            elapsed: .seconds(1),
            tally: try Self.trial(load, capacity: 1).tally,
            waiting: 0,
            inFlight: 0,
            connections: APNsPoolNotes()
        )
        let line = LoadAPNsSession.line(progress, load, answered: 1, in: .seconds(2))
        #expect(line.hasPrefix("1 s  0.50 of 0.50 /s  "), "\(line)")
    }

    /// Timeouts are no answers, requests without an answer have no latency, and after the last push there is no planned rate.
    @Test("If nothing is answered, the line says so, and later that the last answers are late")
    func silentLine() throws {
        let load = try Self.load(perSecond: 100)
        var tally = PushTally()
        let due = NIODeadline.uptimeNanoseconds(1_000_000_000)
        let completion = APNsCompletion(number: 0, outcome: .timedOut, due: due, sent: due, done: due + .seconds(2))
        tally.record(completion, dueAfter: 0, isRetry: false, firstDue: due)
        let progress = PushLoadRun.Progress(
            elapsed: load.duration + .seconds(1),
            tally: tally,
            waiting: 0,
            inFlight: 3,
            connections: APNsPoolNotes()
        )
        #expect(
            LoadAPNsSession.line(progress, load, answered: 0, in: .seconds(1))
                .hasSuffix(
                    "s  0/s, late  p50 –  p99 –  3 in flight  1 errors"
                )
        )
    }

    @Test("The line of a large load fits 80 columns; before the first measurement it says so")
    func longLine() throws {
        var load = try Self.load(perSecond: 1_999_999)
        let trial = try Self.trial(load, capacity: 1)
        var progress = PushLoadRun.Progress(
            elapsed: .seconds(86_399),
            tally: trial.tally,
            waiting: 999_999,
            inFlight: 999_999,
            connections: APNsPoolNotes()
        )
        let line = LoadAPNsSession.line(progress, load, answered: 1_999_999, in: .seconds(1))
        // Longer latencies and a million errors need eight more columns.
        #expect(line.count + 8 <= ProgressLine.width, "\(line)")
        load.warmUp = .seconds(10)
        progress.tally = PushTally()
        progress.elapsed = .milliseconds(1700)
        #expect(
            LoadAPNsSession.line(progress, load, answered: 0, in: .seconds(1))
                == "1 s  2.00M in flight, nothing measured yet"
        )
    }

    @Test("Every push of the plan has its answer; a missing server is a temporary failure")
    func endpoint() async throws {
        let standIn = try await StandIn.start(StandInConfiguration(identity: try .throwAway()))
        let session = Self.session(port: standIn.port)
        let load = PushLoad(arrivals: .open(try .constant(perSecond: 200, for: .milliseconds(500))), tokens: 10)
        let outcome = try await session.run(load)
        #expect(outcome.tally.requests == 100)
        #expect(outcome.tally.learnt.answered == 100, "\(outcome.tally.statuses) \(outcome.tally.learnt.reasons)")
        #expect(outcome.connections?.connections == 2)
        #expect(outcome.plan?.total == 100)
        await standIn.stop()
        var impatient = session
        impatient.patience = .milliseconds(200)
        await #expect(throws: Failure.temporary) { try await impatient.run(load) }
    }
}
