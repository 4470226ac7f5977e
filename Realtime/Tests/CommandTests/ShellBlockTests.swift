import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Runs the shell blocks of pages, which show commands without their output.
///
/// Every command runs as printed, in the order of its page, except for the changes by ``Page`` and ``abridged(_:)``: a
/// day becomes a small scenario, a load of minutes lasts a second, and ports are free ones.
@Suite(
    "Shell blocks on the pages",
    .enabled(if: Loop.isFull),
    .enabled(if: Programs.haveSimulator, "scripts/build-tests . builds freshet")
)
struct ShellBlockTests {
    /// A page with shell blocks.
    struct Page: CustomTestStringConvertible {
        /// The path below docs/.
        let name: String
        /// Files that the page expects its reader to have.
        var files: [String: String] = [:]
        /// Commands that run before a command with this prefix.
        var before: [String: [String]] = [:]
        /// Replacements for texts on the page.
        var replaced: [String: String] = [:]
        /// Prefixes of commands that are not run, with the reasons.
        var skipped: [String: String] = [:]
        /// Allowed exit codes other than 0, by command prefix.
        var statuses: [String: Set<Int32>] = [:]

        var testDescription: String { name }
    }

    private static let loops = ["make ": "the loops run it"]
    private static let standIn = "freshet apns --port 0 --ready-file ready.json --write-ca ca.pem --write-key key.p8 &"

    private static let portOf = #"sed -nE 's/.*"port" *: *([0-9]+).*/\1/p'"#

    static let pages = [
        Page(
            name: "../README.md",
            skipped: loops.merging(["export ": "the programs are on the path"]) { $1 },
            // A busy machine cannot keep up with a load.
            statuses: ["freshet load": [0, 99]]
        ),
        Page(
            name: "calibration.md",
            files: [
                "rtt.csv": table("access_technology,rtt_ms") {
                    "\($0.isMultiple(of: 3) ? "5G" : "4G"),\(40 + $0 * $0 % 61)"
                },
                "rides.csv": table("request_time,pickup_time") {
                    "2025-01-06 08:\(minute($0)):00,2025-01-06 09:\(minute($0 * 7)):00"
                },
                "stalls.csv": table("duration_s") { "\(3 + $0 * $0 % 17)" },
                "k6.csv": table("metric_name,timestamp,metric_value,status") {
                    "http_req_\($0.isMultiple(of: 3) ? "blocked" : "duration"),\(1_784_052_000 + $0),\(40 + $0 * $0 % 61),200"
                },
                "vegeta.csv": table("1784052000000000000,200,40000000") {
                    "\(1_784_052_000 + $0)000000000,200,\(40 + $0 * $0 % 61)000777"
                },
            ],
            before: ["freshet fit send-log": ["cp Tests/ExperimentsTests/Fixtures/send-log.csv ."]]
        ),
        Page(
            name: "experiments.md",
            files: [
                "sweep.yaml": """
                extends: experiments/release-gate.yaml
                rides: {scale: 0.02}
                factors:
                  vary: {sender.connections: [1, 2]}
                """
            ],
            // A scenario this small is never fresh enough, so nothing is recommended.
            statuses: ["freshet tune sweep.yaml --minimise sender.connections": [99]]
        ),
        Page(
            name: "how-to/tokens-or-channels.md",
            // A busy machine cannot keep up with a load.
            statuses: ["freshet load": [0, 99]]
        ),
        Page(
            name: "how-to/your-own-log.md",
            before: [
                "freshet load apns": ["freshet run live-outage --quiet --output tmp/sim --event-log tuesday.ndjson"]
            ],
            // A busy machine cannot keep up with a load.
            statuses: ["freshet load": [0, 99]]
        ),
        Page(
            name: "install.md",
            skipped: [
                "sha256sum ": "scripts/test-dist has the files of a release", "tar ": "as above", "export ": "as above",
            ]
        ),
        Page(
            name: "loads.md",
            before: [
                "freshet load apns": [standIn],
                "freshet load monitor --monitor": [
                    "openssl rand -hex 24 > secret.txt",
                    "freshet monitor --registry tokens.sqlite --bearer-token-file secret.txt "
                        + "--apns https://localhost:$(\(portOf) ready.json) --ca ca.pem --key key.p8 "
                        + "--key-id FRESHETKEY --team-id FRESHETTEA --topic com.example.rides.push-type.liveactivity "
                        + "--port 8080 --ready-file monitor.json &",
                ],
                "freshet compare": ["cp -r /tmp/pushes /tmp/before", "cp -r /tmp/pushes /tmp/after"],
            ],
            skipped: ["prometheus ": "a program of others; DashboardFilesTests hold its files"],
            // In such a short load a busy machine breaks a threshold and differs from the simulation.
            statuses: [
                "freshet load apns": [0, 99], "freshet load scenario": [0, 99],
                "freshet load monitor": [0, 99], "freshet check": [0, 98, 99],
            ]
        ),
        Page(
            name: "many-machines.md",
            before: ["start=": [standIn]],
            replaced: [
                "$start": "$(($(date +%s) + \((try? Programs.startUp(of: 1)) ?? 60)))",
                "--endpoint https://apns.example:443": "--ready-file ready.json",
                "/shared/": "/tmp/", "400000/s": "400/s",
            ],
            skipped: [
                "freshet load merge": "LoadSharesCommandTests have all eight shares", "for k in": "a template",
                "    freshet monitor": "a template", "done": "a template",
            ]
        ),
        Page(
            name: "monitor.md",
            replaced: [
                "https://localhost:8443": "https://localhost:$(\(portOf) ready.json)",
                // The server is started in the background.
                "call() { curl ": "call() { curl --retry 20 --retry-connrefused --retry-delay 1 ",
            ]
        ),
        Page(
            name: "reports.md",
            before: ["freshet compare": ["cp -r results/release-gate /tmp/three"]],
            skipped: loops
        ),
        Page(name: "scenarios.md"),
        Page(
            name: "stand-in.md",
            skipped: [
                "python3 -m venv": "scripts/verify clients has such clients", "token=": "as above", "curl ": "as above",
                "jq ": "RequestLogServerTests have such lines",
            ]
        ),
        Page(name: "tour.md", replaced: [".build/release/freshet": "freshet"], skipped: loops),
        Page(
            name: "validation.md",
            replaced: ["--only AOI": "--only AOI-01", "--swarm 1000": "--swarm 3", "--swarm 400": "--swarm 3"],
            skipped: loops
        ),
    ]

