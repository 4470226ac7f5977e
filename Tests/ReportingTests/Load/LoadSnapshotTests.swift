import Evaluation
import Foundation
import LiveActivityModel
import Quantities
import Results
import Shell
import Testing

@testable import Reporting

/// The data that a page receives about a running load.
struct LoadSnapshotTests {
    private static func row(_ metric: String, _ stat: String, _ unit: String, _ value: Int64, _ scope: String = "all")
        -> SummaryRow
    {
        SummaryRow(scope: scope, metric: metric, stat: stat, unit: unit, value: .integer(value))
    }

    private static func window(_ second: Int64, done: Int) -> LoadCourse.Window {
        LoadCourse.Window(
            start: second * 1_000_000,
            length: 1_000_000,
            asked: 100,
            done: done,
            latency: LoadCourse.Latency(median: 900, percentile99: 4000, longest: 9000),
            outcomes: [done, 2]
        )
    }

    private static var report: LoadReport {
        var report = LoadReport.apns(
            [
                row("apns_response_count", "total", "count", 213), row("request_latency_us", "p99", "us", 4000),
                row("apns_response_count", "total", "count", 207, "status:200"),
                row("apns_response_count", "total", "count", 6, "reason:TooManyRequests"),
                row("apns_response_missing_count", "total", "count", 0, "why:timed_out"),
            ],
            settings: [("rate", "100/s"), ("ramp", "")]
        )
        report.course = LoadCourse(
            items: "requests",
            done: "answered",
            outcomes: ["accepted", "TooManyRequests"],
            windows: [window(0, done: 98), window(1, done: 98), window(2, done: 11)],
            percentile99: 4000
        )
        return report
    }

    private static func message(_ snapshot: LoadSnapshot) throws -> [String: Any] {
        let text = snapshot.message
        // An event's data end with its line.
        #expect(!text.contains("\n"))
        return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("rate, latency, outcomes, thresholds and the remaining time, without the current second")
    func load() throws {
        var report = Self.report
        try report.results.judge(
            ["request_latency_us.p99 < 5ms", "request_latency_us.p99 < 1ms"].map { try Check(parsing: $0) }
        )
        let progress = LoadSnapshot.Progress(
            stage: .running,
            elapsed: TimeSpan(microseconds: 2_200_000),
            planned: .seconds(10),
            inFlight: 1,
            waiting: 1
        )
        let message = try Self.message(LoadSnapshot(progress, report))
        #expect(message["stage"] as? String == "running")
        #expect(message["left"] as? String == "7 s" && message["planned_us"] as? Int == 10_000_000)
        let tiles = try #require(message["tiles"] as? [[String: String]])
        #expect(
            tiles.map { "\($0["label"] ?? ""): \($0["value"] ?? "") (\($0["detail"] ?? ""))" } == [
                "requests answered: 98/s (100/s requested; in the last second)",
                "99 % of answered requests took at most: 4 ms "
                    + "(median 900 µs; in the last second, without those not answered yet; 4 ms over the whole load so far)",
                // All that is known, as in the table of answers on the same page: 207 with status 200.
                "accepted: 97.18 % (6 of 213 requests were not)",
                "sent, not answered yet: 1 (1 more is waiting to be sent)",
            ]
        )
        let checks = try #require(message["checks"] as? [[String: Any]])
        #expect(checks.map { $0["holds"] as? Bool } == [true, false])
        #expect(checks[1]["words"] as? String == "failed")
        let outcomes = try #require(message["outcomes"] as? [[String: Any]])
        #expect(outcomes.map { $0["name"] as? String } == ["status 200", "reason TooManyRequests"])
        #expect((message["settings"] as? [[String: String]])?.map { $0["name"] } == ["rate"])
        let charts = try #require(message["charts"] as? [[String: Any]])
        #expect(charts.map { $0["name"] as? String } == ["rate", "latency", "outcomes"])
        #expect(message["ended_early"] == nil)
    }

