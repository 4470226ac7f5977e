import Evaluation
import Quantities
import Results
import Testing
import TextFormats

@testable import Reporting

/// The Prometheus metrics of a running load.
@Suite("Metrics of a running load")
struct LoadSnapshotMetricsTests {
    private static var report: LoadReport {
        func count(_ metric: String, _ scope: String, _ value: Int64) -> SummaryRow {
            SummaryRow(scope: scope, metric: metric, stat: "total", unit: "count", value: .integer(value))
        }
        var report = LoadReport.apns([
            count("pushes_sent_count", "kind:retry", 12), count("repeats_withheld_count", "all", 3),
            SummaryRow("request_latency_us", "mean", .decimal(1500)),
        ])
        report.course = LoadCourseTests.ordinary
        report.histograms = [.init(metric: "request_latency_us", buckets: [(1000, 1008, 1), (2000, 2008, 1)])]
        report.results.judge([try? Check(parsing: "repeats_withheld_count < 1")].compactMap(\.self))
        return report
    }

    @Test("Counters of requests due and finished, the latency as a histogram, gauges of requests in flight")
    func load() {
        let progress = LoadSnapshot.Progress(
            stage: .draining,
            elapsed: .seconds(3),
            planned: .seconds(10),
            inFlight: 4,
            waiting: 5
        )
        let text = LoadSnapshot(progress, Self.report).metrics
        let lines = text.split(separator: "\n").map(String.init)
        for line in [
            "freshet_load_info{load=\"load apns\"} 1", "freshet_load_elapsed_seconds 3.000000",
            "freshet_load_planned_seconds 10.000000",
            "freshet_load_asked_total 2000", "freshet_load_done_total 1980",
            "freshet_load_outcomes_total{outcome=\"accepted\"} 1950", "freshet_load_in_flight 4",
            "freshet_load_waiting 5", "freshet_load_retries_total 12", "freshet_load_retries_withheld_total 3",
            "freshet_load_latency_seconds_bucket{le=\"0.001023\"} 1",
            "freshet_load_latency_seconds_bucket{le=\"+Inf\"} 2", "freshet_load_latency_seconds_count 2",
            "freshet_load_latency_seconds_sum 0.003",
            "freshet_load_threshold_holds{threshold=\"repeats_withheld_count < 1\"} 0",
        ] { #expect(lines.contains(line), "\(line) is not in \(text)") }
        #expect(!text.contains("freshet_load_screens") && lines.last == "# EOF")
    }

    @Test("A threshold without a value yet neither holds nor fails, so no alert is raised")
    func undefinedThreshold() throws {
        var report = Self.report
        report.rows.append(
            SummaryRow("errors_ratio", "ratio", nil)
        )
        report.results.judge([
            try Check(parsing: "errors_ratio < 1%"), try Check(parsing: "repeats_withheld_count < 5"),
        ])
        let progress = LoadSnapshot.Progress(stage: .running, elapsed: .seconds(3), planned: .seconds(10))
        let text = LoadSnapshot(progress, report).metrics
        #expect(text.contains("threshold_holds{threshold=\"repeats_withheld_count < 5\"} 1"))
        #expect(!text.contains("errors_ratio"), "\(text)")
    }

    @Test("A load of a scenario exports shown and believed freshness")
    func screens() {
        var (screens, belief) = (FreshnessGlance.Screens(), FreshnessGlance.Belief())
        (screens.fresh, screens.leftBehind, belief.severe) = (7, 2, 1)
        var glances = FreshnessGlances()
        glances.append(FreshnessGlance(at: .seconds(1), screens: screens, belief: belief))
        let progress = LoadSnapshot.Progress(stage: .running, elapsed: .seconds(1), planned: nil)
        let text = LoadSnapshot(progress, Self.report, glances: glances).metrics
        #expect(text.contains("\nfreshet_load_screens{shows=\"fresh\"} 7\n"))
        #expect(text.contains("\nfreshet_load_screens{shows=\"left_behind\"} 2\n"))
        #expect(text.contains("\nfreshet_load_instances{class=\"severe\"} 1\n"))
        #expect(!text.contains("planned_seconds"))
    }
}
