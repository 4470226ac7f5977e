import Evaluation
import NIOCore
import Quantities
import Reporting
import Results
import Testing
import Wire

@testable import LoadCommands
@testable import LoadGenerator

@Suite("Results of a load on an endpoint")
struct LoadAPNsOutcomeTests {
    /// Seven requests in two seconds, with each outcome and one retry.
    private static var tally: LoadTally {
        var tally = LoadTally()
        func record(
            _ milliseconds: Int64,
            _ outcome: APNsOutcome,
            sentAfter: Int64? = 0,
            took: Int64,
            firstDue: Int64? = nil
        ) {
            let due = NIODeadline.uptimeNanoseconds(1_000_000_000) + .milliseconds(milliseconds)
            tally.record(
                APNsCompletion(
                    number: 0,
                    outcome: outcome,
                    due: due,
                    sent: sentAfter.map { due + .microseconds($0) },
                    done: due + .microseconds(took)
                ),
                dueAfter: milliseconds * 1_000_000,
                isRetry: firstDue != nil,
                firstDue: firstDue.map { due - .milliseconds(milliseconds - $0) } ?? due
            )
        }
        record(0, .answered(APNsAnswer(status: 200)), sentAfter: 10, took: 100)
        record(333, .answered(APNsAnswer(status: 429, reason: "TooManyRequests")), sentAfter: 20, took: 200)
        record(334, .answered(APNsAnswer(status: 200)), took: 60, firstDue: 333)
        record(666, .timedOut, took: 1500)
        record(1000, .connectionLost, took: 700)
        record(1333, .notProcessed, sentAfter: nil, took: 700)
        // A proxy's response, without a reason.
        record(1666, .answered(APNsAnswer(status: 410)), took: 150)
        tally.givenUp += 1
        tally.givenUp += 1
        tally.withheld += 1
        let due = NIODeadline.uptimeNanoseconds(0)
        for wait in Int64(1)...4 { tally.recordNotAccepted(from: due, to: due + .milliseconds(wait)) }
        return tally
    }

    private static func outcome(warmUp: TimeSpan = .zero) throws -> LoadAPNsOutcome {
        var connections = APNsPoolNotes()
        connections.connections = 3
        connections.lostConnections = 2
        connections.goAways = 1
        connections.lastGoAwayReason = "IdleTimeout"
        return LoadAPNsOutcome(
            tally: tally,
            duration: .seconds(2),
            warmUp: warmUp,
            connections: connections,
            plan: try .constant(perSecond: 3, for: .seconds(2))
        )
    }

