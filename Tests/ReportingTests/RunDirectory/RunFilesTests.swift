import Experiments
import LiveActivityModel
import SimulationKernel
import Testing

@testable import Reporting

struct RunFilesTests {
    @Test
    func everyFileOfTheContract() async throws {
        let files = RunFiles(try await RunResult.running(.oneRide)).files
        #expect(
            files.map(\.path) == [
                "report.md", "run.json", "scenario.resolved.yaml", "summary.csv", "timeseries.csv", "replications.csv",
                "histograms.csv", "charts/freshness.vl.json", "charts/classes.vl.json", "charts/age.vl.json",
                "charts/pushes.vl.json",
            ]
        )
        #expect(files.allSatisfy { $0.text.hasSuffix("\n") && !$0.text.hasSuffix("\n\n") && !$0.text.contains("\r") })
    }

    @Test
    func threadsDoNotShow() async throws {
        let one = try await RunResult.running(.offlinePhones, replications: 2, jobs: 1)
        let two = try await RunResult.running(.offlinePhones, replications: 2, jobs: 2)
        #expect(RunFiles(one) == RunFiles(two))
    }

    @Test
    func description() async throws {
        var scenario = Scenario.oneRide
        scenario.seed = .max
        let result = try await RunResult.running(scenario)
        #expect(
            RunDescription(result).json.text == """
                {
                  "cells": 1,
                  "counts": {"activities": 1, "events": \(result.total.eventCount), "pushes": 13, "rides": 1},
                  "fingerprint": "\(result.fingerprint.value.hexadecimal)",
                  "name": "one-ride",
                  "replications": 1,
                  "run_id": "\(RunID(scenario))",
                  "schema_version": 1,
                  "seed": 18446744073709551615
                }

                """
        )
    }
}
