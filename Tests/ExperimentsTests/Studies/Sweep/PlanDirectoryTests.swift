import Foundation
import LiveActivityModel
import TestSupport
import Testing

@testable import ScenarioLanguage
@testable import Studies

@Suite("Plan directories")
struct PlanDirectoryTests {
    private let scratch = Scratch()
    private let directory: PlanDirectory

    init() throws {
        directory = PlanDirectory(path: scratch.path("plan"))
    }

    /// Plans the sweep of a text.
    @discardableResult
    private func plan(_ yaml: String = SmallSweep.scenario + SmallSweep.factors, only: [String] = []) throws -> Sweep {
        let plan = Plan(
            file: try scratch.write(yaml, to: "source/town.yaml"),
            settings: [],
            replications: nil,
            only: only
        )
        let sweep = try plan.sweep()
        try directory.write(plan, sweep)
        return sweep
    }

    @Test("A plan is read back, whole or a few tasks at a time", .enabled(if: Loop.isFull))
    func roundTrip() throws {
        let sweep = try plan(only: ["content.ttl == short"])
        #expect(try scratch.contents(of: "plan").keys.sorted() == ["plan.json", "scenario.yaml"])
        #expect(try directory.sweep().tasks == sweep.tasks)
        #expect(try directory.sweep().id == sweep.id)
        // Three points and the present settings, with two replications each.
        #expect(try directory.taskCount() == 8)
        let (part, tasks) = try directory.tasks([5, 1])
        #expect(tasks == [sweep.tasks[5], sweep.tasks[1]])
        // Only the required points are built.
        #expect(part.points.map(\.number) == [0, 3])
        // The source is no longer needed.
        try FileManager.default.removeItem(atPath: scratch.path("source"))
        #expect(try directory.sweep().tasks == sweep.tasks)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["plan"])
    }

    @Test(
        "An identical plan changes nothing; another plan and other files are not touched",
        .enabled(if: Loop.isFull)
    )
    func again() throws {
        try plan()
        let before = try scratch.contents(of: "plan")
        try plan()
        #expect(try scratch.contents(of: "plan") == before)
        #expect(throws: PlanDirectory.Failure.notWritable("\(directory.path): holds another plan")) {
            try plan(only: ["content.ttl == short"])
        }
        // The same tasks with another request.
        #expect(throws: PlanDirectory.Failure.notWritable("\(directory.path): holds another plan")) {
            try plan(SmallSweep.scenario + SmallSweep.factors + "checks: [events_count > 1]\n")
        }
        try scratch.write("mine", to: "other/notes.txt")
        let other = PlanDirectory(path: scratch.path("other"))
        let file = scratch.path("source/town.yaml")
        let written = Plan(file: file, settings: [], replications: nil, only: [])
        #expect(throws: PlanDirectory.Failure.notWritable("\(other.path): holds other files and no plan")) {
            try other.write(written, written.sweep())
        }
        // An empty directory is accepted.
        let empty = PlanDirectory(path: scratch.path("empty"))
        try FileManager.default.createDirectory(atPath: empty.path, withIntermediateDirectories: true)
        try empty.write(written, written.sweep())
        #expect(try empty.taskCount() == 12)
        // No directory can be created below a file.
        let blocked = PlanDirectory(path: scratch.path("other/notes.txt/plan"))
        #expect(throws: PlanDirectory.Failure.self) { try blocked.write(written, written.sweep()) }
        #expect(try scratch.contents(of: "other").keys.sorted() == ["notes.txt"])
    }

    @Test(
        "A plan is rejected after any change to its scenario",
        .enabled(if: Loop.isFull),
        arguments: [
            ("cells: 3", "cells: 4"), ("[1m, 2m, 4m]", "[1m, 2m, 5m]"), ("replications: 2", "replications: 3"),
            ("seed: 7", "seed: 8"),
        ]
    )
    func changed(_ old: String, _ new: String) throws {
        try plan()
        let yaml = (SmallSweep.scenario + SmallSweep.factors).replacing(old, with: new)
        try scratch.write(yaml, to: "plan/scenario.yaml")
        let text = "\(directory.path): the scenario or its data has changed since it was planned"
        #expect(throws: PlanDirectory.Failure.invalid(text)) { try directory.sweep() }
        #expect(throws: PlanDirectory.Failure.invalid(text)) { try directory.tasks([9]) }
    }

    @Test("A plan of another model version, a damaged plan and a missing plan are rejected")
    func unusable() throws {
        #expect(
            throws: PlanDirectory.Failure.missing("\(directory.path): there is no plan.json; freshet plan writes one")
        ) {
            try directory.sweep()
        }
        try plan()
        let file = scratch.path("plan/plan.json")
        let text = try scratch.text("plan/plan.json")
        let model = try #require(text.firstMatch(of: /"model": "([0-9a-f]{16})"/)).1
        try scratch.write(text.replacing(model, with: "0123456789abcdef"), to: "plan/plan.json")
        #expect(
            throws: PlanDirectory.Failure.invalid(
                "\(directory.path): was planned by another version of freshet, whose results would differ"
            )
        ) { try directory.tasks([3]) }
        for damaged in ["", "{}", String(text.dropLast(9)), text.replacing("\"format\": 1", with: "\"format\": 2")] {
            try scratch.write(damaged, to: "plan/plan.json")
            #expect(throws: PlanDirectory.Failure.invalid("\(file): is not a plan of this version")) {
                try directory.taskCount()
            }
        }
    }

    @Test("Data files are included, also those that only a factor names, and through symbolic links")
    func dataFiles() throws {
        try scratch.write("gap\n10\n20\n", to: "source/data/one.csv")
        try scratch.write("gap\n30\n40\n", to: "elsewhere.csv")
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path("source/data/two.csv"),
            withDestinationPath: "../../elsewhere.csv"
        )
        let sweep = try plan(
            SmallSweep.scenario + """
                factors:
                  vary:
                    content.refresh:
                      fixed: {constant: 60s}
                      one: {empirical: {file: data/one.csv, column: gap, unit: s}}
                      two: {empirical: {file: data/two.csv, column: gap, unit: s}}
                """
        )
        #expect(sweep.dataFiles.map(\.file) == ["data/one.csv", "data/two.csv"])
        try FileManager.default.removeItem(atPath: scratch.path("source"))
        try FileManager.default.removeItem(atPath: scratch.path("elsewhere.csv"))
        #expect(try directory.sweep().tasks == sweep.tasks)
        try scratch.write("gap\n30\n41\n", to: "plan/data/two.csv")
        #expect(throws: PlanDirectory.Failure.self) { try directory.sweep() }
    }

    @Test("Data files that a plan cannot contain are rejected, and no files remain")
    func foreignData() throws {
        try scratch.write("gap\n10\n20\n", to: "outside.csv")
        try scratch.write("gap\n10\n20\n", to: "source/plan.json")
        for (name, text) in [("../outside.csv", "is outside"), ("plan.json", "the plan itself has a file")] {
            let refresh = "refresh: {empirical: {file: \(name), column: gap, unit: s}}"
            let error = #expect(throws: PlanDirectory.Failure.self) {
                try plan(SmallSweep.scenario.replacing("refresh: {constant: 60s}", with: refresh))
            }
            #expect(error?.description.hasPrefix("\(name): \(text)") == true)
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == ["outside.csv", "source"]
        )
    }
}