    /// Returns a table of a few hundred rows.
    private static func table(_ header: String, row: (Int) -> String) -> String {
        ([header] + (0..<200).map(row)).joined(separator: "\n") + "\n"
    }

    private static func minute(_ number: Int) -> String {
        number % 60 < 10 ? "0\(number % 60)" : "\(number % 60)"
    }

    /// Returns a command with less work, so that it finishes quickly.
    private static func abridged(_ command: String) -> String {
        var text =
            command
            .replacing(#/--duration \S+/#, with: "--duration 1s")
            .replacing(#/--warm-up \S+/#, with: "--warm-up 100ms")
            .replacing(#/--rate [0-9]{4,}/s/#, with: "--rate 200/s")
            .replacing(#/--speed [0-9]+/#, with: "--speed 200")
        if text.contains("--dashboard") { text = text.replacing("--dashboard", with: "") + " --dashboard 0" }
        if text.hasPrefix("freshet load"), !text.contains("--duration"), text.contains(#/load apns/#) {
            text += " --duration 1s"
        }
        // The gate's scenario is small and compared with its own results.
        if text.contains(#/^freshet (run|sweep|tune) (?!(experiments\/)?release-gate)(experiments\/\S+|[a-z-]+)( |$)/#),
            !text.contains("rides.scale")
        {
            text += " --set rides.scale=0.01"
        }
        return text
    }

    @Test("Every page with a shell block is in this list")
    func all() throws {
        let docs = Command.root.appending(path: "docs")
        let names = try FileManager.default.subpathsOfDirectory(atPath: docs.path).filter { $0.hasSuffix(".md") }
        let withBlocks = try (names + ["../README.md"]).filter { try !Console($0).commands.isEmpty }
        #expect(Set(withBlocks) == Set(Self.pages.map(\.name)))
    }

    @Test("Each command of a page succeeds as expected", arguments: pages)
    func page(_ page: Page) throws {
        let shell = try PageShell()
        for (name, text) in page.files { try shell.write(text, to: name) }
        var before = page.before
        var skips = page.skipped
        for var command in try Console(page.name).commands {
            if let skip = page.skipped.keys.first(where: command.hasPrefix) {
                skips[skip] = nil
                continue
            }
            let earlier = before.keys.first(where: command.hasPrefix).flatMap { before.removeValue(forKey: $0) }
            for command in earlier ?? [] { try shell.type(command) }
            let statuses = page.statuses.first { command.hasPrefix($0.key) }?.value
            for (said, instead) in page.replaced { command = command.replacing(said, with: instead) }
            try shell.type(Self.abridged(command), expecting: statuses ?? [0])
        }
        // Every prefix must match a command of the page.
        #expect(before.isEmpty && skips.isEmpty, "\(page.name): no command begins with \(before.keys) or \(skips.keys)")
    }
}

/// A shell with all programs, in a copy of the files that the pages mention.
private struct PageShell {
    private let scratch = Scratch()
    private let shell: Shell
    /// Free ports that replace those on the pages.
    private let ports: [String: String]

    init() throws {
        for name in ["experiments", "results", "Tests/ExperimentsTests/Fixtures"] {
            let copy = scratch.url.appending(path: name)
            try FileManager.default.createDirectory(
                at: copy.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try FileManager.default.copyItem(at: Command.root.appending(path: name), to: copy)
        }
        try FileManager.default.createDirectory(
            at: scratch.url.appending(path: "tmp"),
            withIntermediateDirectories: true
        )
        shell = Shell(in: scratch.url)
        var ports: [String: String] = [:]
        // Below the range of ports that the system assigns automatically.
        var candidate = 20_000 + Int(ProcessInfo.processInfo.processIdentifier) % 8_000
        for port in ["8080", "8090", "8443", "9101"] {
            while let taken = RawSocket(port: candidate) {
                taken.close()
                candidate += 1
            }
            ports[port] = String(candidate)
            candidate += 1
        }
        self.ports = ports
    }

    func write(_ text: String, to name: String) throws { try scratch.write(text, to: name) }

    /// Runs a command.
    ///
    /// A command that serves or watches keeps running.
    func type(_ command: String, expecting statuses: Set<Int32> = [0]) throws {
        var command = command.replacing("/tmp/", with: "tmp/")
        for (port, free) in ports { command = command.replacing(port, with: free) }
        if command.contains(#/^freshet (apns|monitor|studio|watch) /#), !command.contains("--help") {
            if command.hasSuffix(" &") { command.removeLast(2) }
            // Pages that omit the port are tested at the same time.
            if command.contains(#/^freshet (apns|studio) /#), !command.contains("--port") { command += " --port 0" }
            try shell.start(command)
            return
        }
        let outcome = try shell.run(command)
        #expect(statuses.contains(outcome.status), "\(command)\n\(outcome.output)\n\(outcome.errors)")
    }
}
