import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// What the pages under docs/ say to type is typed here.
@Suite("Commands in the documentation", .enabled(if: Loop.isFull))
struct DocumentationTests {
    /// The blocks of a page in a language; none: the plain ones.
    private func blocks(_ language: String, of page: String) throws -> [String] {
        let text = try String(contentsOf: Command.root.appending(path: "docs/\(page)"), encoding: .utf8)
        var blocks: [String] = []
        var lines: [Substring]?
        var isWanted = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```"), let block = lines {
                if isWanted { blocks.append(block.joined(separator: "\n") + "\n") }
                lines = nil
            } else if line.hasPrefix("```") {
                isWanted = line.dropFirst(3) == language
                lines = []
            } else {
                lines?.append(line)
            }
        }
        return blocks
    }

    /// Runs a program with the built command on its path.
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

    @Test("The example of docs/experiments.md gives the table that stands there")
    func experiments() throws {
        let scratch = try Scratch()
        _ = try scratch.file("patience.yaml", try #require(blocks("yaml", of: "experiments.md").first))
        let plain = try blocks("", of: "experiments.md")
        #expect(plain.contains { $0.contains("freshet run patience.yaml --only \"monitor.retry == thrice\" --only") })
        let outcome = try Command.run(
            [
                "run", "patience.yaml", "--only", "monitor.retry == thrice", "--only", "content.ttl > 1m", "--output",
                "part",
            ],
            directory: scratch.url
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        let table = try #require(plain.last { $0.hasPrefix("point ") && $0.contains("fresh_limit") })
        #expect(outcome.output.contains(table), "\(outcome.output)")
    }

    /// Types the commands of a page's console blocks, one after the other, where its YAML files lie, and holds what each
    /// prints against the lines below it: they stand in the output, in their order.
    private func follow(_ page: String, files: [String]) throws {
        let scratch = try Scratch()
        for (name, text) in zip(files, try blocks("yaml", of: page)) { _ = try scratch.file(name, text) }
        var expected: [(command: String, lines: [Substring])] = []
        for line in try blocks("console", of: page).joined().split(separator: "\n") {
            if line.hasPrefix("$ ") {
                expected.append((String(line.dropFirst(2)), []))
            } else {
                expected[expected.count - 1].lines.append(line)
            }
        }
        #expect(!expected.isEmpty)
        for (command, lines) in expected {
            let words = command.split(separator: " ").map(String.init)
            #expect(words.first == "freshet", "\(command)")
            let outcome = try Command.run(Array(words.dropFirst()), directory: scratch.url)
            #expect(outcome.status == 0, "\(command): \(outcome.errors)")
            var rest = outcome.output[...]
            for line in lines {
                guard let place = rest.firstRange(of: line) else {
                    Issue.record("\(page): \(command) does not print, in this order: \(line)\n\(outcome.output)")
                    break
                }
                rest = rest[place.upperBound...]
            }
        }
    }

    @Test("README and tutorial can be typed as they stand, and print what they say")
    func pages() throws {
        try follow("../README.md", files: [])
        try follow("tutorial.md", files: ["our-city.yaml", "cheapest.yaml"])
    }

    @Test("The scripts for Slurm and Kubernetes do a plan between them, worker by worker")
    func schedulers() throws {
        let scratch = try Scratch()
        let file = try scratch.file("town.yaml", SweepCommandTests.base + SweepCommandTests.factors)
        let plan = scratch.path("plan")
        #expect(try Command.run("plan", file, "--output", plan).status == 0)
        _ = try Command.run("run", file, "--quiet", "--output", scratch.path("plain"))

        let script = try #require(blocks("bash", of: "many-machines.md").first)
        let batch = try scratch.file("freshet.sbatch", script)
        for index in ["0", "2"] {
            let environment = ["SLURM_ARRAY_TASK_ID": index, "WORKERS": "4", "PLAN": plan]
            #expect(try shell(["bash", batch], environment: environment) == 0)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: plan + "/tasks").count == 6)

        let manifest = try #require(blocks("yaml", of: "many-machines.md").first)
        let command = try #require(manifest.firstMatch(of: /- -c\n +- (exec freshet .+)\n/)).1
        for index in ["1", "3"] {
            let environment = ["JOB_COMPLETION_INDEX": index, "WORKERS": "4", "PLAN": plan]
            #expect(try shell(["sh", "-c", String(command)], environment: environment) == 0)
        }
        let merged = try Command.run("merge", plan, "--quiet", "--output", scratch.path("merged"))
        #expect(merged.status == 0, "\(merged.errors)")
        #expect(try scratch.contents(of: "merged") == scratch.contents(of: "plain"))
    }
}
