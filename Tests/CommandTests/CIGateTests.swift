import CommandTestSupport
import Foundation
import TestSupport
import Testing
import Yams

/// `scripts/ci-gate`, the steps of action.yml, with temporary files instead of GitHub's.
@Suite("The gate for CI", .enabled(if: Loop.isFull))
struct CIGateTests {
    private static let scenario = CheckCommandTests.scenario + "checks: [pushes_per_activity < 1000]\n"

    private struct Gate {
        let status: Int32
        let output: String
        let errors: String
        let summary: String
        let variables: String
    }

    private let scratch = Scratch()

    private func gate(
        _ scenario: String,
        _ arguments: [String]? = nil,
        environment: [String: String] = [:]
    ) throws -> Gate {
        try scratch.write(scenario, to: "town.yaml")
        let (summary, variables) = (try scratch.write("", to: "summary"), try scratch.write("", to: "variables"))
        let program = Command.directory.appending(path: "freshet").path
        let outcome = try Command.run(
            "--scenario town.yaml --baseline baseline \(arguments ?? ["--freshet", program])",
            program: Command.root.appending(path: "scripts/ci-gate").path,
            environment: [
                "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary, "GITHUB_OUTPUT": variables,
                "RUNNER_TOOL_CACHE": scratch.path("tools"),
            ]
            .merging(environment) { $1 },
            directory: scratch.url
        )
        return Gate(
            status: outcome.status,
            output: outcome.output,
            errors: outcome.errors,
            summary: try String(contentsOfFile: summary, encoding: .utf8),
            variables: try String(contentsOfFile: variables, encoding: .utf8)
        )
    }

    private func commitBaseline() throws {
        let file = try scratch.write(Self.scenario, to: "town.yaml")
        #expect(try Command.run("run \(file) --quiet --output \(scratch)/baseline").status == 0)
    }

    @Test("Without a baseline the checks decide, and the output explains how to create one")
    func first() throws {
        let good = try gate(Self.scenario)
        #expect(good.status == 0, "\(good.errors)")
        #expect(good.variables == "results=freshet-gate\noutcome=no-baseline\n")
        #expect(good.output.contains("::warning title=No baseline yet::baseline holds no run"))
        #expect(good.summary.contains("freshet run town.yaml --output baseline"))
        #expect(good.summary.contains("pushes_per_activity"))
        #expect(FileManager.default.fileExists(atPath: scratch.path("freshet-gate/run/report.html")))
        let bad = try gate(Self.scenario.replacing("< 1000", with: "< 1"))
        #expect(bad.status == 99)
        #expect(bad.output.contains("::error file=town.yaml"), "\(bad.output)")
    }

    @Test("--help prints the usage; the action and the pages have the default noise of freshet check")
    func help() throws {
        let help = try gate(Self.scenario, ["--help"])
        #expect(help.status == 0 && help.errors.isEmpty && help.variables.isEmpty)
        #expect(help.output.contains("usage: scripts/ci-gate --scenario FILE --baseline DIR [options]\n"))
        #expect(!help.output.contains("set -euo"))
        func text(_ path: String) throws -> String {
            try String(contentsOf: Command.root.appending(path: path), encoding: .utf8)
        }
        let usual = try #require(try text("docs/commands.md").firstMatch(of: /`--noise <noise>`.*Default: `(.+?)`/)?.1)
        let action = try #require(try Yams.load(yaml: text("action.yml")) as? [String: Any])
        let noise = try #require((action["inputs"] as? [String: Any])?["noise"] as? [String: Any])
        // Without a value the action passes no option, so the default is in one place.
        #expect(noise["default"] as? String == "")
        #expect((noise["description"] as? String)?.contains("that of freshet check, \(usual)") == true)
        #expect(help.output.contains("(freshet check --noise: \(usual))"))
        #expect(try text("docs/ci.md").contains("default `\(usual)`, as for `freshet check`"))
    }

    @Test("A value with a second line is rejected, because it would add an output to the step")
    func secondLines() throws {
        let program = Command.directory.appending(path: "freshet").path
        for option in ["--output", "--metric", "--freshet"] {
            let outcome = try gate(Self.scenario, ["--freshet", program, option, "o\noutcome=same"])
            #expect(outcome.status == 64, "\(outcome.errors)")
            #expect(outcome.variables == "outcome=broken\n")
            #expect(outcome.errors.contains("\(option) must be on one line"), "\(outcome.errors)")
        }
    }