    /// A reported case: an endpoint is silent for eight seconds while the page is green.
    @Test("a threshold stays undecided while unanswered requests could still break it")
    func open() throws {
        func verdicts(_ thresholds: [String], open: Int) throws -> [String] {
            var report = Self.report
            report.rows = [
                Self.row("request_latency_us", "p50", "us", 900), Self.row("request_latency_us", "p99", "us", 4000),
                Self.row("request_latency_us", "max", "us", 4000), Self.row("request_latency_us", "mean", "us", 900),
                Self.row("request_latency_us", "p99", "us", 4000, "request:publish"),
                Self.row("errors_ratio", "ratio", "1", 0),
                Self.row("apns_response_missing_count", "total", "count", 0),
                Self.row("monitor_requests_count", "total", "count", 100, "request:publish"),
                Self.row("apns_response_count", "total", "count", 213),
            ]
            // 110 of 213 responses took less than a millisecond.
            report.histograms = [
                MetricHistogram(metric: "request_latency_us", buckets: [(900, 901, 110), (4000, 4010, 103)])
            ]
            try report.results.judge(thresholds.map { try Check(parsing: $0) })
            report.outcomes.append(.failures(0, atMost: 10))
            let progress = LoadSnapshot.Progress(
                stage: .running,
                elapsed: .seconds(3),
                planned: .seconds(10),
                inFlight: open,
                waiting: open > 0 ? 1 : 0
            )
            let checks = try #require(try Self.message(LoadSnapshot(progress, report))["checks"] as? [[String: Any]])
            return checks.map { check in
                let isOpen = check["open"] as? Bool == true
                #expect(!isOpen || check["holds"] as? Bool == false)
                return isOpen ? check["words"] as? String ?? "" : check["holds"] as? Bool == true ? "holds" : "fails"
            }
        }
        let all = [
            "request_latency_us.p50 < 1ms", "request_latency_us.p50 < 1s", "request_latency_us.p99 < 1s",
            "request_latency_us.max < 1s", "request_latency_us.mean < 1s",
            "request_latency_us{request:publish}.p99 < 1s",
            "request_latency_us.p99 > 1ms", "request_latency_us.p99 < 1ms", "errors_ratio < 1%",
            "apns_response_missing_count.total == 0", "apns_response_count.total > 0",
        ]
        func expected(_ kinds: String, _ words: String) -> [String] {
            kinds.map { $0 == "o" ? words : $0 == "h" ? "holds" : "fails" }
        }
        #expect(try verdicts(all, open: 0) == expected("hhhhhhhfhhhh", ""))
        let few = "undecided: 2 requests have no answer yet"
        #expect(try verdicts(all, open: 1) == expected("hhhoooofhohh", few))
        let many = "undecided: 4,455 requests have no answer yet"
        #expect(try verdicts(all, open: 4454) == expected("ooooooofooho", many))
    }

