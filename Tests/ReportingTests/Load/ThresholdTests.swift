import Testing

@testable import Evaluation
@testable import Reporting

/// Checks of loads, which are evaluated over the rows of their summary.
struct ThresholdTests {
    private func outcome(_ text: String, in rows: [SummaryRow] = Self.rows) throws -> CheckOutcome {
        try Check(parsing: text).outcome(in: rows)
    }

    private static let rows = [
        SummaryRow("latency_us", "p99", .decimal(9000)),
        SummaryRow("latency_us", "max", .decimal(12_000)),
        SummaryRow("scans_count", .integer(7)),
        SummaryRow("apns_response_count", .integer(3), scope: "status:503"),
        SummaryRow("empty_us", "mean", nil),
        SummaryRow("speed_up", "ratio", .decimal(38)),
        SummaryRow("errors_ratio", "ratio", .decimal(0.2)),
    ]

    /// The metrics of ``rows``, as a message lists them.
    private static let metrics = [
        "apns_response_count", "empty_us", "errors_ratio", "latency_us", "scans_count", "speed_up",
    ]

    @Test("no bound is shown if no request was answered")
    func noneAnswered() throws {
        let rows = [
            SummaryRow("request_latency_us", "p99", nil), SummaryRow("pushes_sent_count", .integer(40)),
            SummaryRow("apns_response_missing_count", .integer(40)),
        ]
        let outcome = try outcome("request_latency_us.p99 < 1s", in: rows)
        #expect(outcome.valueText == "–" && outcome.verdict == .fails)
    }

    @Test(
        "a threshold holds or fails",
        arguments: [
            ("latency_us.p99 < 10ms", true), ("latency_us.p99 < 9ms", false), ("latency_us.max <= 12ms", true),
            ("scans_count == 7", true), ("apns_response_count{status:503} > 3", false), ("empty_us.mean < 1s", false),
            ("speed_up >= 40", false), ("errors_ratio < 30%", true),
        ]
    )
    func verdicts(text: String, holds: Bool) throws {
        #expect(try outcome(text).holds == holds)
    }

    /// Otherwise an endpoint that answers a few requests quickly, and most never, would meet its limit.
    @Test(
        "a latency quantile among the unanswered requests meets no limit",
        arguments: [
            ("request_latency_us.p50 < 1s", true), ("request_latency_us.p99 < 1s", false),
            ("request_latency_us.max < 1s", false), ("request_latency_us.mean < 1s", false),
            ("request_latency_us.p99 > 1us", false), ("latency_us.p99 < 10ms", true),
        ]
    )
    func unanswered(text: String, holds: Bool) throws {
        func row(_ metric: String, _ stat: String, _ value: Int64, scope: String = "all") -> SummaryRow {
            SummaryRow(metric, stat, .integer(value), scope: scope)
        }
        let rows =
            Self.rows + ["p50", "p99", "max", "mean"].map { row("request_latency_us", $0, 900) } + [
                row("pushes_sent_count", "total", 980), row("apns_response_missing_count", "total", 40),
                row("apns_response_missing_count", "total", 20, scope: "why:not_sent"),
            ]
        let outcome = try outcome(text, in: rows)
        #expect(outcome.holds == holds)
        guard !holds else { return }
        #expect(outcome.words == "failed: 40 of 1,000 requests unanswered")
        #expect(outcome.valueText == "≥ 900 µs" && outcome.verdict == .fails)
    }

    @Test(
        "a bound on waits without an answer holds if each request was answered, and says so; without requests it fails",
        arguments: [("all", "holds"), ("phase:during", "undefined"), ("phase:after", "fails")]
    )
    func noneUnanswered(scope: String, verdict: String) throws {
        func count(_ metric: String, _ scope: String, _ value: Int64) -> SummaryRow {
            SummaryRow(metric, .integer(value), scope: scope)
        }
        let rows =
            [("all", 0), ("phase:during", 0), ("phase:after", 1)]
            .flatMap { scope, missing in
                [
                    count("apns_response_count", scope, scope == "phase:during" ? 0 : 40),
                    count("apns_response_missing_count", scope, Int64(missing)),
                    SummaryRow("unanswered_wait_us", "max", missing > 0 ? .integer(9_000_000) : nil, scope: scope),
                    SummaryRow("not_accepted_wait_us", "max", nil, scope: scope),
                ]
            } + [count("pushes_sent_count", "all", 41), count("pushes_not_accepted_count", "all", 0)]
        let suffix = scope == "all" ? "" : "{\(scope)}"
        var outcome = try outcome("unanswered_wait_us\(suffix).max < 5s", in: rows)
        #expect(outcome.verdict.rawValue == verdict)
        guard scope == "all" else { return }
        #expect(outcome.words == "passed: no request was unanswered" && outcome.valueText == "–")
        outcome.undecidedBy = 3
        #expect(!outcome.holds)
        #expect(try self.outcome("not_accepted_wait_us.max < 5s", in: rows).words == "passed: each push was accepted")
    }