    @Test("A load without any answer says so; a load with answers or without requests does not")
    func silence() throws {
        #expect(try Self.outcome().silence == nil)
        #expect(LoadAPNsOutcome.nothing(sent: []).silence == nil)
        var tally = LoadTally()
        for (outcome, count) in [(APNsOutcome.timedOut, 3), (.notSent, 4), (.connectionLost, 2), (.notProcessed, 1)] {
            for _ in 0..<count {
                let due = NIODeadline.uptimeNanoseconds(1_000_000_000)
                let completion = APNsCompletion(number: 0, outcome: outcome, due: due, sent: nil, done: due)
                tally.record(completion, dueAfter: 0, isRetry: false, firstDue: due)
            }
        }
        var notes = APNsPoolNotes()
        notes.lastError = "connection refused"
        #expect(
            LoadAPNsOutcome(tally: tally, connections: notes).silence
                == "none of 10 requests was answered: 3 timed out, 4 never sent, 2 lost with their connection, 1 not processed; "
                + "connection refused"
        )
    }

    @Test("Rows, windows, chart and notes distinguish requests never sent from requests without an answer")
    func notSent() throws {
        var tally = LoadTally()
        for (number, outcome) in [APNsOutcome.answered(APNsAnswer(status: 200)), .timedOut, .notSent, .notSent]
            .enumerated()
        {
            let due = NIODeadline.uptimeNanoseconds(1_000_000_000)
            let completion = APNsCompletion(number: 0, outcome: outcome, due: due, sent: nil, done: due)
            tally.record(completion, dueAfter: 0, isRetry: number == 3, firstDue: due)
        }
        let outcome = LoadAPNsOutcome(tally: tally, duration: .seconds(1))
        let rows = outcome.rows.map(\.text)
        for row in [
            "pushes_sent_count{all}.total = 2 count", "pushes_sent_count{kind:update}.total = 2 count",
            "pushes_sent_count{kind:retry}.total = 0 count", "apns_response_missing_count{all}.total = 3 count",
            "apns_response_missing_count{why:timed_out}.total = 1 count",
            "apns_response_missing_count{why:not_sent}.total = 2 count", "errors_ratio{all}.ratio = 0.75 1",
        ] { #expect(rows.contains(row), "\(row)") }
        var results = LoadReport(load: "load apns", seed: 1, settings: [], rows: [])
        outcome.describe(&results)
        #expect(results.series.windows.map { Array($0.values.prefix(7)) } == [[nil, 2, 1, 0, 3, 2, 1]])
        let course = try #require(results.course)
        #expect(
            course.outcomes == [
                "accepted", "no answer in time", "not sent in time", "connection lost", "not processed",
            ]
        )
        #expect(course.windows.map(\.outcomes) == [[1, 1, 2, 0, 0]])
        #expect(results.notes.contains { $0.hasPrefix("Never sent: 2 of 4 requests.") })
    }

    /// Otherwise every planned rate would count as kept if the generator waits long enough for answers.
    @Test("Answers after the last push do not count in the rate")
    func rate() throws {
        var tally = LoadTally()
        // Twenty pushes in two seconds; the endpoint answers five per second.
        for push in Int64(0)..<20 { tally.recordAnswer(dueAfter: 100 * push, took: 100 * push) }
        var outcome = LoadAPNsOutcome(tally: tally, duration: .seconds(2))
        #expect(outcome.answersPerSecond == 5)
        // The first second after a warm-up lacks the answers to pushes of the warm-up.
        (outcome.duration, outcome.warmUp) = (.seconds(3), .seconds(1))
        #expect(outcome.answersPerSecond == 5)
        // Without a whole second, the rate is all answers over the time.
        (outcome.duration, outcome.warmUp) = (.milliseconds(500), .zero)
        #expect(outcome.answersPerSecond == 40)
    }

    @Test("Each count is in its row, and latencies are of answered requests")
    func rows() throws {
        #expect(
            try Self.outcome().rows.map(\.text) == [
                "pushes_sent_count{all}.total = 7 count", "pushes_sent_count{kind:update}.total = 6 count",
                "pushes_sent_count{kind:retry}.total = 1 count", "pushes_given_up_count{all}.total = 2 count",
                "repeats_withheld_count{all}.total = 1 count", "pushes_not_accepted_count{all}.total = 4 count",
                "apns_response_count{all}.total = 4 count",
                "apns_response_count{status:200}.total = 2 count", "apns_response_count{status:410}.total = 1 count",
                "apns_response_count{status:429}.total = 1 count",
                "apns_response_count{reason:TooManyRequests}.total = 1 count",
                "apns_response_count{reason:unknown}.total = 1 count",
                "apns_response_missing_count{all}.total = 3 count",
                "apns_response_missing_count{why:timed_out}.total = 1 count",
                "apns_response_missing_count{why:not_sent}.total = 0 count",
                "apns_response_missing_count{why:connection_lost}.total = 1 count",
                "unanswered_wait_us{all}.min = 700 us", "unanswered_wait_us{all}.max = 1500 us",
                "not_accepted_wait_us{all}.min = 1000 us", "not_accepted_wait_us{all}.max = 4000 us",
                "apns_response_missing_count{why:not_processed}.total = 1 count",
                "requests_per_second{all}.mean = 2.0 1/s", "requests_asked_per_second{all}.mean = 3.0 1/s",
                "errors_ratio{all}.ratio = \(5.0 / 7.0) 1", "connections_made_count{all}.total = 3 count",
                "connections_lost_count{all}.total = 2 count", "goaways_count{all}.total = 1 count",
                "push_latency_us{all}.mean = 580.0 us", "push_latency_us{all}.p50 = 100 us",
                "push_latency_us{all}.p95 = 1060 us", "push_latency_us{all}.p99 = 1060 us",
                "push_latency_us{all}.p999 = 1060 us", "push_latency_us{all}.max = 1060 us",
                "request_latency_us{all}.mean = 127.5 us", "request_latency_us{all}.p50 = 100 us",
                "request_latency_us{all}.p95 = 200 us", "request_latency_us{all}.p99 = 200 us",
                "request_latency_us{all}.p999 = 200 us", "request_latency_us{all}.max = 200 us",
                "send_time_us{all}.mean = 120.0 us", "send_time_us{all}.p50 = 90 us",
                "send_time_us{all}.p95 = 180 us", "send_time_us{all}.p99 = 180 us",
                "send_time_us{all}.p999 = 180 us", "send_time_us{all}.max = 180 us",
                "send_wait_us{all}.mean = 5.0 us", "send_wait_us{all}.p50 = 0 us",
                "send_wait_us{all}.p95 = 20 us", "send_wait_us{all}.p99 = 20 us",
                "send_wait_us{all}.p999 = 20 us", "send_wait_us{all}.max = 20 us",
            ]
        )
    }

    @Test("Kinds that were counted elsewhere replace first attempts and retries")
    func kinds() throws {
        var outcome = try Self.outcome()
        outcome.kinds = [("start", 2), ("end", 5)]
        let kinds = outcome.rows.filter { $0.scope.hasPrefix("kind:") }
        #expect(
            kinds.map(\.text) == [
                "pushes_sent_count{kind:start}.total = 2 count", "pushes_sent_count{kind:end}.total = 5 count",
            ]
        )
    }

    @Test("Without an answer the rows are there, with neither rate nor share nor latency")
    func nothing() throws {
        let rows = LoadAPNsOutcome.nothing(sent: []).rows
        let undefined = rows.filter { $0.value == nil }
        #expect(
            Set(undefined.map(\.metric)) == [
                "errors_ratio", "not_accepted_wait_us", "push_latency_us", "request_latency_us",
                "requests_asked_per_second", "requests_per_second", "send_time_us", "send_wait_us",
                "unanswered_wait_us",
            ]
        )
        #expect(rows.filter { $0.value != nil }.allSatisfy { $0.value == .integer(0) })
        // The other rows of a load are of its answers.
        let answers = ["status:200", "status:410", "status:429", "reason:TooManyRequests", "reason:unknown"]
        let names = try Self.outcome().rows.filter { !answers.contains($0.scope) }
            .map { "\($0.metric){\($0.scope)}.\($0.stat)" }
        #expect(rows.map { "\($0.metric){\($0.scope)}.\($0.stat)" } == names)
        // Netmera calls: connections are not counted.
        #expect(!LoadAPNsOutcome.nothing(sent: ["update"]).rows.contains { $0.metric == "connections_made_count" })
    }

    @Test("A threshold may name statuses and reasons that no answer had, also a proxy's status")
    func absent() throws {
        let asked = [
            "apns_response_count{status:502} == 0", "apns_response_count{status:429} < 5", "errors_ratio < 1%",
        ]
        let rows = try Self.outcome().absentRows(asked: asked)
        #expect(rows.allSatisfy { $0.metric == "apns_response_count" && $0.stat == "total" && $0.value == .integer(0) })
        let given = ["TooManyRequests"]
        let statuses = Set(APNsResponseReason.allCases.map(\.status)).union([502]).subtracting([200, 410, 429])
        #expect(
            rows.map(\.scope)
                == statuses.sorted().map { "status:\($0)" }
                + APNsResponseReason.allCases.map(\.text).filter { !given.contains($0) }.map { "reason:\($0)" }
        )
    }

    @Test("Seconds have the requests due in them, histograms have each latency, and notes have the explanations")
    func description() throws {
        var outcome = try Self.outcome()
        outcome.remarks = ["A remark."]
        outcome.trials = [
            LoadAPNsOutcome.Trial(rate: 1000, done: 999.5, percentile99: 300, holds: true),
            LoadAPNsOutcome.Trial(rate: 2000, done: 1500, percentile99: 9000, holds: false),
        ]
        var results = LoadReport(load: "load apns", seed: 1, settings: [], rows: [])
        outcome.describe(&results)
        #expect(
            results.series.columns == [
                "pushes_asked_count", "pushes_sent_count", "responses_accepted_count", "responses_refused_count",
                "responses_missing_count", "pushes_not_sent_count", "answers_count", "request_latency_p50_us",
                "request_latency_p99_us", "request_latency_max_us",
            ]
        )
        #expect(results.series.windows.map { [$0.start, $0.length] } == [[0, 1_000_000], [1_000_000, 1_000_000]])
        #expect(
            results.series.windows.map(\.values) == [
                [3, 4, 2, 1, 1, 0, 3, 100, 200, 200], [3, 3, 0, 1, 2, 0, 1, 150, 150, 150],
            ]
        )
        #expect(
            results.histograms.map(\.metric)
                == ["push_latency_us", "request_latency_us", "send_time_us", "send_wait_us"]
        )
        let buckets = results.histograms.map { histogram in
            histogram.buckets.map { [$0.low, $0.high, Double($0.weight)] }
        }
        #expect(
            buckets == [
                [[100, 100, 1], [1060, 1060, 1]], [[60, 60, 1], [100, 100, 1], [150, 150, 1], [200, 200, 1]],
                [[60, 60, 1], [90, 90, 1], [150, 150, 1], [180, 180, 1]], [[0, 0, 4], [10, 10, 1], [20, 20, 1]],
            ]
        )
        #expect(results.notes.first?.hasPrefix("Latency counts from the instant at which a request was due") == true)
        #expect(
            results.notes.dropFirst() == [
                "A remark.", "The last GOAWAY gave the reason IdleTimeout.",
                """
                The search:

                - 1000/s asked: 999/s answered, p99 300 µs, holds
                - 2000/s asked: 1500/s answered, p99 9 ms, does not hold
                """,
            ]
        )
    }

    @Test("No window has requests of the warm-up, and the window in which it ends begins at its end")
    func warmUp() throws {
        let outcome = try Self.outcome(warmUp: .milliseconds(500))
        #expect(outcome.windows.map { [$0.start, $0.length] } == [[500_000, 500_000], [1_000_000, 1_000_000]])
        #expect(outcome.windows.map(\.asked) == [1, 3])
        #expect(outcome.answersPerSecond == 4 / 1.5)
        var results = LoadReport(load: "load apns", seed: 1, settings: [], rows: [])
        outcome.describe(&results)
        #expect(results.notes.contains("Requests due in the first 500 ms are not measured."))
    }

    @Test(
        "A lost request belongs to the second in which it was due, in the chart of outcomes and in the rate of answers"
    )
    func lost() throws {
        var tally = LoadTally()
        tally.recordAnswer(dueAfter: 100, took: 50)
        tally.record(.timedOut, dueAfter: 1100, took: 5000)
        tally.recordAnswer(dueAfter: 2100, took: 1000)
        let outcome = LoadAPNsOutcome(tally: tally, duration: .seconds(3))
        let course = outcome.course(outcome.windows)
        #expect(course.countsByDueTime)
        #expect(course.windows.map { Array($0.outcomes.prefix(2)) }.prefix(3) == [[1, 0], [0, 1], [1, 0]])
        #expect(course.windows.map(\.done).prefix(4) == [1, 0, 0, 1])
        #expect(course.windows.map { $0.outcomes.reduce(0, +) }.reduce(0, +) == 3)
    }

    @Test("After an early end no more requests are due, however long the last answers take")
    func earlyEnd() throws {
        func asked(after ran: TimeSpan) throws -> [Int?] {
            var tally = LoadTally()
            // The response to the last request arrives in the fourth second.
            tally.recordAnswer(dueAfter: 1200, took: 2500)
            let outcome = LoadAPNsOutcome(
                tally: tally,
                duration: ran,
                warmUp: .zero,
                connections: nil,
                plan: try .constant(perSecond: 10, for: .seconds(60)),
                earlyEnd: EarlyEndMark(cause: .interrupted, ran: ran, planned: .seconds(60))
            )
            return outcome.course(outcome.windows).windows.map(\.asked)
        }
        #expect(try asked(after: .milliseconds(1300)) == [10, 3, nil, nil])
    }
}

extension LoadTally {
    /// Records an accepted push, by its due time since the beginning of the load and its latency [ms].
    fileprivate mutating func recordAnswer(dueAfter milliseconds: Int64, took: Int64) {
        record(.answered(APNsAnswer(status: 200)), dueAfter: milliseconds, took: took)
    }

    fileprivate mutating func record(_ outcome: APNsOutcome, dueAfter milliseconds: Int64, took: Int64) {
        let due = NIODeadline.uptimeNanoseconds(1_000_000_000) + .milliseconds(milliseconds)
        let completion = APNsCompletion(
            number: 0,
            outcome: outcome,
            due: due,
            sent: due,
            done: due + .milliseconds(took)
        )
        record(completion, dueAfter: milliseconds * 1_000_000, isRetry: false, firstDue: due)
    }
}
