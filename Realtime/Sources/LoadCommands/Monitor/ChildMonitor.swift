import Foundation
import LiveActivityModel
import LoadGenerator
import Quantities
import Reporting
import Shell
import Traces

/// A Freshness Monitor for one run, in a child process with a registry of its own.
struct ChildMonitor: Sendable {
    let target: LoadMonitorTarget
    private let process: ChildProcess
    /// The path of its event log; nil if it writes none.
    private let log: String?

    /// Starts a monitor that pushes to a stand-in, and waits until it is ready.
    ///
    /// - Parameters:
    ///   - file: The scenario file, whose section `monitor` is the monitor's policy.
    ///   - settings: Values that replace those of the file.
    ///   - scenario: The scenario of the file with these settings.
    ///   - log: The form of the event log that it writes; nil if it writes none.
    static func start(
        file: String,
        settings: [String],
        scenario: Scenario,
        speed: Double,
        standIn: ReadyFile,
        log form: EventLogWriter.Form? = nil
    ) async throws -> ChildMonitor {
        let scratch = try ScratchDirectory()
        let secret = (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined(separator: "-")
        var arguments = [
            "--registry", scratch.path("tokens.sqlite"), "--apns", "https://127.0.0.1:\(standIn.port)",
            "--topic", "com.example.rides.push-type.liveactivity",
            "--bearer-token-file", try scratch.write(secret + "\n", to: "secret"), "--port", "0",
            "--scenario", file, "--speed", "\(speed)", "--connections",
            "\(min(1000, scenario.sender.connections * scenario.cells))",
            "--timeout", "\(timeout(of: scenario))us",
        ]
        if let ca = standIn.ca { arguments += ["--ca", ca] }
        if let key = standIn.key, let kid = standIn.kid, let team = standIn.team {
            arguments += ["--key", key, "--key-id", kid, "--team-id", team]
        }
        let log = form.map { scratch.path("log.\($0.rawValue)") }
        if let log { arguments += ["--event-log", log] }
        arguments += (settings + forAllCells(scenario)).flatMap { ["--set", $0] }
        let process = try await ChildProcess(CompanionProgram("monitor"), "monitor", in: scratch, arguments: arguments)
        let url = "http://127.0.0.1:\(process.ready.port)"
        return ChildMonitor(
            target: LoadMonitorTarget(url: url, secret: secret, authority: nil),
            process: process,
            log: log
        )
    }

    /// The timeout of the scenario's sender, limited to the range that a monitor accepts [µs].
    private static func timeout(of scenario: Scenario) -> Int64 {
        max(1_000_000, min(600_000_000, scenario.sender.timeout.microseconds))
    }

    /// The settings that multiply a cell's limits by the number of cells, because this monitor serves all cells.
    static func forAllCells(_ scenario: Scenario) -> [String] {
        guard scenario.cells > 1 else { return [] }
        let sender = scenario.sender
        // In steps of 1/1000, the resolution of these keys.
        func whole(_ number: Double) -> Double { (number * Double(scenario.cells) * 1000).rounded() / 1000 }
        func whole(_ path: String, _ budget: Scenario.Budget?) -> [String] {
            guard let budget else { return [] }
            return [
                "\(path).capacity=\(whole(budget.capacity))", "\(path).per_second=\(whole(budget.perSecond))",
                "\(path).reserve=\(whole(budget.reserve))",
            ]
        }
        let budgets =
            whole("monitor.retry.budget", scenario.monitor.retry.budget)
            + whole("sender.retry_budget", sender.retryBudget)
        let queue = sender.queueLimit.map { ["sender.queue_limit=\(min(1_000_000_000, $0 * scenario.cells))"] } ?? []
        let rate = sender.rateLimit.map { limit in
            [
                "sender.rate_limit.per_second=\(whole(limit.perSecond))",
                "sender.rate_limit.burst=\(whole(limit.burst))",
            ]
        }
        return budgets + queue + (rate ?? [])
    }

    func stop() { process.stop() }

    /// Stops the monitor and writes its event log, if it has one, to a file.
    ///
    /// - Throws: `EventLogFile.WriteError`, `ExportError`.
    func stop(writing file: EventLogFile) throws {
        process.stop()
        if let log { try file.take(log) }
    }
}
