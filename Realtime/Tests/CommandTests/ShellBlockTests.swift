import CommandTestSupport
import Foundation
import TestSupport
import Testing

/// Runs the blocks of shell on the pages, which say what to type but not what is printed.
///
/// Every command runs as it stands, in the order of its page, but for what ``Page`` and ``abridged(_:)`` change: a day
/// becomes a town's, a load of minutes lasts a second, a port becomes a free one.
@Suite(
    "Blocks of shell on the pages",
    .enabled(if: Loop.isFull),
    .enabled(
        if: FileManager.default.isExecutableFile(atPath: Programs.simulator),
        "scripts/build-tests . builds freshet"
    )
)
struct ShellBlockTests {
    /// A page with blocks of shell.
    struct Page: CustomTestStringConvertible {
        /// Below docs/.
        let name: String
        /// Files that its reader has.
        var files: [String: String] = [:]
        /// What its reader has done before a command that begins so.
        var before: [String: [String]] = [:]
        /// What stands in place of what the page says.
        var replaced: [String: String] = [:]
        /// Commands that begin so are not run, with why.
        var skipped: [String: String] = [:]
        /// Exit codes of commands that begin so, other than 0.
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
            // A busy machine does not keep up with a load.
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
            // No town so small is so fresh: nothing is recommended.
            statuses: ["freshet tune sweep.yaml --minimise sender.connections": [99]]
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
            // In so short a load a busy machine breaks a threshold, and is not what was simulated.
            statuses: [
                "freshet load core": [0, 99], "freshet load apns": [0, 99], "freshet load scenario": [0, 99],
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
            before: ["freshet monitor": [standIn]],
            replaced: ["https://localhost:8443": "https://localhost:$(\(portOf) ready.json)"]
        ),
        Page(
            name: "reports.md",
            before: ["freshet compare": ["cp -r results/release-gate /tmp/three"]],
            skipped: loops
        ),
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

    /// Some hundred rows of a table.
    private static func table(_ header: String, row: (Int) -> String) -> String {
        ([header] + (0..<200).map(row)).joined(separator: "\n") + "\n"
    }

    private static func minute(_ number: Int) -> String {
        number % 60 < 10 ? "0\(number % 60)" : "\(number % 60)"
    }

    /// A command that is done in a moment: the same but for how much of it there is.
    private static func abridged(_ command: String) -> String {
        var text =
            command
            .replacing(#/--duration \S+/#, with: "--duration 1s")
            .replacing(#/--warm-up \S+/#, with: "--warm-up 100ms")
            .replacing(#/--rate [0-9]{4,}/s/#, with: "--rate 200/s")
            .replacing(#/--speed [0-9]+/#, with: "--speed 200")
            .replacing(#/--(instances|updates) [0-9]+/#) { "--\($0.1) 1000" }
        if text.contains("--dashboard") { text = text.replacing("--dashboard", with: "") + " --dashboard 0" }
        if text.hasPrefix("freshet load core"), !text.contains("--instances") { text += " --instances 1000" }
        if text.hasPrefix("freshet load"), !text.contains("--duration"), text.contains(#/load (core|apns)/#) {
            text += " --duration 1s"
        }
        // The gate's town is small, and compared with its results.
        if text.contains(#/^freshet (run|sweep|tune) (?!(experiments\/)?release-gate)(experiments\/\S+|[a-z-]+)( |$)/#),
            !text.contains("rides.scale")
        {
            text += " --set rides.scale=0.01"
        }
        return text
    }

    @Test("Every page with such a block is here")
    func all() throws {
        let docs = Command.root.appending(path: "docs")
        let names = try FileManager.default.subpathsOfDirectory(atPath: docs.path).filter { $0.hasSuffix(".md") }
        let withBlocks = try (names + ["../README.md"]).filter { try !Console($0).commands.isEmpty }
        #expect(Set(withBlocks) == Set(Self.pages.map(\.name)))
    }

    @Test("Each command of a page does what it should", arguments: pages)
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
        // What no command needs any more is not kept.
        #expect(before.isEmpty && skips.isEmpty, "\(page.name): no command begins with \(before.keys) or \(skips.keys)")
    }
}

/// A shell in a copy of what the pages speak of, with all programs.
private struct PageShell {
    private let scratch: Scratch
    private let shell: Shell
    /// Free ports in place of those that the pages name.
    private let ports: [String: String]

    init() throws {
        scratch = try Scratch()
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
        shell = Shell(in: scratch.url, programs: try Programs.all(in: scratch))
        var ports: [String: String] = [:]
        // Below those that the system gives out by itself.
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

    func write(_ text: String, to name: String) throws { _ = try scratch.file(name, text) }

    /// Types a command: one that serves or watches until it is ended runs on.
    func type(_ command: String, expecting statuses: Set<Int32> = [0]) throws {
        var command = command.replacing("/tmp/", with: "tmp/")
        for (port, free) in ports { command = command.replacing(port, with: free) }
        if command.contains(#/^freshet (apns|monitor|studio|watch) /#), !command.contains("--help") {
            if command.hasSuffix(" &") { command.removeLast(2) }
            // Pages that leave the port out are tested at the same time.
            if command.contains(#/^freshet (apns|studio) /#), !command.contains("--port") { command += " --port 0" }
            try shell.start(command)
            return
        }
        let outcome = try shell.run(command)
        #expect(statuses.contains(outcome.status), "\(command)\n\(outcome.output)\n\(outcome.errors)")
    }
}
