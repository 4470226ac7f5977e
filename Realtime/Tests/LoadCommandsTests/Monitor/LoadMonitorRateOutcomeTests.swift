import NIOCore
import Quantities
import Reporting
import Results
import ScenarioLanguage
import Shell
import Testing
import Wire

@testable import Evaluation
@testable import LoadCommands
@testable import LoadGenerator
@testable import ServiceLoad

@Suite("Results of a load on a monitor at a rate")
struct LoadMonitorRateOutcomeTests {
    private static var outcome: LoadMonitorRateOutcome {
        var tally = LoadTally.ofMonitor
        tally.record(.publish, .answered(APNsAnswer(monitor: 201)), microseconds: 1000, dueAfter: 0)
        tally.record(.publish, .answered(APNsAnswer(monitor: 201)), microseconds: 2000, dueAfter: 300_000_000)
        tally.record(.announce, .answered(APNsAnswer(monitor: 202)), microseconds: 1500, dueAfter: 600_000_000)
        tally.record(.announce, .answered(APNsAnswer(monitor: 409)), microseconds: 500, dueAfter: 900_000_000)
        tally.record(.announce, .answered(APNsAnswer(monitor: 503)), microseconds: 700, dueAfter: 1_200_000_000)
        tally.record(.announce, .timedOut, microseconds: 5_000_000, dueAfter: 1_500_000_000)
        tally.record(.read, .answered(APNsAnswer(monitor: 401)), microseconds: 300, dueAfter: 1_800_000_000)
        let due = NIODeadline.now()
        tally.recordLateness(from: due, to: due + .microseconds(2500))
        tally.record(.read, .notSent, microseconds: 5_000_000, dueAfter: 1_900_000_000)
        return LoadMonitorRateOutcome(tally: tally, span: .seconds(2), planned: 20)
    }

    @Test("A request that the monitor did not do is a failure")
    func failures() {
        let failing = [200, 201, 202, 204, 400, 401, 403, 404, 409, 413, 429, 500, 503, 507]
            .filter { !APNsAnswer(monitor: $0).isAccepted }
        #expect(failing == [400, 401, 403, 413, 429, 500, 503, 507])
        // One request was not sent, one had no response, one had a 503, one a 401.
        #expect(Self.outcome.failures == 4)
        #expect(Self.outcome.unauthorized == 1)
    }

    /// Otherwise a 409 would be a failure in the chart and none in the number above it.
    @Test("Numbers, time series and notes share one definition of a failure, and the notes say what a 409 means")
    func oneDefinition() throws {
        let outcome = Self.outcome
        var load = LoadReport(load: "load monitor --rate", seed: 1, settings: [], rows: outcome.rows)
        outcome.describe(&load, plan: try .constant(perSecond: 10, for: .seconds(2)))
        let course = try #require(load.course)
        let (ended, all) = (
            course.windows.map { $0.outcomes[0] }.reduce(0, +), course.windows.flatMap(\.outcomes).reduce(0, +)
        )
        #expect(all == 8 && all - ended == outcome.failures)
        #expect(!course.outcomes.contains("status 409"))
        #expect(load.notes.contains { $0.contains("409 (the instance is over)") })
        #expect(load.notes.contains { $0.contains("late by 2.5 ms at most") }, "\(load.notes)")
    }

