import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Plans as schedulers see them.
@Suite("freshet plan, run --task, merge", .enabled(if: Loop.isFull))
struct PlanCommandTests {
    private let scratch = Scratch()

    /// Plans a file, runs all tasks on some workers and merges; returns the name of the merged directory.
    private func merged(_ file: String, workers: Int) throws -> String {
        let plan = scratch.path("plan")
        let planned = try Command.run("plan \(file) --output \(plan)")
        #expect(planned.status == 0, "\(planned.errors)")
        for worker in (0..<workers).reversed() {
            let outcome = try Command.run("run \(plan) --task \(worker) --workers \(workers) --quiet")
            #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.errors)")
        }
        let outcome = try Command.run("merge \(plan) --quiet --output \(scratch)/merged")
        #expect(outcome.status == 0, "\(outcome.errors)")
        return "merged"
    }

    @Test("A run without factors, run in parts and merged: its directory, byte for byte", arguments: [1, 4])
    func loneRun(_ replications: Int) throws {
        let scenario = RunCommandTests.scenario + "\nreplications: \(replications)\nchecks: [\"events_count > 0\"]\n"
        let file = try scratch.write(scenario, to: "town.yaml")
        _ = try Command.run("run \(file) --quiet --output \(scratch)/plain")
        let merged = try merged(file, workers: 2)
        let expected = try scratch.contents(of: "plain")
        #expect(expected.keys.contains("summary.csv") && expected.keys.contains("charts/freshness.vl.json"))
        #expect(try scratch.contents(of: merged) == expected)
    }

    @Test("Cities, run in parts and merged: their windows, byte for byte", arguments: [1, 3])
    func cities(_ replications: Int) throws {
        let cities = "cities: [{name: east, share: 60%}, {name: west, share: 40%, time_zone: \"-03:00\"}]"
        let scenario = SmallTown.scenario(cells: 5)
            .replacing("rates_per_hour: [60]", with: "rates_per_hour: [60, 20], \(cities)")
        let file = try scratch.write(scenario + "replications: \(replications)\n", to: "town.yaml")
        _ = try Command.run("run \(file) --quiet --jobs 2 --output \(scratch)/plain")
        let merged = try merged(file, workers: 2)
        let expected = try scratch.contents(of: "plain")
        #expect(expected["timeseries_by_city.csv"]?.isEmpty == false)
        #expect(expected.keys.contains("charts/cities-live.vl.json"))
        #expect(try scratch.contents(of: merged) == expected)
        _ = try Command.run("run \(file) --quiet --jobs 1 --output \(scratch)/alone")
        #expect(try scratch.contents(of: "alone") == expected)
    }

    @Test("A sweep, run in parts and merged, twice: its directory, byte for byte")
    func sweep() throws {
        let file = try scratch.write(SweepCommandTests.base + SweepCommandTests.factors, to: "town.yaml")
        _ = try Command.run("run \(file) --quiet --output \(scratch)/plain")
        // More workers than tasks: some have no task.
        let merged = try merged(file, workers: 15)
        let expected = try scratch.contents(of: "plain")
        #expect(try scratch.contents(of: merged) == expected)
        let again = try Command.run("merge \(scratch)/plan --quiet --output \(scratch)/again")
        #expect(again.status == 0)
        #expect(try scratch.contents(of: "again") == expected)
    }

    @Test("A plan with a ride trace does not depend on the directory in which it was made")
    func rideTrace() throws {
        try scratch.makeDirectory("source")
        for name in ["trace-replay.yaml", "traces"] {
            try FileManager.default.copyItem(
                at: Command.root.appending(path: "experiments/\(name)"),
                to: scratch.url.appending(path: "source/\(name)")
            )
        }
        let file = scratch.path("source/trace-replay.yaml")
        _ = try Command.run("run \(file) --quiet --output \(scratch)/plain")
        #expect(try Command.run("plan \(file) --output \(scratch)/plan").status == 0)
        try FileManager.default.removeItem(atPath: scratch.path("source"))
        let done = try Command.run("run \(scratch)/plan --task 0 --workers 1 --quiet")
        #expect(done.status == 0, "\(done.errors)")
        _ = try Command.run("merge \(scratch)/plan --quiet --output \(scratch)/merged")
        #expect(try scratch.contents(of: "merged") == scratch.contents(of: "plain"))
    }

