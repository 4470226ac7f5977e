import CommandTestSupport
import Foundation
import Testing

/// `freshet monitor` before it serves: what it works by.
@Suite("freshet monitor")
struct MonitorCommandTests {
    /// Runs the service on a scenario's text, without an APNs to push to.
    private func monitor(_ text: String, _ arguments: String...) throws -> Command.Outcome {
        let scratch = try Scratch()
        _ = try scratch.file("secret", "a-secret-of-some-length")
        _ = try scratch.file("city.yaml", text)
        return try Command.run(
            [
                "--registry", "tokens.sqlite", "--apns", "http://127.0.0.1:1", "--port", "0", "--lifetime", "0.1s",
                "--topic", "com.example.rides.push-type.liveactivity", "--bearer-token-file", "secret",
                "--scenario", "city.yaml",
            ] + arguments,
            program: "freshet-monitor",
            directory: URL(filePath: scratch.path(""))
        )
    }

    @Test("A scenario says what it works by, and --set changes a value of it")
    func scenario() throws {
        let text = "monitor: {fresh_limit: 1m, scan_interval: 5s, retry: {budget: {capacity: 10}}}"
        let outcome = try monitor(text, "--set", "monitor.recovery_window=90s")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("monitor: http://localhost:"))
    }

    @Test("Whatever is wrong with the scenario is told with its place: exit 65")
    func badScenario() throws {
        let outcome = try monitor("monitor:\n  fresh_limt: 1m\n  scan_interval: -5s\n")
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("city.yaml:2:3: "), "\(outcome.errors)")
        #expect(outcome.errors.contains("fresh_limit"), "\(outcome.errors)")
        #expect(outcome.errors.contains("city.yaml:3:"), "\(outcome.errors)")
        let override = try monitor("name: city\n", "--set", "monitor.fresh_limit=soon")
        #expect(override.status == 65, "\(override.errors)")
    }

    @Test("A recovery window that the service's table cannot hold is told with its place: exit 65")
    func fineWindow() throws {
        let outcome = try monitor("monitor:\n  recovery_window: 1500us\n")
        #expect(outcome.status == 65)
        let message = "city.yaml:2:20: monitor.recovery_window must be whole milliseconds up to 12 days"
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.errors.contains("got 1500 µs"), "\(outcome.errors)")
    }
}