    @Test("A program in a directory that all users can write to is not run")
    func sharedPlace() throws {
        let version = "9.9.9"
        let machine = try Command.run("-m", program: "/bin/uname").output.trimmingCharacters(in: .newlines)
        let planted = try scratch.write(
            "#!/bin/sh\necho run > \(scratch.path("planted"))\n",
            to: "shared/.cache/freshet-\(version)-linux-\(machine)/bin/freshet"
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: planted)
        let outcome = try gate(
            Self.scenario,
            ["--version", version, "--from", "file:///nonexistent"],
            environment: ["RUNNER_TOOL_CACHE": "", "XDG_CACHE_HOME": "", "HOME": "", "TMPDIR": scratch.path("shared")]
        )
        #expect(outcome.status == 66, "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: scratch.path("planted")))
    }

    @Test("A run equal to the baseline, a worse one, and a check that fails")
    func verdicts() throws {
        try commitBaseline()
        let same = try gate(Self.scenario)
        #expect(same.status == 0, "\(same.errors)")
        #expect(same.variables == "results=freshet-gate\noutcome=same\n")
        #expect(!same.output.contains("::error"))

        let rare = Self.scenario.replacing("{low: 10s, high: 30s}", with: "{low: 5m, high: 6m}")
        let worse = try gate(rare)
        #expect(worse.status == 98)
        #expect(worse.variables.hasSuffix("outcome=worse\n"))
        #expect(worse.output.contains("::error"))
        #expect(worse.summary.contains("If the change is meant, commit this run as the new baseline"))
        #expect(FileManager.default.fileExists(atPath: scratch.path("freshet-gate/junit.xml")))

        let both = try gate(rare.replacing("< 1000", with: "< 1"))
        #expect(both.status == 98)
        #expect(both.summary.contains("If the change is meant, change the checks that fail, and commit this run"))

        let failing = try gate(Self.scenario.replacing("< 1000", with: "< 1"))
        #expect(failing.status == 99)
        #expect(failing.variables.hasSuffix("outcome=failing\n"))
        #expect(
            failing.output.ranges(of: "::error").count == 1,
            "once, not by the run and by the comparison: \(failing.output)"
        )
    }

    /// Otherwise a gate on a scenario with factors would always be green.
    @Test("A sweep is compared with its baseline sweep")
    func sweeps() throws {
        let factors = """
            factors:
              vary: {content.ttl: [1m, 2m]}
              responses: [ride_fresh_coverage_ratio, pushes_per_activity]

            """
        let file = try scratch.write(CheckCommandTests.scenario + factors, to: "town.yaml")
        #expect(try Command.run("run \(file) --quiet --output \(scratch)/baseline").status == 0)
        let same = try gate(CheckCommandTests.scenario + factors)
        #expect(same.status == 0 && same.variables.hasSuffix("outcome=same\n"), "\(same.errors)\(same.variables)")
    }

    @Test("A broken scenario is annotated at its line, a missing scenario is reported")
    func broken() throws {
        let outcome = try gate(Self.scenario.replacing("cells: 2", with: "cells: two"))
        #expect(outcome.status == 65)
        #expect(outcome.variables.hasSuffix("outcome=broken\n"))
        #expect(
            outcome.output.contains("::error file=town.yaml,line=3,col=8,title=Freshet::cells"),
            "\(outcome.output)"
        )
        #expect(outcome.summary.contains("town.yaml:3:8"))
        let missing = try gate(Self.scenario, ["--scenario", "none.yaml", "--freshet", "/bin/true"])
        #expect(missing.status == 66)
        #expect(missing.errors.contains("none.yaml: there is no such file"))
    }

    /// Publishes the built program as a release in a directory.
    private func publish(version: String, checksum: String? = nil) throws -> String {
        let script = """
            set -e
            name=freshet-\(version)-linux-$(uname -m)
            mkdir -p v\(version) $name/bin
            ln -s \(Command.directory.appending(path: "freshet").path) $name/bin/freshet
            tar -czf v\(version)/$name.tar.gz $name
            cd v\(version)
            sha256sum ./$name.tar.gz > SHA256SUMS
            """
        let made = try Command.run("-c \(script)", program: "/bin/bash", directory: scratch.url)
        #expect(made.status == 0, "\(made.errors)")
        if let checksum {
            try checksum.write(toFile: scratch.path("v\(version)/SHA256SUMS"), atomically: true, encoding: .utf8)
        }
        return "file://" + scratch.path
    }

    @Test("A release is downloaded once, verified and cached")
    func download() throws {
        let from = try publish(version: "7.8.9")
        let first = try gate(Self.scenario, ["--from", from, "--version", "7.8.9"])
        #expect(first.status == 0, "\(first.errors)")
        try FileManager.default.removeItem(atPath: scratch.path("v7.8.9"))
        #expect(try gate(Self.scenario, ["--from", from, "--version", "7.8.9"]).status == 0)
        let other = try gate(Self.scenario, ["--from", from, "--version", "1.1.1"])
        #expect(other.status == 66)
        #expect(other.errors.contains("v1.1.1/freshet-1.1.1-linux-"))
    }

    @Test("An archive with a wrong or missing checksum is not unpacked", arguments: ["0000  ./ARCHIVE\n", ""])
    func tampered(sums: String) throws {
        let machine = try Command.run("-m", program: "/usr/bin/uname").output.replacing("\n", with: "")
        let archive = "freshet-7.8.9-linux-\(machine).tar.gz"
        let from = try publish(version: "7.8.9", checksum: sums.replacing("ARCHIVE", with: archive))
        let outcome = try gate(Self.scenario, ["--from", from, "--version", "7.8.9"])
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("it was not unpacked"))
        #expect(!FileManager.default.fileExists(atPath: scratch.path("tools")))
    }

    @Test("Docker runs an image in the directory of the repository")
    func image() throws {
        // A fake docker that drops its own options and runs the command of the image.
        let docker = """
            #!/bin/bash
            echo "$*" >> \(scratch.path("docker.log"))
            while [ "$1" != --entrypoint ]; do shift; done
            shift 3
            exec \(Command.directory.appending(path: "freshet").path) "$@"
            """
        let file = try scratch.write(docker, to: "bin/docker")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        let path = "\(scratch.path("bin")):/usr/bin:/bin"
        let outcome = try gate(Self.scenario, ["--image", "freshet:1"], environment: ["PATH": path])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let log = try scratch.text("docker.log")
        #expect(log.contains("--network none") && log.contains("--entrypoint freshet freshet:1 run town.yaml"))
    }

    @Test(
        "Invalid options: 64 and the allowed values",
        arguments: [["--nonsense"], ["--noise"], ["--freshet", "a", "--image", "b"]]
    )
    func usage(arguments: [String]) throws {
        let outcome = try gate(Self.scenario, arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("usage: scripts/ci-gate"))
        #expect(outcome.variables.hasSuffix("outcome=broken\n"))
    }

    @Test(
        "An invalid comparison option: 64 before anything runs, with the value and the allowed values",
        arguments: [
            (["--noise", "abc"], "--noise must be a share, got abc; allowed: 0% to 100%, such as 0.5% or 0.005"),
            (["--noise", "-1%"], "--noise must be a share, got -1%; allowed: 0% to 100%, such as 0.5% or 0.005"),
            (["--noise", "101%"], "--noise must be a share, got 101%; allowed: 0% to 100%, such as 0.5% or 0.005"),
            (["--metric", "a b"], "--metric must name a response, got \"a b\"; allowed: metric"),
        ]
    )
    func options(arguments: [String], message: String) throws {
        let program = Command.directory.appending(path: "freshet").path
        let outcome = try gate(Self.scenario, ["--freshet", program] + arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("ci-gate: \(message)"), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
        #expect(outcome.variables == "outcome=broken\n")
        #expect(outcome.summary.contains(message))
        #expect(!FileManager.default.fileExists(atPath: scratch.path("freshet-gate")))
    }

    @Test(
        "A metric that the baseline lacks: 65 before anything runs; without a baseline only the checks decide",
        arguments: [
            ("pushes_sent_cont", "must name a metric, got \"pushes_sent_cont\"; did you mean \"pushes_sent_count\"?"),
            ("displayed_fresh_time_ratio.p95", "must name a statistic of displayed_fresh_time_ratio, got \"p95\""),
            ("pushes_sent_count@worst:5m", "must cover the whole run"),
        ]
    )
    func metrics(metric: String, message: String) throws {
        let arguments = ["--freshet", Command.directory.appending(path: "freshet").path, "--metric", metric]
        try scratch.write("a comment on an earlier change", to: "freshet-gate/pull.md")
        #expect(try gate(Self.scenario, arguments).variables.hasSuffix("outcome=no-baseline\n"))
        #expect(!FileManager.default.fileExists(atPath: scratch.path("freshet-gate/pull.md")))
        try FileManager.default.removeItem(atPath: scratch.path("freshet-gate"))
        try commitBaseline()
        let outcome = try gate(Self.scenario, arguments)
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("--metric \(metric) \(message)"), "\(outcome.errors)")
        #expect(outcome.variables == "outcome=broken\n")
        #expect(outcome.summary.contains(message))
        #expect(!FileManager.default.fileExists(atPath: scratch.path("freshet-gate")))
    }

    @Test("Results that cannot be written: 73; other files in the directory do no harm")
    func output() throws {
        try commitBaseline()
        let arguments = ["--freshet", Command.directory.appending(path: "freshet").path]
        try scratch.write("", to: "freshet-gate/errors/own")
        let good = try gate(Self.scenario, arguments)
        #expect(good.status == 0 && good.variables.hasSuffix("outcome=same\n"), "\(good.errors)\(good.variables)")
        // An existing directory in which not even root can create one.
        let system = try gate(Self.scenario, arguments + ["--output", "/proc"])
        #expect(system.status == 73)
        #expect(system.variables == "results=/proc\noutcome=broken\n")
        #expect(system.errors.contains("results cannot be written"), "\(system.errors)")
        try scratch.write("", to: "taken/junit.xml/own")
        let taken = try gate(Self.scenario, arguments + ["--output", "taken"])
        #expect(taken.status == 73)
        #expect(taken.variables.hasSuffix("outcome=broken\n"))
        #expect(taken.errors.contains("ci-gate: taken/junit.xml: cannot be written"), "\(taken.errors)")
    }

    @Test("Other exit codes of freshet are passed on, for example on too little memory", arguments: [Int32(75), 143])
    func codes(code: Int32) throws {
        let program = try scratch.write(
            "#!/bin/bash\n[ \"$1\" != run ] || { echo too large >&2; exit \(code); }\n",
            to: "own"
        )
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let outcome = try gate(Self.scenario, ["--freshet", program])
        #expect(outcome.status == code)
        #expect(outcome.variables.hasSuffix("outcome=broken\n"))
        #expect(outcome.output.contains("::error title=Freshet::too large"), "\(outcome.output)")
    }

    @Test("A baseline of another version: 65 and how to regenerate it")
    func oldBaseline() throws {
        try commitBaseline()
        let file = scratch.path("baseline/scenario.resolved.yaml")
        let text = try String(contentsOfFile: file, encoding: .utf8) + "weather: {rain: 3}\nsurge: true\n"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        let outcome = try gate(Self.scenario)
        #expect(outcome.status == 65)
        #expect(outcome.variables == "outcome=broken\n", "before anything runs")
        #expect(outcome.summary.contains("weather is not a known key; another version of freshet wrote these results"))
        #expect(outcome.summary.contains("freshet run SCENARIO --output baseline"), "\(outcome.summary)")
    }

    @Test("The commands of the how-to work as printed, and the gate in its workflow passes the same run")
    func page() throws {
        let page = try Console("how-to/gate-a-change.md")
        let workflow = try #require(page.blocks("yaml").first)
        let inputs = try #require(workflow.firstMatch(of: /scenario: (\S+)\n +baseline: (\S+)\n/))
        #expect(try Yams.load(yaml: workflow) is [String: Any])

        let made = try Command.run("git init -q \(scratch)", program: "/usr/bin/env")
        #expect(made.status == 0, "\(made.errors)")
        let identity = ["GIT_AUTHOR", "GIT_COMMITTER"].flatMap { [("\($0)_NAME", "a"), ("\($0)_EMAIL", "a@b")] }
        let environment = Dictionary(uniqueKeysWithValues: identity)
        for problem in try page.problems(in: scratch, environment: environment) { Issue.record("\(problem)") }
        let program = Command.directory.appending(path: "freshet").path
        let options = ["--freshet", program, "--scenario", String(inputs.1), "--baseline", String(inputs.2)]
        let outcome = try gate(Self.scenario, options)
        #expect(outcome.variables.hasSuffix("outcome=same\n"), "\(outcome.errors)")
    }

    @Test("action.yml passes each input to the script")
    func action() throws {
        let text = try String(contentsOf: Command.root.appending(path: "action.yml"), encoding: .utf8)
        let action = try #require(try Yams.load(yaml: text) as? [String: Any])
        let steps = try #require((action["runs"] as? [String: Any])?["steps"] as? [[String: Any]])
        let gate = try #require(steps.first)
        let inputs = try #require(action["inputs"] as? [String: Any])
        for input in inputs.keys { #expect(text.contains("inputs.\(input)"), "\(input) is not used") }
        // This replacement for the script prints its arguments.
        try scratch.write("#!/bin/bash\nprintf '%s|' \"$@\"\n", to: "scripts/ci-gate")
        let program = scratch.path("scripts/ci-gate")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let command = try #require(gate["run"] as? String)
        var environment = ["GITHUB_ACTION_PATH": scratch.path]
        for name in try #require(gate["env"] as? [String: String]).keys { environment[name] = "my \(name)" }
        environment["STRICT"] = "true"
        let all = try Command.run("-euo pipefail -c \(command)", program: "/bin/bash", environment: environment)
        #expect(
            all.output == """
                --scenario|my SCENARIO|--baseline|my BASELINE|--output|my OUTPUT|--from|my RELEASES|--noise|my NOISE|\
                --metric|my|--metric|METRICS|--strict|--version|my VERSION|--freshet|my PROGRAM|--image|my IMAGE|
                """,
            "\(all.errors)"
        )
    }
}