    @Test(
        "a latency limit fails at the known bound once requests have timed out, and waits for requests in flight"
    )
    func unansweredLatency() throws {
        func check(p99: Int64?, missing: Int64, inFlight: Int) throws -> [String] {
            func row(_ metric: String, _ stat: String, _ unit: String, _ value: Int64?) -> SummaryRow {
                SummaryRow(scope: "all", metric: metric, stat: stat, unit: unit, value: value.map { .integer($0) })
            }
            var report = LoadReport.apns([
                row("request_latency_us", "p99", "us", p99), row("pushes_sent_count", "total", "count", 65_546),
                row("apns_response_missing_count", "total", "count", missing),
            ])
            report.results.judge([try Check(parsing: "request_latency_us.p99 < 10s")])
            let progress = LoadSnapshot.Progress(
                stage: .running,
                elapsed: .seconds(9),
                planned: .minutes(1),
                inFlight: inFlight
            )
            let checks = try Self.message(LoadSnapshot(progress, report))["checks"] as? [[String: Any]]
            let check = try #require(checks?.first)
            return [check["value"] as? String ?? "", check["words"] as? String ?? ""]
        }
        #expect(
            try check(p99: 7_800_000, missing: 4000, inFlight: 0)
                == ["≥ 7.80 s", "failed: 4,000 of 65,546 requests unanswered"]
        )
        #expect(
            try check(p99: nil, missing: 0, inFlight: 4000) == ["–", "undecided: 4,000 requests have no answer yet"]
        )
        #expect(try check(p99: nil, missing: 0, inFlight: 0) == ["–", "no data yet"])
    }

    @Test("In an outage, tile and threshold have the bound that the waits of requests in flight prove")
    func bound() throws {
        var report = Self.report
        report.rows = [
            Self.row("request_latency_us", "p50", "us", 900), Self.row("request_latency_us", "p99", "us", 140_000),
            Self.row("pushes_sent_count", "total", "count", 900),
            Self.row("apns_response_missing_count", "total", "count", 0),
        ]
        report.course?.percentile99 = 140_000
        try report.results.judge(
            ["request_latency_us.p99 < 500ms", "request_latency_us.p99 < 10s", "request_latency_us.p50 < 1s"]
                .map { try Check(parsing: $0) }
        )
        var progress = LoadSnapshot.Progress(
            stage: .running,
            elapsed: .seconds(9),
            planned: .minutes(1),
            inFlight: 60,
            waiting: 40
        )
        // The p99 of 1,000 requests is the 990th: of 100 without an answer the 90th, from the shortest wait.
        progress.waits = [(1_000_000, 80), (5_920_000, 15), (7_000_000, 5)]
            .map { LoadSnapshot.Wait(time: $0, count: $1) }
        let tiles = Self.texts(progress, report)
        let detail = "100 of 1,000 requests have no answer; p99 of answered requests: 140 ms"
        #expect(tiles[1] == "p99 latency so far: ≥ 5.92 s (\(detail))", "\(tiles)")
        let checks = try #require(try Self.message(LoadSnapshot(progress, report))["checks"] as? [[String: Any]])
        #expect(
            checks.map { "\($0["value"] ?? ""), \($0["words"] ?? "")" } == [
                "≥ 5.92 s, failed: 100 of 1,000 requests unanswered",
                "140 ms, undecided: 100 requests have no answer yet",
                "900 µs, undecided: 100 requests have no answer yet",
            ]
        )
        let latency = try #require(LoadSnapshot(progress, report).charts.first { $0.name == "latency" })
        #expect(latency.title.contains("at least 5.92 s"), "\(latency.title)")
    }

    /// Returns the text of each tile.
    private static func texts(_ progress: LoadSnapshot.Progress, _ report: LoadReport) -> [String] {
        LoadSnapshot(progress, report).tiles.map { "\($0.label): \($0.value) (\($0.detail))" }
    }

    @Test("tiles before the first response, of an endpoint that has become silent, and after the last request")
    func states() throws {
        var report = Self.report
        let begun = Self.texts(.init(stage: .running, elapsed: .milliseconds(500), planned: .seconds(3)), report)
        #expect(begun[0] == "requests answered: – (the first second is not over yet)")
        // What was due in the last second has no answer: the latency of those before it does not pass for its own.
        report.course?.windows[1].latency = nil
        report.course?.windows[1].done = 0
        report.course?.windows[1].outcomes = [0, 0]
        let silent = Self.texts(
            .init(stage: .running, elapsed: .milliseconds(2200), planned: .seconds(3), inFlight: 100, waiting: 0),
            report
        )
        #expect(
            silent == [
                "requests answered: 0/s (100/s requested; in the last second)",
                "99 % of answered requests took at most: 4 ms "
                    + "(over the whole load so far; none of the last second are answered yet; 100 requests have no answer yet)",
                "accepted: 96.46 % (4 of 113 requests were not; 100 requests have no answer yet)",
                "sent, not answered yet: 100 (none is waiting to be sent)",
            ]
        )
        // Late responses are no rate of the load.
        var over = Self.report
        over.course?.windows[2].asked = nil
        over.course?.windows[2].outcomes = [11, 0]
        let drained = Self.texts(.init(stage: .draining, elapsed: .milliseconds(2200), planned: .seconds(2)), over)
        #expect(drained[0] == "requests answered: 98/s (100/s requested; in the last second of the load)")
        #expect(drained[1].contains("(median 900 µs; in the last second of the load, without those not answered yet"))
        for index in 0..<3 { over.course?.windows[index].outcomes = [50, 0] }
        let all = Self.texts(.init(stage: .draining, elapsed: .milliseconds(2200), planned: .seconds(2)), over)
        #expect(all[2] == "accepted: 100.00 % (all 150 requests so far)")
        // Without any response there is no latency.
        var nothing = Self.report
        nothing.course?.percentile99 = nil
        for index in 0..<3 {
            nothing.course?.windows[index].latency = nil
            nothing.course?.windows[index].done = 0
            nothing.course?.windows[index].outcomes = [0, index == 1 ? 1 : 0]
        }
        let missing = Self.texts(.init(stage: .running, elapsed: .milliseconds(2200), planned: .seconds(3)), nothing)
        #expect(
            missing == [
                "requests answered: 0/s (100/s requested; in the last second)",
                "accepted: 0.00 % (1 of 1 requests was not)",
            ]
        )
    }

    @Test("the time axis ends with the load, so that a chart is updated and not redrawn")
    func axis() {
        let progress = LoadSnapshot.Progress(stage: .running, elapsed: .seconds(9), planned: .seconds(10))
        let course = LoadSnapshot(progress, Self.report).results.course
        #expect(course?.until == 10_000_000 && course?.windows.count == 3)
        let ends = [0, 29, 30, 59, 60, 200].map { LoadSnapshot.axisEnd(.seconds($0), planned: .seconds(150)) }
        #expect(ends == [30, 30, 60, 60, 120, 150].map { .seconds($0) })
        let early = LoadSnapshot(.init(stage: .running, elapsed: .seconds(1), planned: .seconds(10)), Self.report)
        #expect(early.results.course?.windows.isEmpty == true && early.charts.isEmpty)
    }

    @Test("freshness on screens and in belief, snapshot by snapshot, of activities on a ride")
    func freshness() throws {
        var glances = FreshnessGlances()
        for second: Int64 in 1...3 {
            var screens = FreshnessGlance.Screens()
            (screens.fresh, screens.stale, screens.wrongStage, screens.leftBehind) = (7, 2, 1, 5)
            var belief = FreshnessGlance.Belief()
            (belief.fresh, belief.recoverable) = (9, 1)
            glances.append(FreshnessGlance(at: .seconds(second), screens: screens, belief: belief))
        }
        let report = LoadReport(load: "load scenario", seed: 1, settings: [], rows: [])
        let snapshot = LoadSnapshot(
            .init(stage: .running, elapsed: .seconds(3), planned: nil),
            report,
            glances: glances,
            scenarioTime: .minutes(10)
        )
        #expect(snapshot.tiles.map(\.value) == ["70.00 %", "90.00 %"])
        #expect(
            snapshot.tiles.map(\.detail) == [
                "of 10 during rides; 5 left behind after their rides",
                "of 10 watched; 1 stale but recoverable, 0 severely stale",
            ]
        )
        let chart = try #require(snapshot.charts.first)
        #expect(chart.name == "freshness-now")
        #expect(chart.title == "Fresh now: 70.00 % on screens, during rides; 90.00 % in belief")
        #expect(try Self.message(snapshot)["planned_us"] == nil)
        // The scenario's faults are marked in the scenario's time, including later ones.
        var scenario = Scenario()
        scenario.faults = [Scenario.Fault(kind: .apnsSilent, at: .seconds(2), duration: .seconds(90))]
        let marked = LoadSnapshot(
            snapshot.progress,
            report,
            glances: glances,
            scenarioTime: .minutes(10),
            faults: FaultSpan.all(of: scenario)
        )
        let drawn = try #require(marked.charts.first)
        let layers = try DrawnLayer.layers(of: drawn.text)
        #expect(layers.map { $0.mark } == ["rect", "rule", "line", "text", "text"])
        #expect(layers[0].rows.map { $0["from"] as? Double } == [2])
        // The axis currently ends at half a minute.
        #expect(layers[0].rows.map { $0["until"] as? Double } == [30])
        #expect(layers[4].rows.map { $0["fault"] as? String } == ["APNs silent"])
        // So are the limits of checks on the freshness of screens.
        var limited = report
        limited.rows = [
            SummaryRow(
                scope: "during_ride",
                metric: "displayed_fresh_time_ratio",
                stat: "ratio",
                unit: "1",
                value: .decimal(0.7)
            )
        ]
        try limited.results.judge([Check(parsing: "displayed_fresh_time_ratio{during_ride} >= 80%")])
        let bounded = try #require(LoadSnapshot(snapshot.progress, limited, glances: glances).charts.first)
        #expect(bounded.text.contains("dashed line: the limit for the whole run, 80 %"), "\(bounded.text)")
        #expect(
            try DrawnLayer.layers(of: bounded.text)
                .contains { $0.mark == "rule" && $0.rows[0]["percent"] as? Double == 80 }
        )
    }

    @Test("of many snapshots enough for a chart are kept, always with the newest")
    func manyGlances() {
        var glances = FreshnessGlances()
        for second: Int64 in 1...10_000 { glances.append(FreshnessGlance(at: .seconds(second))) }
        #expect(glances.all.count <= 2 * Chart.largestStepCount && glances.all.count > Chart.largestStepCount / 2)
        #expect(glances.last?.at == .seconds(10_000) && glances.all.first?.at == .seconds(1))
        let steps = zip(glances.all, glances.all.dropFirst()).map { $1.at - $0.at }
        #expect(Set(steps).count == 1)
    }

    @Test("a board makes at most one snapshot per second and keeps the newest")
    func board() {
        let board = LiveBoard()
        #expect(board.newest == nil)
        var made = 0
        func snapshot(_ seconds: Int64) -> LoadSnapshot {
            made += 1
            return LoadSnapshot(.init(stage: .running, elapsed: .seconds(seconds), planned: nil), Self.report)
        }
        board.offer { snapshot(1) }
        board.offer { snapshot(2) }
        #expect(made == 1 && board.newest?.number == 1)
        board.put(snapshot(3))
        #expect(board.newest?.number == 2 && board.newest?.snapshot.progress.elapsed == .seconds(3))
    }

    @Test("an early end is reported with the elapsed time, its cause, and the unanswered requests")
    func earlyEnd() {
        var mark = EarlyEndMark(cause: .interrupted, ran: .seconds(6), planned: .seconds(30))
        #expect(mark.sentence == "Ended early by Ctrl-C after 6 s of 30 s (20.00 %)")
        #expect(mark.exitCode == Failure.interrupted)
        (mark.ran, mark.unanswered, mark.cause) = (.seconds(30), 12, .terminated)
        #expect(
            mark.sentence
                == "Ended by a signal (SIGTERM) after all 30 s of its plan, while waiting for the last answers; "
                + "12 requests had no answer when the wait ended and are not counted"
        )
        #expect(mark.exitCode == Failure.terminated)
        var report = Self.report
        report.earlyEnd = mark
        let files = RunFiles(report).files
        #expect(files[0].text.hasPrefix("# load apns\n\n✗ Ended by a signal (SIGTERM) after all 30 s"))
        #expect(files[1].text.contains("\"ran_us\": 30000000") && files[1].text.contains("\"signal\": \"SIGTERM\""))
        #expect(report.json.contains("\"ended_early\": {"))
    }

    @Test("an end by a threshold names the threshold and counts as a failed test")
    func endedByThreshold() {
        let mark = EarlyEndMark(cause: .threshold("errors_ratio < 1%"), ran: .seconds(6), planned: .seconds(30))
        #expect(
            mark.sentence
                == "Ended early by the threshold `errors_ratio < 1%`, which does not hold, after 6 s of 30 s (20.00 %)"
        )
        #expect(mark.exitCode == Failure.checkFailed)
        var report = Self.report
        report.earlyEnd = mark
        let run = RunFiles(report).files[1].text
        #expect(run.contains("\"threshold\": \"errors_ratio < 1%\"") && !run.contains("\"signal\""), "\(run)")
    }

    /// Otherwise zeros with intervals would look like measurements.
    @Test("a load that ended within its warm-up measured nothing, and its reports show no numbers")
    func endedInWarmUp() async throws {
        var mark = EarlyEndMark(cause: .interrupted, ran: .minutes(7), planned: .hours(1))
        mark.warmUp = .minutes(10)
        #expect(mark.meaning == "Nothing was measured: it ended before its warm-up of 10 min was over.")
        var report = Self.report
        report.earlyEnd = mark
        let ofLoad = RunFiles(report).files[0].text
        #expect(ofLoad.contains(mark.meaning) && !ofLoad.contains("## Results") && !ofLoad.contains("latency"))
        var run = try await RunResult.running(.oneRide)
        run.realTime = .beside(speed: 60)
        run.realTime?.earlyEnd = mark
        let text = Report(run).blocks.markdown
        #expect(text.contains(mark.meaning) && !text.contains("## Freshness") && !text.contains("Of ride time"))
        mark.ran = .minutes(11)
        #expect(mark.meaning.hasPrefix("All numbers here"))
    }

    @Test("a report embedded in a page has charts as specifications and no page of its own")
    func reportBody() {
        let body = RunFiles(Self.report).reportBody
        #expect(body.hasPrefix("<h1"))
        #expect(body.components(separatedBy: "<figure class=\"chart\"").count == 4)
        #expect(body.contains("<script type=\"application/json\">") && !body.contains("<style"))
    }
}