    @Test("A plan includes the scenarios that its scenario extends, and their data; an example needs no file")
    func extendedFiles() throws {
        try scratch.write("gap\n30\n40\n", to: "source/deep/gaps.csv")
        let refresh = "content: {refresh: {empirical: {file: gaps.csv, column: gap, unit: s}}}"
        try scratch.write("extends: region.yaml\n" + refresh, to: "source/deep/country.yaml")
        try scratch.write(RunCommandTests.scenario, to: "source/deep/region.yaml")
        let file = try scratch.write("extends: deep/country.yaml\nreplications: 2\n", to: "source/city.yaml")
        let plan = scratch.path("plan")
        let planned = try Command.run("plan \(file) --output \(plan)")
        #expect(planned.status == 0, "\(planned.errors)")
        try FileManager.default.removeItem(atPath: scratch.path("source"))
        let done = try Command.run("run \(plan) --task 0 --workers 1 --quiet")
        #expect(done.status == 0, "\(done.errors)")
        #expect(try Command.run("plan trace-replay --output \(scratch)/replay").status == 0)
        let replayed = try Command.run("run \(scratch)/replay --task 0 --workers 1 --quiet")
        #expect(replayed.status == 0, "\(replayed.errors)")
    }

    @Test("Missing parts are named and can be run again; the exit codes give the reason")
    func exitCodes() throws {
        let file = try scratch.write(SweepCommandTests.base + SweepCommandTests.factors, to: "town.yaml")
        let plan = scratch.path("plan")
        #expect(try Command.run("run \(plan) --task 0").status == 66)
        #expect(try Command.run("merge \(plan)").status == 66)
        try scratch.write("{}", to: "share/share.json")
        let share = try Command.run("merge \(scratch)/share")
        #expect(share.status == 65 && share.errors.contains("`freshet load merge` merges shares"), "\(share.errors)")
        #expect(try Command.run("plan \(file) --output \(plan)").output.hasPrefix("15 tasks in \(plan): "))
        #expect(try Command.run("plan \(file) --output \(plan) --seed 8").status == 73)
        let beyond = try Command.run("run \(plan) --task 15 --quiet")
        #expect(beyond.status == 64)
        #expect(beyond.errors == "--task must be a task of the plan, got 15; allowed: 0 … 14\n")
        for task in ["3", "4", "11"] {
            #expect(try Command.run("run \(plan) --task \(task) --quiet").status == 0)
        }
        let early = try Command.run("merge \(plan) --output \(scratch)/merged")
        #expect(early.status == 66)
        #expect(early.errors.contains("12 of 15 tasks have no result yet: 0-2,5-10,12-14; the first is replication 0"))
        #expect(!FileManager.default.fileExists(atPath: scratch.path("merged")))
        let changed = (SweepCommandTests.base + SweepCommandTests.factors).replacing("seed: 7", with: "seed: 8")
        try scratch.write(changed, to: "plan/scenario.yaml")
        for arguments in [["run", plan, "--task", "0"], ["merge", plan]] {
            let outcome = try Command.run(arguments)
            #expect(outcome.status == 65)
            #expect(outcome.errors.contains("has changed since it was planned"))
        }
    }

    @Test("A plan of a scaled-down scenario gives the same warning as a run")
    func scale() throws {
        let file = try scratch.write(SweepCommandTests.base + SweepCommandTests.factors, to: "town.yaml")
        let plan = try Command.run("plan \(file) --set rides.scale=0.1 --output \(scratch)/plan")
        #expect(plan.status == 0, "\(plan.errors)")
        #expect(plan.errors.hasPrefix("warning: rides.scale 0.1 instead of 1: "), "\(plan.errors)")
    }

    @Test("A plan rejects a run that stops at a given precision")
    func openEnd() throws {
        let file = try scratch.write(
            RunCommandTests.scenario + "\nreplications: until half-width < 4%\n",
            to: "town.yaml"
        )
        let refused = try Command.run("plan \(file) --output \(scratch)/plan")
        #expect(refused.status == 65)
        #expect(refused.errors.contains("replications.until does not work with tasks"))
        #expect(try Command.run("plan \(file) --replications 2 --output \(scratch)/plan").status == 0)
    }
}
