import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Rides, monitor, stand-in and screens in three processes.
@Suite("freshet load monitor", .serialized)
struct LoadMonitorCommandTests {
    private let scratch = Scratch()

    private static let scenario = """
        name: few
        seed: 3
        clock: {duration: 2m, drain: 30m}
        rides:
          arrivals: {process: even, count: 8, spread: 1m}
          stages:
            - {name: wait, duration: 40s, refresh: 10s}
            - {name: trip, duration: 60s, refresh: 20s}
        content: {ttl: 1m}
        devices: {token: {delay: 1s}}
        apns: {latency: 500ms}
        """

    @Test("A scenario passes through a monitor of its own to its phones' screens")
    func endToEnd() throws {
        let file = try scratch.write(Self.scenario, to: "few.yaml")
        let outcome = try Command.load(
            """
            monitor \(file) --speed 30 --output \(scratch)/out --quiet --threshold 'monitor_requests_count.total > 0'
            --threshold 'displayed_fresh_time_ratio >= 1%' --threshold 'request_latency_us.p50 > 1h'
            """
        )
        // The last threshold must fail.
        #expect(outcome.status == 99, "\(outcome.errors)")
        #expect(outcome.errors.contains(/request_latency_us\.p50 +> 1h/), "\(outcome.errors)")
        let checks = try scratch.text("out/checks.csv")
        #expect(checks.contains(",holds\n") && checks.contains(",fails\n"), "\(checks)")
        let summary = try scratch.summary()
        #expect(summary["all,activities_started_count,total"] == 8)
        #expect(summary["reason:ride_over,activities_ended_count,total"] == 8)
        #expect(summary["request:publish,monitor_requests_count,total"] == 8)
        #expect(summary["request:end,monitor_requests_count,total"] == 8)
        #expect(summary["request:withdraw,monitor_requests_count,total"] == 8)
        #expect(summary["status:201,monitor_response_count,total"] == 8)
        #expect(summary["all,monitor_response_missing_count,total"] == 0)
        // Each ride has a stage change and six refreshes. On a slower machine newer pushes replace more of them.
        #expect(summary["kind:update,pushes_sent_count,total"] ?? 0 >= 8)
        #expect(summary["kind:end,pushes_sent_count,total"] ?? 0 >= 8)
        #expect(summary["fate:shown,push_fate_count,total"] ?? 0 >= 8)
        #expect(summary["fate:ended,push_fate_count,total"] == 8)
        #expect(summary["all,displayed_fresh_time_ratio,ratio"] ?? 0 > 0.1)
        #expect(summary["all,age_of_information_us,mean"] ?? 0 > 1e6)
        #expect(!FileManager.default.fileExists(atPath: scratch.path("out/tokens.sqlite")))
    }

    @Test("Wrong options are reported before anything is started")
    func refusals() throws {
        let file = try scratch.write(Self.scenario, to: "few.yaml")
        let secret = try scratch.write("a-secret-of-some-length", to: "secret")
        try #require(mkfifo(scratch.path("pipe"), 0o600) == 0)
        let monitor = ["--monitor", "https://127.0.0.1:1", "--bearer-token-file", secret]
        let cases: [(arguments: [String], status: Int32, says: String)] = [
            ([], 64, "a scenario, or --monitor with --bearer-token-file"),
            ([file, "--rate", "5"], 64, "a scenario and --rate are mutually exclusive"),
            ([file, "--monitor", "http://127.0.0.1:1", "--bearer-token-file", "x"], 64, "needs --ready-file"),
            (["--duration", "30"], 64, "--duration must be a duration such as 250ms, 30s or 1m30s, got 30"),
            (["--duration", "25h"], 64, "--duration must be within 1ms...1d, got 25h"),
            (["--speed", "5"], 64, "--speed needs a scenario"),
            ([file, "--speed", "0"], 64, "--speed must be within 0.001...1000, got 0.0"),
            (
                [file, "--threshold", "no_such_metric < 1"], 65,
                "--threshold must name a metric of this load, got \"no_such_metric\""
            ),
            ([file, "--ready-file", scratch.path("none")], 66, "there is no such file"),
            (monitor + ["--ca", scratch.path("pipe")], 65, "pipe: is a named pipe, must be a regular file"),
            (monitor + ["--rate", "-1/s"], 64, "--rate must be a rate above 0/s"),
            ([scratch.path("none.yaml")], 66, "none.yaml"),
            ([file, "--set", "devices.start.by=push"], 65, "devices.start.by must be"),
            ([file, "--set", "monitor.feedback=delivery"], 65, "monitor.feedback must be"),
            ([file, "--set", "monitor.enabled=false"], 65, "monitor.enabled must be true"),
        ]
        for (arguments, status, says) in cases {
            let outcome = try Command.load("monitor \(arguments) --output \(scratch)/out")
            #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
            #expect(outcome.errors.contains(says), "\(arguments): \(outcome.errors)")
        }
    }
}
