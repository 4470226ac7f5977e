import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Runs the commands that the pages under docs/ show.
@Suite("Commands in the documentation", .enabled(if: Loop.isFull))
struct DocumentationTests {
    private let scratch = Scratch()

    /// Runs a program with the directory of the built command on its path.
    private func shell(_ arguments: [String], environment: [String: String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        let path = Command.directory.path + ":/usr/local/bin:/usr/bin:/bin"
        process.environment = ["PATH": path].merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test("The example in docs/experiments.md prints the table on the page")
    func experiments() throws {
        let page = try Console("experiments.md")
        try scratch.write(try #require(page.blocks("yaml").first), to: "patience.yaml")
        let plain = page.blocks("")
        #expect(plain.contains { $0.contains("freshet run patience.yaml --only \"monitor.retry == thrice\" --only") })
        let outcome = try Command.run(
            "run patience.yaml --only 'monitor.retry == thrice' --only 'content.ttl > 1m' --output part",
            directory: scratch.url
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        let table = try #require(plain.last { $0.hasPrefix("point ") && $0.contains("fresh_limit") })
        #expect(outcome.output.contains(table), "\(outcome.output)")
    }

    @Test(
        "The commands of a page work as printed and give the output on the page",
        arguments: [
            ("../README.md", []), ("tutorial.md", ["our-city.yaml", "cheapest.yaml"]),
            ("how-to/plan-capacity.md", ["our-night.yaml", "silent.yaml", "come-back.yaml"]),
            ("how-to/tune-thresholds.md", ["limits.yaml"]), ("how-to/your-own-log.md", ["ours.yaml"]),
        ] as [(String, [String])]
    )
    func page(_ page: String, files: [String]) throws {
        // `make run` in the README builds this program and then runs it.
        let replaced = ["make run": "freshet run nyc-lyft-day"]
        let problems = try Console(page).problems(in: Scratch(), files: files, replaced: replaced)
        for problem in problems { Issue.record("\(problem)") }
    }

    @Test("docs/ci.md shows the output of `freshet check` and the beginning of its comment")
    func comment() throws {
        let page = try String(contentsOf: Command.root.appending(path: "docs/ci.md"), encoding: .utf8)
        let shown = try #require(page.firstMatch(of: /(?s)````markdown\n(.+?)````\n/)).1
        let change = "monitor.end_schedule=[0s,30s,2m]"
        _ = try Command.run("run release-gate --quiet --set \(change) --output \(scratch)/new")
        let outcome = try Command.run(
            """
            check \(scratch)/new --baseline \(Command.root.appending(path: "results/release-gate").path) --noise 1%
            --markdown \(scratch)/pull.md
            """
        )
        #expect(outcome.status == 98)
        let comment = try scratch.text("pull.md")
        #expect(comment.hasPrefix(shown), "\(comment.prefix(3000))")
        let printed = try #require(page.firstMatch(of: /(?s)--markdown pull\.md\n(.+?)\$ echo \$\?\n98\n/)).1
        let root = Command.root.path
        let output = outcome.output.replacing("\(scratch.path("new"))", with: "new").replacing("\(root)/", with: "")
        #expect(output == printed, "\(output)")
    }

    @Test("Slurm and Kubernetes scripts complete a plan together, worker by worker")
    func schedulers() throws {
        let file = try scratch.write(SweepCommandTests.base + SweepCommandTests.factors, to: "town.yaml")
        let plan = scratch.path("plan")
        #expect(try Command.run("plan \(file) --output \(plan)").status == 0)
        _ = try Command.run("run \(file) --quiet --output \(scratch)/plain")

        let page = try Console("many-machines.md")
        let script = try #require(page.blocks("bash").first)
        let batch = try scratch.write(script, to: "freshet.sbatch")
        for index in ["0", "2"] {
            let environment = ["SLURM_ARRAY_TASK_ID": index, "WORKERS": "4", "PLAN": plan]
            #expect(try shell(["bash", batch], environment: environment) == 0)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: plan + "/tasks").count == 8)

        let manifest = try #require(page.blocks("yaml").first)
        let command = try #require(manifest.firstMatch(of: /- -c\n +- (exec freshet .+)\n/)).1
        for index in ["1", "3"] {
            let environment = ["JOB_COMPLETION_INDEX": index, "WORKERS": "4", "PLAN": plan]
            #expect(try shell(["sh", "-c", String(command)], environment: environment) == 0)
        }
        let merged = try Command.run("merge \(plan) --quiet --output \(scratch)/merged")
        #expect(merged.status == 0, "\(merged.errors)")
        #expect(try scratch.contents(of: "merged") == scratch.contents(of: "plain"))
    }
}
