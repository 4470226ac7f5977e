import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// `freshet monitor` before it serves: its settings.
@Suite("freshet monitor")
struct MonitorCommandTests {
    private let scratch = Scratch()

    /// Runs the service on a scenario's text, without an APNs endpoint.
    private func monitor(_ text: String?, secretMode: mode_t = 0o600, _ arguments: String...) throws -> Command.Outcome
    {
        let scratch = Scratch()
        chmod(try scratch.write("a-secret-of-some-length", to: "secret"), secretMode)
        if let text { try scratch.write(text, to: "city.yaml") }
        return try Command.run(
            [
                "--registry", "tokens.sqlite", "--apns", "http://127.0.0.1:1", "--port", "0", "--lifetime", "0.1s",
                "--topic", "com.example.rides.push-type.liveactivity", "--bearer-token-file", "secret",
            ] + (text == nil ? [] : ["--scenario", "city.yaml"]) + arguments,
            program: "freshet-monitor",
            directory: scratch.url
        )
    }

    @Test("The settings come from a scenario, and --set changes a value")
    func scenario() throws {
        let text = "monitor: {fresh_limit: 1m, scan_interval: 5s, retry: {budget: {capacity: 10}}}"
        let outcome = try monitor(text, "--set", "monitor.recovery_window=90s")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("monitor: http://localhost:"))
    }

    @Test("Without a scenario --set changes a default")
    func defaults() throws {
        let outcome = try monitor(nil, "--set", "monitor.recovery_window=90s")
        #expect(outcome.status == 0, "\(outcome.errors)")
        // The value was read: a setting that a service cannot follow is rejected.
        let fine = try monitor(nil, "--set", "monitor.recovery_window=1500us")
        #expect(fine.status == 65)
        #expect(fine.errors.contains("monitor.recovery_window must be whole milliseconds"), "\(fine.errors)")
        let unknown = try monitor(nil, "--set", "monitor.fresh_limt=1m")
        #expect(unknown.status == 65 && unknown.errors.contains("fresh_limit"), "\(unknown.errors)")
    }

    @Test("Any error in the scenario is reported with its place: exit 65")
    func badScenario() throws {
        let outcome = try monitor("monitor:\n  fresh_limt: 1m\n  scan_interval: -5s\n")
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("city.yaml:2:3: "), "\(outcome.errors)")
        #expect(outcome.errors.contains("fresh_limit"), "\(outcome.errors)")
        #expect(outcome.errors.contains("city.yaml:3:"), "\(outcome.errors)")
        let override = try monitor("name: city\n", "--set", "monitor.fresh_limit=soon")
        #expect(override.status == 65, "\(override.errors)")
    }

    @Test("An event log begins with the service; Parquet and a path that cannot be written are refused")
    func eventLog() throws {
        let outcome = try monitor(nil, "--event-log", "log.csv")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let parquet = try monitor(nil, "--event-log", "log.parquet")
        #expect(
            parquet.status == 64 && parquet.errors.contains("--event-log must be NDJSON or CSV"),
            "\(parquet.errors)"
        )
        let nowhere = try monitor(nil, "--event-log", "/proc/none/log.csv")
        #expect(nowhere.status == 73 && nowhere.errors.contains("/proc/none/log.csv: cannot be written"))
    }

    @Test("A port in use ends the command with 75 and the option that chooses another one")
    func portInUse() throws {
        let other = try #require(ListeningSocket())
        defer { other.close() }
        let outcome = try monitor(nil, "--port", "\(other.port)")
        #expect(outcome.status == 75, "\(outcome.errors)")
        let reason = "port \(other.port) of 127.0.0.1 for requests is in use; choose another one: --port NUMBER"
        #expect(outcome.errors.contains(reason) && !outcome.errors.contains("bind("), "\(outcome.errors)")
    }

    @Test("A secret that every user of the machine can read is warned about", arguments: [0o644, 0o640, 0o600])
    func openSecret(mode: mode_t) throws {
        let outcome = try monitor("name: city\n", secretMode: mode)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let warning =
            "warning: secret: every user of this machine can read this secret; chmod 600 keeps it to its owner"
        #expect(outcome.errors.contains(warning) == (mode == 0o644), "\(outcome.errors)")
    }

    @Test("A recovery window too large for the service's table is reported with its place: exit 65")
    func fineWindow() throws {
        let outcome = try monitor("monitor:\n  recovery_window: 1500us\n")
        #expect(outcome.status == 65)
        let message = "city.yaml:2:20: monitor.recovery_window must be whole milliseconds up to 12 days"
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        #expect(outcome.errors.contains("got 1500 µs"), "\(outcome.errors)")
    }

    @Test("A registry that is another program's file is rejected with a message: exit 65, and the file is unchanged")
    func foreignRegistry() throws {
        // An SQLite file with one empty page; its header has an application id.
        var page = [UInt8](repeating: 0, count: 512)
        page.replaceSubrange(0..<24, with: Array("SQLite format 3\0".utf8) + [2, 0, 1, 1, 0, 64, 32, 32])
        (page[31], page[47], page[59], page[100]) = (1, 4, 1, 13)
        page.replaceSubrange(68..<72, with: [0, 0, 4, 0xD2])
        page.replaceSubrange(105..<107, with: [2, 0])
        let path = scratch.path("app.sqlite")
        try Data(page).write(to: URL(fileURLWithPath: path))
        let outcome = try monitor("name: city\n", "--registry", path)
        #expect(outcome.status == 65 && outcome.output.isEmpty)
        let words =
            "\(path): is another program's file: its application id is 0x4d2; allowed: a registry that freshet monitor"
        #expect(outcome.errors.hasPrefix(words), "\(outcome.errors)")
        #expect(outcome.errors.hasSuffix("it is unchanged: give --registry another file\n"), "\(outcome.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(page))
        let text = try scratch.write(String(repeating: "no database\n", count: 100), to: "notes.txt")
        let noDatabase = try monitor("name: city\n", "--registry", text)
        #expect(noDatabase.status == 65)
        #expect(noDatabase.errors == "\(text): cannot be used as a token registry: file is not a database\n")
    }
}
