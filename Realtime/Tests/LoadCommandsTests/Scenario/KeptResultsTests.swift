import ArgumentParser
import CommandTestSupport
import Experiments
import Foundation
import LiveActivityModel
import Quantities
import Reporting
import Testing

@testable import LoadCommands
@testable import LoadGenerator
@testable import ServiceLoad

/// Measurements cannot be repeated, so they are on disk before any further step that may be slow or fail.
@Suite("Results are written before the comparison")
struct KeptResultsTests {
    private let scratch: Scratch
    private let world: World
    private let end = EarlyEnd()

    init() throws {
        scratch = try Scratch()
        var scenario = Scenario()
        scenario.clock.duration = .minutes(5)
        scenario.rides.arrivals.count = 20
        world = try ScenarioLoader.world(scenario)
    }

    private var out: String { scratch.path("out") }
    private var options: [String] { ["--compare-with-simulation", "--quiet", "--output", out] }
    private var writer: RunWriter { RunWriter(directory: out, scenario: "a.yaml", jobs: 1, quiet: true) }

    private static let report = "report.md"

    /// The run of a scenario, as if it had been live.
    private func live() async throws -> LiveOutcome {
        var result = try await RunResult.simulated(world)
        result.realTime = RealTime(
            speed: 100,
            apns: "in_process",
            isObserved: true,
            requests: 0,
            lateness: LiveOutcome.Lateness().summary(atSpeed: 100)
        )
        return LiveOutcome(result: result, lateness: LiveOutcome.Lateness(), speed: 100, progress: LiveProgress())
    }

    @Test("a scenario's run remains if its simulation is stopped")
    func scenario() async throws {
        let command = try LoadScenarioCommand.parse(["a.yaml", "--in-process"] + options)
        let live = try await live()
        await #expect(throws: CancellationError.self) {
            try await command.conclude(live, world, writer, [], .now, end) { _ in
                #expect(FileManager.default.fileExists(atPath: "\(out)/\(Self.report)"))
                throw CancellationError()
            }
        }
        #expect(end.kept == "the results are in \(out), not compared with a simulation")
        #expect(!FileManager.default.fileExists(atPath: "\(out)/comparison.md"))
    }

    @Test("the run contains the comparison when the simulation is finished, even if a check fails")
    func compared() async throws {
        let command = try LoadScenarioCommand.parse(["a.yaml", "--in-process"] + options)
        let check = Check(try Comparison(parsing: "activities_started_count < 0"))
        await #expect(throws: Failure.checkFailed) {
            try await command.conclude(live(), world, writer, [check], .now, end)
        }
        let report = try String(contentsOfFile: "\(out)/\(Self.report)", encoding: .utf8)
        #expect(report.contains("Simulated and in real time"))
        for file in ["comparison.md", "simulation/\(Self.report)"] {
            #expect(FileManager.default.fileExists(atPath: "\(out)/\(file)"), "\(file)")
        }
    }

    @Test("a run against a monitor remains, too, if its simulation is stopped")
    func monitor() async throws {
        let command = try LoadMonitorCommand.parse(["a.yaml"] + options)
        let run = LoadMonitorScenario(file: "a.yaml", command: command, monitor: nil)
        let outcome = LoadMonitorOutcome(live: try await live(), monitor: MonitorWire.Outcome(), speed: 100)
        await #expect(throws: CancellationError.self) {
            try await run.conclude(outcome, world, RunDirectory(path: out), [], began: .now, end) { _ in
                #expect(FileManager.default.fileExists(atPath: "\(out)/\(Self.report)"))
                throw CancellationError()
            }
        }
        #expect(end.kept == "the results are in \(out), not compared with a simulation")
    }
}