    @Test("If all requests failed for one reason, it is named; without answers, latencies are a dash")
    func cause() throws {
        var tally = LoadTally.ofMonitor
        for _ in 0..<2 {
            tally.record(.publish, .notSent, microseconds: 0, dueAfter: 0)
            tally.note("connection refused")
        }
        var outcome = LoadMonitorRateOutcome(tally: tally, span: .seconds(2), planned: 20)
        #expect(outcome.tally.soleCause == "connection refused")
        #expect(outcome.table.contains("\npublish         0         –         –         –         –         –   "))
        var load = LoadReport(load: "load monitor --rate", seed: 1, settings: [], rows: outcome.rows)
        outcome.describe(&load, plan: try .constant(perSecond: 10, for: .seconds(2)))
        load.results.judge([], failures: outcome.failures, atMost: 0)
        #expect(load.hasFailures)
        let files = RunFiles(load).files
        let report = try #require(files.first { $0.path == "report.md" }).text
        #expect(
            report.contains(
                "✗ **1 threshold: 0 passed, 1 failed.** failed requests (--max-failures): 2, must be <= 0. "
                    + "All requests failed for one reason: connection refused."
            ),
            "\(report.prefix(300))"
        )
        let checks = try #require(files.first { $0.path == "checks.csv" }).text
        #expect(checks.contains("failed_requests <= 0,failed_requests,<=,0,count,2,,,1,,fails\n"), "\(checks)")
        tally.record(.read, .answered(APNsAnswer(monitor: 503)), microseconds: 300, dueAfter: 0)
        outcome = LoadMonitorRateOutcome(tally: tally, span: .seconds(2), planned: 20)
        #expect(outcome.tally.soleCause == nil)
        var refused = LoadTally.ofMonitor
        refused.record(.read, .answered(APNsAnswer(monitor: 401)), microseconds: 300, dueAfter: 0)
        #expect(refused.soleCause == "status 401")
    }

    @Test("The table has a line for each kind of request")
    func table() {
        #expect(
            Self.outcome.table == """
                request     count       p50       p95       p99     p99.9       max  [ms from when due]  statuses
                publish         2      1.00      2.00      2.00      2.00      2.00                      201: 2
                announce        4      0.70      1.50      1.50      1.50      1.50                      202: 1, 409: 1, \
                503: 1, no answer: 1
                read            1      0.30      0.30      0.30      0.30      0.30                      401: 1, not sent: 1
                3 answers/s of 10/s targeted; not sent: 1; the generator itself was late by 2.50 ms at most

                """
        )
    }

    /// Otherwise every planned rate would count as kept if the load waits long enough for answers.
    @Test("Answers after the last request do not count in the rate, as in a load on an endpoint")
    func rate() {
        var tally = LoadTally.ofMonitor
        // Twenty requests in two seconds; the monitor answers five per second.
        for number in Int64(0)..<20 {
            tally.record(
                .read,
                .answered(APNsAnswer(monitor: 200)),
                microseconds: 100_000 * number,
                dueAfter: 100_000_000 * number
            )
        }
        let outcome = LoadMonitorRateOutcome(tally: tally, span: .seconds(2), planned: 20)
        #expect(outcome.answersPerSecond == 5)
        #expect(outcome.rows.first { $0.metric == "requests_per_second" }?.value == .decimal(5))
        #expect(outcome.table.contains("\n5 answers/s of 10/s targeted;"))
    }

    /// Otherwise one request that is given up after seconds would distort the latencies of all answers.
    @Test("Requests without an answer have no latency, and the time series has all requests")
    func answersOnly() {
        let outcome = Self.outcome
        #expect(outcome.rows.first { $0.metric == "request_latency_us" && $0.stat == "max" }?.value == .integer(2000))
        #expect(outcome.tally.learnt.total == 8 && outcome.tally.learnt.notSent == 1)
    }

    @Test("The rows have the same values, under the names of a run with a scenario")
    func rows() {
        let rows = Self.outcome.rows
        let texts = rows.map { row in
            "\(row.scope) \(row.metric).\(row.stat) \(row.value?.double ?? -1) \(row.unit)"
        }
        #expect(
            Array(texts.prefix(8)) == [
                "all requests_asked_per_second.mean 10.0 1/s", "all requests_per_second.mean 3.0 1/s",
                "all errors_ratio.ratio 0.5 1", "all monitor_requests_count.total 7.0 count",
                "all monitor_response_missing_count.total 2.0 count",
                "why:timed_out monitor_response_missing_count.total 1.0 count",
                "why:not_sent monitor_response_missing_count.total 1.0 count",
                "why:connection_lost monitor_response_missing_count.total 0.0 count",
            ]
        )
        #expect(
            Array(texts.drop { !$0.hasPrefix("request:") }.prefix(12)) == [
                "request:publish monitor_requests_count.total 2.0 count",
                "request:publish request_latency_us.mean 1500.0 us", "request:publish request_latency_us.p50 1000.0 us",
                "request:publish request_latency_us.p95 2000.0 us", "request:publish request_latency_us.p99 2000.0 us",
                "request:publish request_latency_us.p999 2000.0 us", "request:publish request_latency_us.max 2000.0 us",
                "request:publish monitor_response_missing_count.total 0.0 count",
                "request:publish;why:not_sent monitor_response_missing_count.total 0.0 count",
                "request:publish unanswered_wait_us.min -1.0 us", "request:publish unanswered_wait_us.max -1.0 us",
                "request:publish;status:201 monitor_response_count.total 2.0 count",
            ]
        )
        #expect(
            texts.filter { $0.contains("status:") }.dropFirst() == [
                "request:announce;status:202 monitor_response_count.total 1.0 count",
                "request:announce;status:409 monitor_response_count.total 1.0 count",
                "request:announce;status:503 monitor_response_count.total 1.0 count",
                "request:read;status:401 monitor_response_count.total 1.0 count",
            ]
        )
    }

    @Test("A load that ends while it publishes tokens says that it sent no announcement")
    func withoutAnnouncement() throws {
        #expect(Self.outcome.withoutAnnouncement == nil)
        var tally = LoadTally.ofMonitor
        #expect(LoadMonitorRateOutcome(tally: tally, span: .seconds(2), planned: 20).withoutAnnouncement == nil)
        tally.record(.publish, .answered(APNsAnswer(monitor: 201)), microseconds: 1000, dueAfter: 0)
        let outcome = LoadMonitorRateOutcome(tally: tally, span: .seconds(2), planned: 20)
        var load = LoadReport(load: "load monitor --rate", seed: 1, settings: [], rows: outcome.rows)
        outcome.describe(&load, plan: try .constant(perSecond: 10, for: .seconds(2)))
        load.results.judge([], failures: 0, atMost: 0)
        let report = try #require(RunFiles(load).files.first { $0.path == "report.md" }).text
        let warning = "**1 threshold: passed.**\n\n? No announcement of content was sent"
        #expect(report.contains(warning), "\(report.prefix(300))")
    }

    @Test("A kind of request has its own count of requests without an answer")
    func missingByKind() throws {
        let rows = Self.outcome.rows
        func missing(_ scope: String) -> SummaryRow.Value? {
            rows.first { $0.metric == "monitor_response_missing_count" && $0.scope == scope }?.value
        }
        #expect(missing("request:publish") == .integer(0) && missing("request:announce") == .integer(1))
        #expect(missing("request:read;why:not_sent") == .integer(1))
        func unanswered(_ kind: String) throws -> [Int?] {
            let outcome = try Check(parsing: "request_latency_us{request:\(kind)}.p99 < 1s").outcome(in: rows)
            return [outcome.unanswered?.missing, outcome.unanswered?.all]
        }
        #expect(try unanswered("publish") == [nil, nil])
        #expect(try unanswered("announce") == [1, 4])
        #expect(try unanswered("read") == [1, 2])
    }

    @Test("Names of metrics are known before the load, and its time series is drawn second by second")
    func namesAndCourse() throws {
        let names = Set(LoadMonitorRateOutcome.names.map(\.metric))
        #expect(Set(Self.outcome.rows.map(\.metric)).isSubset(of: names))
        var tally = LoadTally.ofMonitor
        tally.record(.publish, .answered(APNsAnswer(monitor: 201)), microseconds: 1000, dueAfter: 0)
        tally.record(.announce, .answered(APNsAnswer(monitor: 503)), microseconds: 2000, dueAfter: 1_500_000_000)
        let outcome = LoadMonitorRateOutcome(tally: tally, span: .seconds(2), planned: 2)
        var load = LoadReport(load: "load monitor --rate", seed: 1, settings: [], rows: outcome.rows)
        outcome.describe(&load, plan: try .constant(perSecond: 1, for: .seconds(2)))
        let course = try #require(load.course)
        #expect(course.outcomes.prefix(2) == ["answered without failure", "status 503"])
        #expect(course.windows.map(\.asked) == [1, 1] && course.windows.map(\.done) == [1, 1])
        #expect(course.windows.map { $0.outcomes.prefix(2) } == [[1, 0], [0, 1]])
        #expect(load.series.windows.map(\.values) == [[1, 1, 1000, 1000], [1, 1, 2000, 2000]], "\(load.series)")
    }
}
