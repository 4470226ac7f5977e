import Evaluation
import LiveActivityModel
import Shell
import SimulationKernel
import Studies
import Testing
import TextFormats

@testable import Reporting
@testable import ScenarioLanguage

struct RunFilesTests {
    @Test
    func everyFileOfTheContract() async throws {
        let files = RunFiles(try await RunResult.running(.oneRide)).files
        #expect(
            files.map(\.path) == [
                "report.md", "run.json", "scenario.resolved.yaml", "summary.csv", "timeseries.csv", "replications.csv",
                "histograms.csv", "charts/freshness.vl.json", "charts/classes.vl.json",
                "charts/pushes.vl.json", "charts/funnel.vl.json", "charts/age.vl.json", "charts/stale-causes.vl.json",
            ]
        )
        #expect(files.allSatisfy { $0.text.hasSuffix("\n") && !$0.text.hasSuffix("\n\n") && !$0.text.contains("\r") })
    }

    @Test(
        "Cities have their own time series and two charts, and do not change the other time series",
        arguments: [1, 2]
    )
    func cities(jobs: Int) async throws {
        let result = try await RunResult.running(.threeCities, replications: 2, jobs: jobs)
        let files = RunFiles(result).files
        #expect(
            files.map(\.path).filter { $0.contains("series") || $0.contains("cities") } == [
                "timeseries.csv", "timeseries_by_city.csv", "charts/cities-freshness.vl.json",
                "charts/cities-live.vl.json",
            ]
        )
        #expect(files == RunFiles(try await RunResult.running(.threeCities, replications: 2)).files)
        var whole = Scenario.threeCities
        whole.rides.arrivals.cities = []
        let without = RunFiles(try await RunResult.running(whole, replications: 2)).files
        func text(_ path: String, _ files: [RunFiles.File]) -> String? { files.first { $0.path == path }?.text }
        #expect(text("timeseries.csv", files) == text("timeseries.csv", without))
        #expect(text("timeseries_by_city.csv", without) == nil)
        let report = try #require(text("report.md", files))
        #expect(report.contains("](charts/cities-freshness.vl.json)\n\n["))
        #expect(report.contains("](charts/cities-live.vl.json)\n"))
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
            result.json().text == """
                {
                  "cells": 1,
                  "counts": {"activities": 1, "events": \(result.total.eventCount), "pushes": 13, "rides": 1},
                  "fingerprint": "\(result.fingerprint.value.hexadecimal)",
                  "freshet_version": "\(Release.version)",
                  "name": "one-ride",
                  "replications": 1,
                  "run_id": "\(RunID(scenario))",
                  "schema_version": 1,
                  "seed": 18446744073709551615
                }

                """
        )
    }

    @Test("A precision target and its outcome are in run.json and in the report")
    func precision() async throws {
        var scenario = Scenario.offlinePhones
        scenario.replications.count = 2
        scenario.replications.until = Scenario.Precision()
        scenario.replications.until?.halfWidth = 0.0001
        scenario.replications.until?.atMost = 3
        let world = try ScenarioLoader.world(scenario)
        let result = try await RunEngine(world: world, jobs: 1).run(progress: RunProgress())
        let json = result.json().text
        #expect(json.contains("\"replications\": 3,"))
        #expect(json.contains("\"is_met\": false,\n"))
        #expect(json.contains("\"metric\": \"displayed_fresh_time_ratio\",\n"))
        #expect(json.contains("\"wanted_relative_half_width\": 0.000100"))
        let report = Report(result).blocks.markdown
        #expect(
            report.contains("3. `replications.until` was not met after 3 replications: displayed_fresh_time_ratio has ")
        )
        #expect(report.contains("from the differences between replications;"))
    }

    @Test("A live run has its requests over time, and its verdict reports a late driver")
    func liveRun() async throws {
        var live = try await RunResult.running(.oneRide)
        let simulated = live
        live.realTime = .beside(speed: 100, latenessP99: 12_300)
        let course = LoadCourseTests.ordinary
        let files = RunFiles(live, simulated: simulated, course: course).files
        let report = try #require(files.first { $0.path == "report.md" }).text
        #expect(report.contains("\n\n? The load generator itself was late: "))
        #expect(report.contains("; but the load generator was late by 12 ms (p99), which may distort the comparison**"))
        #expect(report.contains("## Requests in real time\n\n[\(course.rateSentence)]("))
        for name in ["rate", "latency"] {
            #expect(report.contains("](charts/\(name).vl.json)"))
            #expect(files.contains { $0.path == "charts/\(name).vl.json" })
        }
        #expect(files.first { $0.path == "run.json" }?.text.contains("\"driver_is_late\": true") == true)
    }
}
