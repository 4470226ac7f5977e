import Foundation
import LiveActivityModel
import LoadGenerator
import Quantities
import Reporting

/// A Freshness Monitor that is started for one run, as a process of its own with a registry of its own.
struct ChildMonitor: Sendable {
    let target: LoadMonitorTarget
    private let process: ChildProcess

    /// Starts a monitor that pushes to a stand-in, and waits until it is ready; its policy is the section `monitor` of a file
    /// with settings in place of the file's values, which come to a scenario.
    static func start(
        file: String,
        settings: [String],
        scenario: Scenario,
        speed: Double,
        standIn: ReadyFile
    ) async throws -> ChildMonitor {
        let scratch = try ScratchDirectory()
        let secret = (0..<4).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined(separator: "-")
        var arguments = [
            "--registry", scratch.path("tokens.sqlite"), "--apns", "https://127.0.0.1:\(standIn.port)",
            "--topic", "com.example.rides.push-type.liveactivity",
            "--bearer-token-file", try scratch.write(secret + "\n", to: "secret"), "--port", "0",
            "--scenario", file, "--speed", "\(speed)", "--connections", "\(min(1000, scenario.sender.connections))",
            "--timeout", "\(timeout(of: scenario))us",
        ]
        if let ca = standIn.ca { arguments += ["--ca", ca] }
        if let key = standIn.key, let kid = standIn.kid, let team = standIn.team {
            arguments += ["--key", key, "--key-id", kid, "--team-id", team]
        }
        arguments += (settings + wholeBudget(of: scenario)).flatMap { ["--set", $0] }
        let process = try await ChildProcess(CompanionProgram("monitor"), "monitor", in: scratch, arguments: arguments)
        let url = "http://127.0.0.1:\(process.ready.port)"
        return ChildMonitor(target: LoadMonitorTarget(url: url, secret: secret, authority: nil), process: process)
    }

    /// What the scenario's sender waits for an answer, within what a monitor takes [µs].
    private static func timeout(of scenario: Scenario) -> Int64 {
        max(1_000_000, min(600_000_000, scenario.sender.timeout.microseconds))
    }

    /// A scenario's budget of retries is a cell's; this monitor takes the place of those of all cells.
    private static func wholeBudget(of scenario: Scenario) -> [String] {
        guard let budget = scenario.monitor.retry.budget, scenario.cells > 1 else { return [] }
        let cells = Double(scenario.cells)
        return [
            "monitor.retry.budget.capacity=\(budget.capacity * cells)",
            "monitor.retry.budget.per_second=\(budget.perSecond * cells)",
            "monitor.retry.budget.reserve=\(budget.reserve * cells)",
        ]
    }

    func stop() { process.stop() }
}
