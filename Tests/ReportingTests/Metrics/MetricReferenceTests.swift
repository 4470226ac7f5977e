import Evaluation
import Foundation
import LiveActivityModel
import Quantities
import Reporting
import Testing
import TextFormats

@Suite("The reference of metrics")
struct MetricReferenceTests {
    private static func metrics(_ pattern: String = "*") -> [MetricDescription] {
        var scenario = Scenario()
        scenario.measure.ageOver = [.minutes(1)]
        scenario.measure.waitOver = [.seconds(1)]
        return MetricDescription.all(of: scenario).filter { $0.matches(pattern) }
    }

    @Test("A few metrics are shown in detail, with descriptions of their scopes")
    func full() {
        #expect(
            MetricReference(Self.metrics("stale_episodes_count")).plain == """
                stale_episodes_count  [count]  lower is better; definition depends on content.ttl, monitor.fresh_limit, monitor.recovery_window
                  Episodes: times an instance became stale for the monitor, by how the episode ended.
                  statistics: total
                  example:    stale_episodes_count <= 1000
                  scopes:
                    outcome:recovered    fresh again
                    outcome:severe       given up as severely stale
                    outcome:cut_short    cut short by the end of the activity
                    outcome:open_at_end  still open at the end of the run

                """
        )
    }

    @Test("Many metrics have a name and a meaning each")
    func list() {
        let lines = MetricReference(Self.metrics()).plain.split(separator: "\n")
        #expect(lines.count == 2 * Self.metrics().count)
        #expect(lines.contains("send_time_us  [us]  lower is better"))
        #expect(
            lines.contains(
                "  Time from the offer of a push to APNs' answer; in a load, from the start of its request. Excludes pushes without an answer by the end."
            )
        )
    }

    @Test("Metrics of loads only are a separate group after the simulator's")
    func loads() {
        func named(_ names: [String]) -> [MetricDescription] {
            (Self.metrics() + MetricDescription.ofLoads).filter { names.contains($0.name) }
        }
        #expect(
            MetricReference(named(["goaways_count", "monitor_requests_count"])).plain == """
                Metrics of `freshet load` and of the monitor's page:

                goaways_count  [count]
                  GOAWAY frames with which APNs announced the end of a connection.
                  statistics: total
                  example:    goaways_count <= 1000

                monitor_requests_count  [count]
                  Requests sent to the monitor.
                  statistics: total
                  example:    monitor_requests_count <= 1000
                  scopes:
                    request:…

                """
        )
        let both = MetricReference(named(["goaways_count", "rides_requested_count"]))
        #expect(
            both.plain.contains(
                "\n\nMetrics of `freshet load` and of the monitor's page, in addition to the metrics above"
            )
        )
        #expect(both.plain.hasPrefix("rides_requested_count"))
        #expect(both.markdown.split(separator: "\n").filter { $0.hasPrefix("## ") } == ["## Of loads"])
        #expect(both.json.text.contains("\"of_loads\": true"))
    }

    @Test("JSON has the same content")
    func json() {
        #expect(
            MetricReference(Self.metrics("send_time_us")).json.text == """
                [
                  {
                    "better": "lower",
                    "example": "send_time_us.p95 <= 1m30s",
                    "is_share": false,
                    "meaning": "Time from the offer of a push to APNs' answer; in a load, from the start of its request. Excludes pushes without an answer by the end.",
                    "measured_by": [],
                    "name": "send_time_us",
                    "of_loads": false,
                    "scopes": ["all", "rank:0", "rank:1"],
                    "statistics": ["mean", "count", "p50", "p95", "p99", "max"],
                    "unit": "us"
                  }
                ]

                """
        )
    }

    @Test("JSON states which metrics are shares: not all that have no unit")
    func shares() {
        for (name, isShare) in [("ride_fresh_coverage_ratio", true), ("pushes_per_activity", false)] {
            #expect(MetricReference(Self.metrics(name)).json.text.contains(#""is_share": \#(isShare)"#), "\(name)")
        }
    }

    @Test("docs/metrics.md is up to date: `freshet metrics --format markdown`")
    func documentation() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/metrics.md"), encoding: .utf8)
        #expect(page.hasSuffix(MetricReference(Self.metrics() + MetricDescription.ofLoads).markdown))
    }
}
