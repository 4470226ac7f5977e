import Evaluation
import Foundation
import LiveActivityModel
import Quantities
import Results
import Testing

@testable import Reporting

/// The report of a load.
struct LoadReportTests {
    static func load(_ course: LoadCourse?) -> LoadReport {
        var load = LoadReport.apns(
            [
                SummaryRow("pushes_sent_count", .integer(1980))
            ],
            settings: [("rate", "1000/s")]
        )
        load.course = course
        load.notes = ["A note."]
        return load
    }

    @Test("the report begins with the result and has every chart in its place")
    func report() throws {
        let files = RunFiles(Self.load(LoadCourseTests.ordinary)).files
        let report = try #require(files.first { $0.path == "report.md" }).text
        let opening =
            "There were no thresholds.\n\n**Target: 1,000 requests a second; answered 950 while it ran. "
            + "98.48 % accepted; most of the rest: TooManyRequests. 99 % of answered "
        #expect(report.hasPrefix("# load apns\n\n\(opening)"))
        // The time series is on the first screen, above the details.
        let rate = try #require(report.firstRange(of: "](charts/rate.vl.json)"))
        #expect(!report[..<rate.lowerBound].contains("\n## "))
        let charts = files.map(\.path).filter { $0.hasPrefix("charts/") }
        #expect(charts == ["charts/rate.vl.json", "charts/latency.vl.json", "charts/outcomes.vl.json"])
        for chart in charts { #expect(report.contains("](\(chart))")) }
        for file in files where file.path.hasPrefix("charts/") {
            let json = try JSONSerialization.jsonObject(with: Data(file.text.utf8)) as? [String: Any]
            #expect(((json?["layer"] ?? json?["vconcat"]) as? [Any])?.isEmpty == false)
        }
    }

    @Test("A load report has one rate of answers, and the explanation of missing answers above its numbers")
    func oneRate() throws {
        var load = Self.load(LoadCourseTests.ordinary)
        load.rows.append(SummaryRow("requests_per_second", "mean", .decimal(224.94)))
        load.explanation = "All 20 requests without an answer were due during a fault."
        let report = try #require(RunFiles(load).files.first { $0.path == "report.md" }).text
        #expect(
            report.hasPrefix(
                "# load apns\n\nThere were no thresholds.\n\nAll 20 requests without an answer were due during a fault.\n\n"
            )
        )
        #expect(
            report.contains(
                "**Target: 1,000 requests a second; answered 224.94 per second during the load. 98.48 % accepted"
            ),
            "\(report)"
        )
    }

    @Test("A load with rides says how many were completed, and how long nothing could arrive")
    func rides() async throws {
        var scenario = Scenario.oneRide
        scenario.clock.warmUp = .minutes(1)
        let result = try await RunResult.running(scenario)
        #expect(
            LoadReport.rides(of: result)
                == "0 rides were requested and 1 completed in the measured time; of the 9 min measured until arrivals end, APNs "
                + "was silent for 4 min."
        )
        scenario.faults = []
        #expect(
            LoadReport.rides(of: try await RunResult.running(scenario))
                == "0 rides were requested and 1 completed in the measured time."
        )
    }

    @Test("A latency among requests without an answer is a bound, in the table and the tile")
    func bounds() {
        let rows = [
            SummaryRow("request_latency_us", "p50", .integer(5000)),
            SummaryRow("request_latency_us", "p99", .integer(62_000)),
            SummaryRow("pushes_sent_count", .integer(100)), SummaryRow("apns_response_missing_count", .integer(20)),
            SummaryRow("request_latency_us", "p50", .integer(7000), scope: "phase:during"),
            SummaryRow("apns_response_count", .integer(1), scope: "phase:during"),
            SummaryRow("apns_response_missing_count", .integer(19), scope: "phase:during"),
        ]
        let texts = rows.prefix(2).map { rows.valueText(of: $0) } + [rows.valueText(of: rows[4])]
        #expect(texts == ["5 ms", "≥ 62 ms, 20 unanswered", "≥ 7 ms, 19 unanswered"])
        #expect(HeadlineTile.tiles(of: rows).first { $0.label == "p99 latency" }?.value == "≥ 62 ms, 20 unanswered")
    }

    @Test("The bound is at least the shortest wait of the requests without an answer, also if no request was answered")
    func waits() {
        func row(_ metric: String, _ stat: String, _ value: Double?, _ scope: String = "all") -> SummaryRow {
            SummaryRow(metric, stat, value.map { .decimal($0) }, scope: scope)
        }
        let rows = [
            row("request_latency_us", "p50", 500), row("request_latency_us", "p99", 742),
            row("request_latency_us", "max", 742), row("request_latency_us", "mean", 500),
            row("request_latency_us", "p50", nil, "phase:during"), row("send_time_us", "p99", 700),
            SummaryRow("pushes_sent_count", .integer(100)), SummaryRow("apns_response_missing_count", .integer(20)),
            row("unanswered_wait_us", "min", 10e6), row("unanswered_wait_us", "max", 12e6),
            SummaryRow("apns_response_count", .integer(0), scope: "phase:during"),
            SummaryRow("apns_response_missing_count", .integer(19), scope: "phase:during"),
            row("unanswered_wait_us", "min", 11e6, "phase:during"),
        ]
        #expect(
            rows.prefix(6).map { rows.valueText(of: $0) } == [
                "500 µs", "≥ 10 s, 20 unanswered", "≥ 12 s, 20 unanswered", "≥ 2.00 s, 20 unanswered",
                "≥ 11 s, 19 unanswered", "≥ 700 µs, 20 unanswered",
            ]
        )
    }

    @Test(
        "Bounds in a load on a monitor follow from its requests, in all or by kind, and not from pushes"
    )
    func monitorBounds() {
        func row(_ metric: String, _ stat: String, _ value: Int64, _ scope: String = "all") -> SummaryRow {
            SummaryRow(metric, stat, .integer(value), scope: scope)
        }
        func count(_ metric: String, _ value: Int64, _ scope: String = "all") -> SummaryRow {
            SummaryRow(metric, .integer(value), scope: scope)
        }
        func rows(missing: Int64) -> [SummaryRow] {
            [
                row("request_latency_us", "p50", 900), row("request_latency_us", "p99", 6100),
                row("request_latency_us", "p99", 700, "request:publish"),
                row("request_latency_us", "p99", 893, "request:end"), count("pushes_sent_count", 629),
                count("apns_response_count", 101), count("apns_response_missing_count", 528),
                count("monitor_requests_count", 100), count("monitor_response_missing_count", missing),
                count("monitor_requests_count", 96, "request:publish"),
                count("monitor_response_missing_count", 0, "request:publish"),
                count("monitor_requests_count", 4, "request:end"),
                count("monitor_response_missing_count", missing, "request:end"),
                row("unanswered_wait_us", "min", 2_000_000, "request:end"),
            ]
        }
        func texts(_ rows: [SummaryRow]) -> [String] { rows.prefix(4).map { rows.valueText(of: $0) } }
        #expect(texts(rows(missing: 0)) == ["900 µs", "6.1 ms", "700 µs", "893 µs"])
        #expect(
            texts(rows(missing: 2)) == ["900 µs", "≥ 6.1 ms, 2 unanswered", "700 µs", "≥ 2 s, 2 unanswered"]
        )
        let tiles = HeadlineTile.tiles(of: rows(missing: 2)).filter { $0.label == "without an answer" }
        #expect(tiles.map(\.value) == ["2"])
    }

    @Test(
        "The wait for a stream is unknown only for requests never sent; other bounds rest on waits"
    )
    func otherTimes() {
        func rows(notSent: Int64) -> [SummaryRow] {
            ["send_wait_us", "send_time_us", "push_latency_us", "request_latency_us"]
                .map { SummaryRow($0, "p99", .integer(700)) } + [
                    SummaryRow("send_wait_us", "max", .integer(100_000)),
                    SummaryRow("pushes_sent_count", .integer(100 - notSent)),
                    SummaryRow("apns_response_missing_count", .integer(20)),
                    SummaryRow("apns_response_missing_count", .integer(notSent), scope: "why:not_sent"),
                    SummaryRow("unanswered_wait_us", "min", .integer(2_000_000)),
                    SummaryRow("unanswered_wait_us", "max", .integer(2_100_000)),
                    SummaryRow("apns_response_count", .integer(80)),
                ]
        }
        func texts(_ notSent: Int64) -> [String] {
            let rows = rows(notSent: notSent)
            return rows.prefix(5).map { rows.valueText(of: $0) }
        }
        // Each has waited for at least 2 s. At most 100 ms was the wait for a stream.
        #expect(
            texts(0) == [
                "700 µs", "≥ 1.90 s, 20 unanswered", "700 µs", "≥ 2 s, 20 unanswered", "100 ms",
            ]
        )
        #expect(
            texts(20) == [
                "≥ 2 s, 20 unanswered", "700 µs", "700 µs", "≥ 2 s, 20 unanswered", "≥ 2 s, 20 unanswered",
            ]
        )
    }

    @Test(
        "The latency of pushes is a bound if some were never accepted; a retry that delivers a push leaves nothing missing"
    )
    func pushes() throws {
        // 100 pushes: 60 had an unanswered request before their accepted retry, and some were rejected.
        func rows(notAccepted: Int64, refused: Int64) -> [SummaryRow] {
            [
                SummaryRow("push_latency_us", "p50", .integer(700)),
                SummaryRow("push_latency_us", "p99", .integer(900)),
                SummaryRow("push_latency_us", "max", .integer(950)),
                SummaryRow("pushes_sent_count", .integer(160)), SummaryRow("apns_response_missing_count", .integer(60)),
                SummaryRow("apns_response_count", .integer(100 - notAccepted + refused)),
                SummaryRow("apns_response_count", .integer(refused), scope: "reason:TooManyRequests"),
                SummaryRow("pushes_not_accepted_count", .integer(notAccepted)),
                SummaryRow("unanswered_wait_us", "min", .integer(1_000_000)),
                SummaryRow("not_accepted_wait_us", "min", notAccepted > 0 ? .integer(4_000_000) : nil),
                SummaryRow("not_accepted_wait_us", "max", notAccepted > 0 ? .integer(5_000_000) : nil),
            ]
        }
        func texts(_ rows: [SummaryRow]) -> [String] { rows.prefix(3).map { rows.valueText(of: $0) } }
        #expect(texts(rows(notAccepted: 0, refused: 30)) == ["700 µs", "900 µs", "950 µs"])
        let some = rows(notAccepted: 2, refused: 30)
        #expect(texts(some) == ["700 µs", "≥ 4 s, 2 never accepted", "≥ 5 s, 2 never accepted"])
        let outcome = try Check(parsing: "push_latency_us.p99 < 9s").outcome(in: some)
        #expect(!outcome.holds && outcome.words == "failed: 2 of 100 pushes never accepted")
    }

    @Test("without a time series the report has no charts")
    func withoutCourse() throws {
        let files = RunFiles(Self.load(nil)).files
        #expect(files.map(\.path) == ["report.md", "run.json", "summary.csv"])
        #expect(
            files[0].text
                .hasPrefix(
                    "# load apns\n\nThere were no thresholds.\n\n## How to read it\n\nA note.\n\n## Results\n"
                )
        )
    }

    @Test("A late driver is reported in the report and its data")
    func lateness() {
        func text(_ path: String, _ load: LoadReport) -> String {
            RunFiles(load).files.first { $0.path == path }?.text ?? ""
        }
        var load = Self.load(nil)
        load.lateness = DriverLateness(median: 10, p99: 12_300, largest: 20_000, allowed: 2500)
        #expect(text("report.md", load).contains("\n\n? The load generator itself was late: 1 in 100 of its "))
        #expect(text("run.json", load).contains("\"driver_is_late\": true"))
        load.lateness?.p99 = 2500
        #expect(!text("report.md", load).contains("itself was late"))
        #expect(text("run.json", load).contains("\"driver_is_late\": false"))
    }

    @Test("The verdict of thresholds is at the top, failures with value and limit; the numbers follow")
    func opening() throws {
        var load = LoadReport.apns([
            SummaryRow("requests_per_second", "mean", .decimal(499.5)),
            SummaryRow("request_latency_us", "p99", .integer(62_000)),
            SummaryRow("errors_ratio", "ratio", .decimal(0.0125)),
        ])
        load.outcomes = try ["errors_ratio < 5%", "request_latency_us.p99 < 50ms"]
            .map { try Check(parsing: $0).outcome(in: load.rows) }
        let report = try #require(RunFiles(load).files.first?.text)
        let verdict = "✗ **2 thresholds: 1 passed, 1 failed.** request_latency_us.p99: 62 ms, must be < 50ms."
        let opening = "# load apns\n\n\(verdict)\n\n| answered per second during the load |"
        #expect(report.hasPrefix(opening), "\(report.prefix(400))")
        #expect(report.contains(" 499.50 |"))
        #expect(report.contains(" 1.25 % |"))
        load.outcomes.removeLast()
        #expect(RunFiles(load).files[0].text.contains("\n\n✓ **1 threshold: passed.**\n"))
    }

    @Test("A load with a scenario's rides has the charts of screens first, and a comparison with its simulation")
    func screens() async throws {
        let simulated = try await RunResult.running(.offlinePhones, replications: 1)
        var load = Self.load(LoadCourseTests.ordinary)
        load.screens = simulated
        load.comparison = ResultComparison(simulated: simulated, live: simulated, of: .screens)
        load.rows.append(
            SummaryRow(
                scope: "all",
                metric: "displayed_fresh_time_ratio",
                stat: "ratio",
                unit: "1",
                value: .decimal(0.7)
            )
        )
        try load.results.judge([Check(parsing: "displayed_fresh_time_ratio >= 80%")])
        let chart = try #require(RunFiles(load).files.first { $0.path == "charts/freshness.vl.json" })
        #expect(chart.text.contains("the limit for the whole run, 80 %"))
        let files = RunFiles(load).files
        #expect(
            files.map(\.path).filter { $0.hasPrefix("charts/") } == [
                "charts/freshness.vl.json", "charts/age.vl.json", "charts/rate.vl.json", "charts/latency.vl.json",
                "charts/outcomes.vl.json",
            ]
        )
        let titles = files[0].text.split(separator: "\n").filter { $0.hasPrefix("## ") }
        #expect(
            titles.prefix(5) == ["## Simulation and live run", "## Age", "## Rate", "## Latency", "## Outcomes"],
            "\(titles)"
        )
    }

    @Test("summary.csv and checks.csv have the columns, order and numbers of a simulated run")
    func files() throws {
        func row(_ scope: String, _ metric: String, _ stat: String, _ value: SummaryRow.Value?) -> SummaryRow {
            SummaryRow(scope: scope, metric: metric, stat: stat, unit: "us", value: value)
        }
        var load = LoadReport.apns(
            [
                row("kind:end", "send_wait_us", "mean", .decimal(1.5)), row("all", "send_wait_us", "p50", .integer(2)),
                row("all", "send_wait_us", "mean", .decimal(0.25)), row("all", "age_us", "mean", nil),
            ],
            seed: 1
        )
        load.outcomes = try ["send_wait_us{kind:end}.mean < 2us", "age_us.mean < 1s"]
            .map { try Check(parsing: $0).outcome(in: load.rows) }
        let files = RunFiles(load).files
        #expect(
            files.first { $0.path == "summary.csv" }?.text == """
                scope,metric,stat,unit,value,ci_low,ci_high,n
                all,age_us,mean,us,,,,1
                all,send_wait_us,p50,us,2,,,1
                all,send_wait_us,mean,us,0.250000,,,1
                kind:end,send_wait_us,mean,us,1.500000,,,1

                """
        )
        #expect(
            files.first { $0.path == "checks.csv" }?.text == """
                name,response,operator,limit,unit,value,ci_low,ci_high,n,confidence,verdict
                send_wait_us{kind:end}.mean < 2us,send_wait_us{kind:end}.mean,<,2,us,1.500000,,,1,,holds
                age_us.mean < 1s,age_us.mean,<,1000000,us,,,,1,,undefined

                """
        )
    }

    @Test("a rare reason has a plot that shows it; the rarest share one colour")
    func outcomes() throws {
        var course = LoadCourseTests.ordinary
        course.outcomes = ["accepted"] + (1...8).map { "reason \($0)" }
        for index in course.windows.indices { course.windows[index].outcomes = [1000] + (1...8).map { $0 } }
        let chart = try #require(Chart.charts(course, subtitle: "").last).text
        #expect(chart.contains(#""domain": ["reason 8", "reason 7", "reason 6", "reason 5", "reason 4", "other"]"#))
        // 1 + 2 + 3 a second.
        #expect(chart.contains(#"{"from": 1.000000, "order": 5, "series": "other", "value": 6.000}"#))
    }

    @Test("the unmeasured part is shaded, and a window without latencies leaves a gap")
    func gaps() throws {
        var course = LoadCourseTests.ordinary
        course.measuredFrom = 1_000_000
        course.windows[1].latency = nil
        let charts = Chart.charts(course, subtitle: "")
        #expect(charts[0].text.contains(#"{"from": 0.000000, "line": 0, "name": "not measured", "until": 1.000000}"#))
        #expect(charts[1].text.contains(#"{"from": 1.000000, "order": 2, "series": "p50", "value": null}"#))
        #expect(!charts[2].text.contains("not measured"))
    }
}
