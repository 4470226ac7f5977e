import ArgumentParser
import CommandTestSupport
import Evaluation
import Foundation
import LiveActivityModel
import Quantities
import Reporting
import Shell
import Studies
import TestSupport
import Testing

@testable import LoadCommands
@testable import LoadGenerator
@testable import ServiceLoad

/// Measurements cannot be reproduced, so they are on the disk before any step that may take long or fail.
@Suite("Results are written before they are compared")
struct KeptResultsTests {
    private let scratch = Scratch()
    private let world: World
    private let end = EarlyEnd()

    init() throws {
        var scenario = Scenario()
        scenario.clock.duration = .minutes(5)
        scenario.rides.arrivals.count = 20
        world = try ScenarioLoader.world(scenario)
    }

    private var out: String { scratch.path("out") }
    private var options: [String] { ["--compare-with-simulation", "--quiet", "--output", out] }
    private var writer: RunWriter { RunWriter(directory: out, scenario: "a.yaml", jobs: 1, quiet: true) }

    private static let report = "report.md"

    /// The simulation of a scenario in the form of a run in real time.
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

    @Test("a scenario's run is on the disk when its simulation is stopped")
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

    @Test("it has the comparison when the simulation is done, also if a check does not hold")
    func compared() async throws {
        let command = try LoadScenarioCommand.parse(["a.yaml", "--in-process"] + options)
        let check = Check(try Comparison(parsing: "activities_started_count < 0"))
        await #expect(throws: Failure.checkFailed) {
            try await command.conclude(live(), world, writer, [check], .now, end)
        }
        let report = try String(contentsOfFile: "\(out)/\(Self.report)", encoding: .utf8)
        #expect(report.contains("Simulation and live run"))
        for file in ["comparison.md", "simulation/\(Self.report)"] {
            #expect(FileManager.default.fileExists(atPath: "\(out)/\(file)"), "\(file)")
        }
    }

    @Test("a run against a monitor is on the disk, too, when its simulation is stopped")
    func monitor() async throws {
        let command = try LoadMonitorCommand.parse(["a.yaml"] + options)
        let run = LoadMonitorScenario(file: "a.yaml", command: command, monitor: nil)
        let outcome = LoadMonitorOutcome(live: try await live(), monitor: MonitorWire.Outcome(), speed: 100)
        await #expect(throws: CancellationError.self) {
            try await run.conclude(outcome, world, RunDirectory(path: out), began: .now, end) { _ in
                #expect(FileManager.default.fileExists(atPath: "\(out)/\(Self.report)"))
                throw CancellationError()
            }
        }
        #expect(end.kept == "the results are in \(out), not compared with a simulation")
    }
}
