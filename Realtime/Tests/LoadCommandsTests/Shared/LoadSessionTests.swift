import APNsStandIn
import NIOCore
import Quantities
import Reporting
import ScenarioLanguage
import Shell
import TestSupport
import Testing

@testable import LoadCommands
@testable import LoadGenerator
@testable import ServiceLoad

@Suite("A load with its progress")
struct LoadSessionTests {
    private static func schedule(perSecond: Double) throws -> LoadSchedule {
        LoadSchedule(.open(try .constant(perSecond: perSecond, for: .seconds(2))))
    }

    @Test(
        "A progress line states the plan, the answers and the requests in flight; quantiles include the requests in flight"
    )
    func progress() throws {
        let schedule = try Self.schedule(perSecond: 100)
        var progress = LoadProgress(
            elapsed: .seconds(1),
            tally: try LoadLimitTests.trial(schedule, capacity: 1).tally,
            waiting: 7,
            inFlight: 3
        )
        func line() -> String { LoadSession.line(progress, schedule, answered: 50, in: .milliseconds(500)) }
        #expect(line() == "1 s  100 of 100 /s  p99 ≥ 10 ms  10 in flight  50 errors")
        // Half of the requests have timed out, and they count as the slowest.
        (progress.waiting, progress.inFlight) = (0, 0)
        #expect(line() == "1 s  100 of 100 /s  p50 10 ms  p99 ≥ 10 ms  0 in flight  50 errors")
        progress.tally = try LoadLimitTests.trial(schedule, capacity: 1000).tally
        #expect(line() == "1 s  100 of 100 /s  p50 10 ms  p99 10 ms  0 in flight  0 errors")
    }

    @Test("During an outage, the bound in the line is at least the wait so far of the request at the quantile")
    func outage() throws {
        let schedule = try Self.schedule(perSecond: 100)
        var progress = LoadProgress(
            elapsed: .seconds(8),
            tally: try LoadLimitTests.trial(schedule, capacity: 1000).tally,
            inFlight: 100
        )
        // One request each 50 ms for 5 s; the 98th of the 100 without an answer, from the youngest, was due after 3.1 s.
        for number in Int64(0)..<100 { progress.unfinished.add(3_000_000 + number * 50_000) }
        func line() -> String { LoadSession.line(progress, schedule, answered: 0, in: .seconds(1)) }
        #expect(line().contains("  p99 ≥ 4.80 s  100 in flight"), "\(line())")
        // The requests given up have waited longer.
        let due = NIODeadline.uptimeNanoseconds(1_000_000_000)
        for _ in 0..<10 {
            let completion = APNsCompletion(number: 0, outcome: .timedOut, due: due, sent: due, done: due + .seconds(6))
            progress.tally.record(completion, dueAfter: 0)
        }
        #expect(line().contains("  p99 ≥ 6 s  100 in flight"), "\(line())")
    }

    @Test("The warm-up does not count as time without answers")
    func warmUp() throws {
        var schedule = try Self.schedule(perSecond: 100)
        schedule.warmUp = .seconds(1)
        let progress = LoadProgress(
            elapsed: .milliseconds(1500),
            tally: try LoadLimitTests.trial(schedule, capacity: 1000).tally
        )
        let line = LoadSession.line(progress, schedule, answered: 50, in: .milliseconds(1500))
        #expect(line.hasPrefix("1 s  100 of 100 /s  "), "\(line)")
    }

    @Test("A rate below one per second has decimals")
    func slowLine() throws {
        let schedule = try Self.schedule(perSecond: 0.5)
        let progress = LoadProgress(
            elapsed: .seconds(1),
            tally: try LoadLimitTests.trial(schedule, capacity: 1).tally
        )
        let line = LoadSession.line(progress, schedule, answered: 1, in: .seconds(2))
        #expect(line.hasPrefix("1 s  0.50 of 0.50 /s  "), "\(line)")
    }

