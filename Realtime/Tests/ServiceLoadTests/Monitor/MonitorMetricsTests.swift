import LoadGenerator
import ServiceLoad
import Testing

@Suite("Metrics of a monitor")
struct MonitorMetricsTests {
    private static func text(_ update: Int, _ refused: Int) -> String {
        """
        # TYPE freshet_monitor_pushes_sent counter
        freshet_monitor_pushes_sent_total{kind="update"} \(update)
        freshet_monitor_pushes_sent_total{kind="end"} 2
        freshet_monitor_apns_responses_total{status="429",reason="TooManyRequests"} \(refused)
        freshet_monitor_apns_responses_total{status="429",reason="TooManyProviderTokenUpdates"} 1
        freshet_monitor_scans_total 7
        freshet_monitor_scan_seconds{which="last"} 0.000123
        # EOF
        """
    }

    @Test("Counters by name and label, and their increase since an earlier snapshot")
    func counters() {
        let before = MonitorMetrics(openMetrics: Self.text(10, 3))
        let after = MonitorMetrics(openMetrics: Self.text(25, 8))
        #expect(after.counter("scans") == 7)
        #expect(after.counter("nothing") == nil)
        #expect(after.counter("apns_responses", by: "status").map(\.count) == [9])
        let between = after.since(before)
        #expect(between.counter("scans") == 0)
        #expect(between.counter("pushes_sent", by: "kind").map(\.value) == ["update"])
        #expect(between.counter("pushes_sent", by: "kind").map(\.count) == [15])
        #expect(between.counter("apns_responses", by: "status").map(\.count) == [5])
    }
}
