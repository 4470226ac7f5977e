import CommandTestSupport
import Foundation
import LoadGenerator
import TestSupport
import Testing
import TextFormats

/// The dashboards and alert rules in docs/, compared with the programs' exports: each program is started, given some
/// load and queried at `/metrics`.
@Suite("Dashboards and alert rules", .serialized)
struct DashboardFilesTests {
    private static let docs = Command.root.appending(path: "docs")

    /// The exported metrics of a program: their labels, and the values of each label.
    private typealias Export = [String: [String: Set<String>]]

    /// Labels that Prometheus itself adds.
    private static let ownLabels: Set<String> = ["instance", "job", "le"]

    @Test("Every metric, label and value in a query is exported by its program")
    func queries() async throws {
        let scratch = Scratch()
        let exports = try await exports(in: scratch)
        var problems: [String] = []
        var count = 0
        for name in ["monitor", "apns", "load"] {
            let queries = try Self.queries(ofDashboard: name)
            count += queries.count
            problems += queries.flatMap { Self.problems(of: $0, in: exports[name] ?? [:]) }
                .map { "\(name).json: \($0)" }
        }
        let all = exports.values.reduce(into: [:]) { $0.merge($1) { one, _ in one } }
        for query in try Self.queriesOfRules() {
            count += 1
            problems += Self.problems(of: query, in: all).map { "alerts.yaml: \($0)" }
        }
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
        #expect(count > 50)
    }