    /// Timeouts are no answers, requests without an answer have no latency, and after the last push there is no planned rate.
    @Test("If nothing is answered, the line says so, and after the last push that the load drains")
    func silentLine() throws {
        let schedule = try Self.schedule(perSecond: 100)
        var tally = LoadTally()
        let due = NIODeadline.uptimeNanoseconds(1_000_000_000)
        let completion = APNsCompletion(number: 0, outcome: .timedOut, due: due, sent: due, done: due + .seconds(2))
        tally.record(completion, dueAfter: 0, isRetry: false, firstDue: due)
        let progress = LoadProgress(
            elapsed: schedule.duration + .seconds(1),
            tally: tally,
            inFlight: 3
        )
        #expect(
            LoadSession.line(progress, schedule, answered: 0, in: .seconds(1))
                .hasSuffix(
                    "s  0/s, draining  p50 –  p99 –  3 in flight  1 errors"
                )
        )
    }

    @Test("The line of a large load fits 80 columns; before the first measurement it says so")
    func longLine() throws {
        var schedule = try Self.schedule(perSecond: 1_999_999)
        let trial = try LoadLimitTests.trial(schedule, capacity: 1)
        var progress = LoadProgress(
            elapsed: .seconds(86_399),
            tally: trial.tally,
            waiting: 999_999,
            inFlight: 999_999
        )
        let line = LoadSession.line(progress, schedule, answered: 1_999_999, in: .seconds(1))
        // Longer latencies and a million errors need eight more columns.
        #expect(line.count + 8 <= ProgressLine.width, "\(line)")
        schedule.warmUp = .seconds(10)
        progress.tally = LoadTally()
        progress.elapsed = .milliseconds(1700)
        #expect(
            LoadSession.line(progress, schedule, answered: 0, in: .seconds(1))
                == "1 s  2.00M in flight, nothing measured yet"
        )
    }

    /// The load of a monitor or a gateway, whose clients wait for connections that cannot be opened.
    @Test("Requests that cannot be sent count as errors, so the line of a load against nothing advances")
    func lineAgainstNothing() throws {
        let schedule = try Self.schedule(perSecond: 100)
        var tally = LoadTally()
        let due = NIODeadline.uptimeNanoseconds(1_000_000_000)
        for _ in 0..<500 {
            let completion = APNsCompletion(number: 0, outcome: .notSent, due: due, sent: nil, done: due)
            tally.record(completion, dueAfter: 0)
        }
        let progress = LoadProgress(elapsed: .seconds(1), tally: tally)
        #expect(
            LoadSession.line(progress, schedule, answered: 0, in: .seconds(1))
                == "1 s  0 of 100 /s  p50 –  p99 –  0 in flight  500 errors"
        )
    }

    @Test("Every push of the plan has its answer; a missing server is a temporary failure")
    func endpoint() async throws {
        let standIn = try await StandIn.start(StandInConfiguration(identity: try .throwAway()))
        let schedule = LoadSchedule(.open(try .constant(perSecond: 200, for: .milliseconds(500))))
        var load = EndpointLoad(
            pushes: PushLoad(schedule, tokens: 10),
            endpoint: APNsEndpoint(host: "127.0.0.1", port: standIn.port, trust: .unchecked),
            provider: nil,
            configuration: APNsPoolConfiguration(connections: 2, lanes: 1),
            showsProgress: false
        )
        let outcome = LoadAPNsOutcome(try await LoadSession(load: load, showsProgress: false).run(), of: schedule)
        #expect(outcome.tally.requests == 100)
        #expect(outcome.tally.learnt.answered == 100, "\(outcome.tally.statuses) \(outcome.tally.learnt.reasons)")
        #expect(outcome.connections?.connections == 2)
        #expect(outcome.plan?.total == 100)
        await standIn.stop()
        load.patience = .milliseconds(200)
        let impatient = LoadSession(load: load, showsProgress: false)
        await #expect(throws: Failure.temporary) { _ = try await impatient.run() }
    }

    @Test("Results of Netmera's calls have the names of a load on APNs; a rejected key is a temporary failure")
    func gateway() async throws {
        var configuration = StandInConfiguration(identity: try .throwAway())
        configuration.netmera = NetmeraConfiguration(port: 0, key: "secret")
        let standIn = try await StandIn.start(configuration)
        let schedule = LoadSchedule(.open(try .constant(perSecond: 100, for: .milliseconds(500))))
        func session(key: String) throws -> LoadSession {
            var load = NetmeraLoad(
                endpoint: "http://127.0.0.1:\(standIn.netmeraPort ?? 0)",
                key: key,
                schedule: schedule,
                operations: NetmeraOperations(groups: 5, seed: 1)
            )
            load.timeout = .seconds(Int64(Patience.seconds))
            load.connectionWait = load.timeout
            return LoadSession(load: load, showsProgress: false)
        }
        let outcome = LoadAPNsOutcome(try await session(key: "secret").run(), of: schedule)
        #expect(outcome.tally.statuses == [200: 50])
        #expect(outcome.kinds.map(\.name) == ["token", "start", "update", "end"])
        #expect(outcome.kinds.map(\.count).reduce(0, +) == 50)
        #expect(outcome.connections == nil && outcome.lateness == nil && outcome.remarks.count == 2)
        #expect(outcome.remarks.last?.hasSuffix("not sent because too many earlier calls were in flight: 0.") == true)
        await #expect(throws: Failure.temporary) { _ = try await session(key: "another").run() }
        await standIn.stop()
    }
}
