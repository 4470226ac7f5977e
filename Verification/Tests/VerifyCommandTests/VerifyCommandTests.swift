import CommandTestSupport
import Evaluation
import Foundation
import Studies
import TestSupport
import Testing

/// `freshet verify` as scripts see it: verdicts, exit codes, streams.
@Suite("freshet verify", .enabled(if: Loop.isFull))
struct VerifyCommandTests {
    private let scratch = Scratch()

    /// The cases of an M/M/1 queue; the share of pushes that wait equals its load.
    private static func cases(exact: String = "0.5", more: String = "") -> String {
        """
        {"cases": [
          {"id": "Q-1", "group": "queue", "model": "mmc", "params": {"lam": 0.5, "mu": 1, "c": 1}, "quantity": "C",
           "exact": \(exact), "tolerance": {"kind": "mc", "max_rel_half_width": 0.05, "min_seeds": 5}},
          {"id": "R-1", "group": "rng", "model": "pcg32", "params": {}, "quantity": "known answer",
           "exact": ["a15c02b7"], "tolerance": {"kind": "vector"}}\(more)
        ]}
        """
    }

    @Test("Exit 0 if no case fails, with one row per case; progress goes to the other stream")
    func passes() throws {
        let file = try scratch.write(Self.cases(), to: "cases.json")
        let outcome = try VerifyProgram.run(file, "--seeds", "5")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines[1].hasPrefix("Q-1   pass "))
        #expect(lines[2].hasPrefix("R-1   not_used"))
        #expect(lines.last == "1 passed, 0 failed, 0 not expressible, 1 not used")
        #expect(outcome.errors.contains("2 of 2  R-1  not_used"))
        let quiet = try VerifyProgram.run(file, "--seeds", "5", "--quiet", "--jobs", "1")
        #expect(quiet.errors.isEmpty)
        #expect(quiet.output == outcome.output)
    }

    @Test("A wrong exact value: exit 99")
    func fails() throws {
        let file = try scratch.write(Self.cases(exact: "0.6"), to: "cases.json")
        let outcome = try VerifyProgram.run(file, "--seeds", "5", "--quiet", "--format", "json")
        #expect(outcome.status == 99)
        let objects = try #require(
            JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]]
        )
        #expect(objects.map { $0["verdict"] as? String } == ["fail", "not_used"])
        #expect(objects[0]["exact"] as? Double == 0.6)
    }

    @Test("An invalid file: exit 65, each error with its place")
    func badFile() throws {
        let more = """
            ,
              {"id": "Q-2", "group": "queue", "model": "mmc", "params": {"lam": "x", "mu": 1}, "quantity": "C",
               "exact": 1, "tolerance": {"kind": "mc"}}
            """
        let file = try scratch.write(Self.cases(more: more), to: "cases.json")
        let outcome = try VerifyProgram.run(file)
        #expect(outcome.status == 65)
        #expect(outcome.output.isEmpty)
        #expect(
            outcome.errors.contains("\(file):6:69: case Q-2: lam must be a number within 1e-09 …")
        )
        #expect(outcome.errors.contains("\(file):6:3: case Q-2: the parameter c is missing"))
    }

    @Test("A missing file: exit 66")
    func missing() throws {
        #expect(try VerifyProgram.run("/nowhere/cases.json").status == 66)
    }

    @Test("Only cases with a prefix are run; no such case: exit 64")
    func only() throws {
        let file = try scratch.write(Self.cases(exact: "0.6"), to: "cases.json")
        let outcome = try VerifyProgram.run(file, "--only", "R-")
        #expect(outcome.status == 0)
        #expect(!outcome.output.contains("Q-1"))
        let none = try VerifyProgram.run(file, "--only", "X")
        #expect(none.status == 64 && none.errors.hasSuffix("begins with \"X\"; allowed: Q, R\n"), "\(none.errors)")
        let near = try VerifyProgram.run(file, "--show-scenario", "R-2")
        #expect(
            near.status == 64 && near.errors.hasSuffix("has no case \"R-2\"; did you mean \"R-1\"?\n"),
            "\(near.errors)"
        )
        #expect(try VerifyProgram.run(file, "--show-scenario", "R-1").status == 64)
    }

    @Test("The printed scenario is an ordinary one and gives the same number")
    func showsScenario() async throws {
        let file = try scratch.write(Self.cases(), to: "cases.json")
        let shown = try VerifyProgram.run(file, "--show-scenario", "Q-1")
        #expect(shown.status == 0)
        #expect(shown.output.hasPrefix("# Case Q-1: mmc.\n# C is send_wait_over_ratio.\n"))
        let world = try ScenarioLoader.load(file: try scratch.write(shown.output, to: "queue.yaml"))
        let result = try await RunEngine(world: world, replications: 8, jobs: 2).run(progress: RunProgress())
        let row = try #require(Summary(result).rows.first { $0.metric == "send_wait_over_ratio" })
        let interval = try #require(row.interval)
        let (low, high) = (interval.lowerBound, interval.upperBound)
        // Three times the interval: wide enough for this seed, narrow enough to distinguish C from similar values.
        #expect(low - (high - low) < 0.5 && 0.5 < high + (high - low))
        #expect(high - low < 0.1)
    }
}