    @Test("A query with an unknown name is detected")
    func canary() {
        let export: Export = ["a_total": ["kind": ["x"]]]
        func problems(_ query: String) -> [String] {
            Self.problems(
                of: query.replacing("a_", with: "freshet_a_"),
                in: ["freshet_a_total": export["a_total"] ?? [:]]
            )
        }
        #expect(problems("sum by (kind) (rate(a_total{kind=\"x\", instance=~\"$instance\"}[1m])) > 0").isEmpty)
        #expect(problems("rate(a_totals[1m])") == ["freshet_a_totals is not exported"])
        #expect(problems("a_total{sort=\"x\"}") == ["freshet_a_total has no label sort"])
        #expect(problems("a_total{kind=~\"x|y\"}") == ["freshet_a_total has no kind y"])
        #expect(
            problems("sum by (sort) (a_total)") == ["nothing in sum by (sort) (freshet_a_total) has the label sort"]
        )
    }

    @Test("Prometheus's own tool accepts the rules, if it is installed")
    func promtool() throws {
        let tool = ["/usr/bin/promtool", "/usr/local/bin/promtool"].first(where: FileManager.default.isExecutableFile)
        guard let tool else { return }
        let rules = Self.docs.appending(path: "prometheus/alerts.yaml").path
        let outcome = try Command.run("check rules \(rules)", program: tool)
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    }

    // MARK: - Queries

    private static func queries(ofDashboard name: String) throws -> [String] {
        let data = try Data(contentsOf: docs.appending(path: "grafana/\(name).json"))
        let dashboard = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let panels = try #require(dashboard["panels"] as? [[String: Any]])
        let expressions = panels.flatMap {
            ($0["targets"] as? [[String: Any]] ?? []).compactMap { $0["expr"] as? String }
        }
        let variables = (dashboard["templating"] as? [String: Any])?["list"] as? [[String: Any]] ?? []
        return expressions + variables.compactMap { $0["query"] as? String }.filter { $0 != "prometheus" }
    }

    /// The expressions of the rules, on one line or folded over deeper indented lines.
    private static func queriesOfRules() throws -> [String] {
        let text = try String(contentsOf: docs.appending(path: "prometheus/alerts.yaml"), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.indices.compactMap { index in
            guard let key = lines[index].firstRange(of: "expr: ") else { return nil }
            let value = lines[index][key.upperBound...]
            guard value.hasPrefix(">") else { return String(value) }
            let depth = lines[index].distance(from: lines[index].startIndex, to: key.lowerBound)
            return lines[(index + 1)...].prefix { $0.prefix { $0 == " " }.count > depth }.joined(separator: " ")
        }
    }

    /// Returns the names in a query that are not exported.
    private static func problems(of query: String, in export: Export) -> [String] {
        var problems: [String] = []
        var named: [String] = []
        for match in query.matches(of: /(freshet_[a-z_]+)(\{[^}]*\})?/) {
            let metric = String(match.1)
            named.append(metric)
            guard let labels = export[metric] else {
                problems.append("\(metric) is not exported")
                continue
            }
            for matcher in String(match.2 ?? "").matches(of: /([a-z_]+)(=~|!~|!=|=)"([^"]*)"/) {
                let (label, values) = (String(matcher.1), matcher.3.split(separator: "|").map(String.init))
                guard !ownLabels.contains(label) else { continue }
                guard let known = labels[label] else {
                    problems.append("\(metric) has no label \(label)")
                    continue
                }
                problems += values.filter { !known.contains($0) }.map { "\(metric) has no \(label) \($0)" }
            }
        }
        for match in query.matches(of: /by \(([a-z_, ]+)\)/) {
            for label in match.1.split(whereSeparator: { ", ".contains($0) }).map(String.init)
            where !ownLabels.contains(label) && !named.contains(where: { export[$0]?[label] != nil }) {
                problems.append("nothing in \(query) has the label \(label)")
            }
        }
        return problems
    }

    @Test("Prometheus scrapes the monitor at the port in docs/monitor.md, with the same secret")
    func monitorOfTheDocumentation() throws {
        let docs = Command.root.appending(path: "docs")
        let page = try String(contentsOf: docs.appending(path: "monitor.md"), encoding: .utf8)
        let prometheus = try String(contentsOf: docs.appending(path: "prometheus/prometheus.yaml"), encoding: .utf8)
        let started = try #require(page.firstMatch(of: /--bearer-token-file (\S+) --port (\d+)/))
        #expect(page.contains("> \(started.1) "))
        let job = try #require(prometheus.firstMatch(of: /job_name: freshet-monitor\n((?: {4}.*\n)+)/)).1
        #expect(job.contains("credentials_file: \(started.1)}"), "\(job)")
        #expect(job.contains("127.0.0.1:\(started.2)"), "\(job)")
    }

    // MARK: - Exports

    /// Starts the programs with a small load and reads the metrics of each.
    private func exports(in scratch: Scratch) async throws -> [String: Export] {
        let standIn = try RunningProgram(
            "--port 0 --ready-file apns.json --lifetime 1h",
            program: "freshet-apns",
            in: scratch.url
        )
        defer { standIn.stop() }
        let apns = try #require(try await standIn.ready(scratch.path("apns.json")).metricsPort)
        try scratch.write("a-secret-of-some-length", to: "secret.txt")
        let monitor = try RunningProgram(
            """
            --registry tokens.sqlite --apns http://127.0.0.1:1 --port 0 --ready-file monitor.json --lifetime 1h
            --topic com.example.rides.push-type.liveactivity --bearer-token-file secret.txt
            """,
            program: "freshet-monitor",
            in: scratch.url
        )
        defer { monitor.stop() }
        let port = try await monitor.ready(scratch.path("monitor.json")).port
        let load = try RunningProgram(
            """
            apns --ready-file apns.json --rate 100/s --duration 1h --retries 1 --threshold 'errors_ratio < 100%'
            --metrics-port 0 --quiet
            """,
            program: "freshet-load",
            in: scratch.url
        )
        defer { load.stop() }
        try scratch.write(Self.scenario, to: "few.yaml")
        // At this speed the load outlasts the scrapes before its own, however slow the machine is.
        let scenario = try RunningProgram(
            "scenario few.yaml --in-process --speed 1 --metrics-port 0 --quiet",
            program: "freshet-load",
            in: scratch.url
        )
        defer { scenario.stop() }
        let text =
            await scrape(try await metrics(of: load), until: "freshet_load_asked_total ")
            + scrape(try await metrics(of: scenario), until: "freshet_load_instances{")
        return [
            "apns": Self.export(
                await scrape("http://127.0.0.1:\(apns)/metrics", until: "freshet_apns_responses_total{")
            ),
            "monitor": Self.export(
                await scrape(
                    "http://127.0.0.1:\(port)/metrics",
                    until: "freshet_monitor_scans",
                    secret: "a-secret-of-some-length"
                )
            ),
            "load": Self.export(text),
        ]
    }

    private static let scenario = """
        name: few
        seed: 3
        clock: {duration: 10m, drain: 30m}
        rides: {arrivals: {process: even, count: 30, spread: 1m}, stages: [{name: trip, duration: 8m, refresh: 20s}]}
        content: {ttl: 1m}
        devices: {token: {delay: 1s}}
        apns: {latency: 500ms}

        """

    private static func export(_ text: String) -> Export {
        OpenMetricsText.samples(of: text)
            .reduce(into: [:]) { export, sample in
                var labels = export[sample.name] ?? [:]
                for label in sample.labels { labels[label.name, default: []].insert(label.value) }
                export[sample.name] = labels
            }
    }

    /// Polls until the metrics have values.
    private func scrape(_ url: String, until awaited: String, secret: String? = nil) async -> String {
        var text = ""
        let isThere = await eventually {
            text = await RawSocket.ask(url, fields: secret.map { ["Authorization: Bearer \($0)"] } ?? [])?.text ?? text
            return text.contains(awaited)
        }
        #expect(isThere, "\(url) has no \(awaited): \(text)")
        return text
    }

    /// The URL of a program's metrics, as it reports it.
    private func metrics(of program: RunningProgram) async throws -> String {
        var address: String?
        _ = await eventually {
            address = program.errors.firstMatch(of: /metrics: (http:\/\/[^\s]+)\n/).map { String($0.1) }
            return address != nil || !program.process.isRunning
        }
        return try #require(address, "it does not say where its metrics are: \(program.errors)")
    }
}