    @Test(
        "one unanswered request in a million is in the slowest 0.1 %, and affects only the largest quantile"
    )
    func oneUnanswered() throws {
        let rows =
            ["p99", "p999", "max"]
            .map { SummaryRow("request_latency_us", $0, .integer(900)) }
            + [("pushes_sent_count", 1_000_000), ("apns_response_missing_count", 1)]
            .map { SummaryRow(scope: "all", metric: $0, stat: "total", unit: "count", value: .integer($1)) }
        func holds(_ stat: String) throws -> Bool {
            try outcome("request_latency_us.\(stat) < 1s", in: rows).holds
        }
        #expect(try holds("p99"))
        #expect(try holds("p999"))
        #expect(try !holds("max"))
    }

    @Test(
        "the usual statistic is the default, as in a scenario's checks",
        arguments: [
            ("displayed_fresh_time_ratio >= 90%", true), ("displayed_fresh_time_ratio < 90%", false),
            ("age_of_information_us <= 40s", true), ("displayed_fresh_time_ratio.numerator > 3m", true),
            ("displayed_fresh_time_ratio{during_ride} > 0.9", false),
        ]
    )
    func usualStatistic(text: String, holds: Bool) throws {
        func row(_ metric: String, _ stat: String, _ unit: String, _ value: Double, scope: String = "all") -> SummaryRow
        {
            SummaryRow(scope: scope, metric: metric, stat: stat, unit: unit, value: .decimal(value))
        }
        let rows =
            ["all", "during_ride"]
            .flatMap { scope in
                [
                    row("displayed_fresh_time_ratio", "ratio", "1", scope == "all" ? 0.95 : 0.8, scope: scope),
                    row("displayed_fresh_time_ratio", "numerator", "us", 190e6, scope: scope),
                    row("displayed_fresh_time_ratio", "denominator", "us", 200e6, scope: scope),
                ]
            } + [
                row("age_of_information_us", "p95", "us", 90e6), row("age_of_information_us", "mean", "us", 30e6),
            ]
        #expect(try outcome(text, in: rows).holds == holds)
    }

    @Test(
        "thresholds that cannot be evaluated are rejected",
        arguments: [
            ("latency_us < 10ms", ResponseError.unknownStatistic("", of: "latency_us", known: ["p99", "max"])),
            ("scans_count < 10ms", .unfitAmount("10ms", of: "scans_count", allowed: "a number such as 1200")),
            ("speed_up > 50%", .unfitAmount("50%", of: "speed_up", allowed: "a number such as 1.5")),
            ("errors_ratio < 40", .unfitAmount("40", of: "errors_ratio", allowed: "a share such as 0.95 or 95%")),
            ("latency_us.p99@worst:5m < 9ms", .windowOfLoad("latency_us.p99@worst:5m < 9ms")),
            ("latency_us.p99 < 9ms with 95%", .confidenceOfLoad("latency_us.p99 < 9ms with 95%")),
            ("letancy_us.p99 < 1s", .notOfLoad("letancy_us.p99", nearest: "latency_us.p99", known: Self.metrics)),
            ("letancy_us < 1s", .notOfLoad("letancy_us", nearest: "latency_us", known: Self.metrics)),
            ("wind < 1s", .notOfLoad("wind", nearest: nil, known: Self.metrics)),
        ]
    )
    func refusals(text: String, error: ResponseError) throws {
        #expect(throws: error) { try outcome(text) }
    }
}
