import Foundation
import LiveActivityModel
import ModelChecks
import TestSupport
import Testing

@testable import InputFiles
@testable import ScenarioLanguage
@testable import Studies

@Suite("Sweep")
struct SweepTests {
    private let scratch = Scratch()

    @Test("A trace that has changed before its point is prepared is rejected")
    func changedTrace() throws {
        let examples = URL(filePath: ShippedScenario.directory)
        let rides = try String(contentsOf: examples.appending(path: "traces/lyft-sample.csv"), encoding: .utf8)
        for name in ["one.csv", "other.csv"] { try scratch.write(rides, to: name) }
        let file = try scratch.write(
            """
            extends: \(examples.path)/trace-replay.yaml
            factors:
              vary: {rides.trace.file: [one.csv, other.csv]}
            """,
            to: "sweep.yaml"
        )
        let sweep = try Sweep(ScenarioReader.read(file: file))
        // Only the rides read last are kept, and they are the other file's.
        let fewer = rides.split(separator: "\n").dropLast().joined(separator: "\n") + "\n"
        try scratch.write(fewer, to: "one.csv")
        let diagnostics = ScenarioError.diagnostics { try sweep.world(of: sweep.points[0]) }
        #expect(diagnostics.map(\.message) == ["rides.trace.file names data that have changed since the run began"])
        _ = try sweep.world(of: sweep.points[1])
    }

    @Test(
        "The present point has the values of the file without its factors",
        arguments: [("[60s, 2m, 3m]", 1), ("[60s, 90s]", nil)]
    )
    func presentPoint(levels: String, expected: Int?) throws {
        let yaml = "content: {ttl: 2m}\nfactors:\n  vary: {content.ttl: \(levels)}\n"
        #expect(try Sweep(ScenarioReader.read(yaml: yaml, named: "sweep.yaml")).presentPoint == expected)
    }

    @Test("A trace is read once: all design points use the rides of that moment")
    func traceReadOnce() throws {
        let examples = URL(filePath: ShippedScenario.directory)
        let rides = try String(contentsOf: examples.appending(path: "traces/lyft-sample.csv"), encoding: .utf8)
        try scratch.write(rides, to: "rides.csv")
        let file = try scratch.write(
            """
            extends: \(examples.path)/trace-replay.yaml
            factors:
              vary: {monitor.fresh_limit: [1m, 2m]}
            """,
            to: "sweep.yaml"
        )
        let sweep = try Sweep(ScenarioReader.read(file: file, settings: ["rides.trace.file=rides.csv"]))
        let read = try sweep.points.map { try sweep.world(of: $0).scenario.rides.trace }

        try scratch.write("no rides", to: "rides.csv")
        #expect(try sweep.points.map { try sweep.world(of: $0).scenario.rides.trace } == read)
        #expect(read[0]?.rides.isEmpty == false && read[0] == read[1])
        #expect(throws: ScenarioError.self) {
            try Sweep(ScenarioReader.read(file: file, settings: ["rides.trace.file=rides.csv"]))
        }
    }

    /// Returns the errors of the small scenario with additional lines, each with its place.
    private static func problems(_ lines: String) -> [String] {
        ScenarioError.diagnostics { try SmallSweep.sweep(SmallSweep.scenario + lines) }
            .map { "\($0.line):\($0.column): \($0.message.prefix { $0 != ":" })" }
    }

    @Test("A level that gives an invalid distribution is rejected at its place, once")
    func badLevels() throws {
        let problems = Self.problems(
            """
            devices:
              token: {delay: {lognormal: {median: 1s, p95: 2s}}}
            factors:
              vary:
                content.ttl: [1m, 2m]
                apns.latency: [1s, {lognormal: {mu: 50, sigma: 20}}]
                devices.token.delay.lognormal.p95: [2s, 10000h]
                rides.stages.1.duration: {usual: 10m, long: {shifted: {by: 87600h, of: 1s}}}
                devices.connectivity: [{online: 1h, offline: 5s}, {online: {lognormal: {mu: 50, sigma: 20}}, offline: 5s}]

            """
        )
        #expect(
            problems == [
                "19:55: devices.connectivity.online cannot be drawn from",
                "18:49: rides.stages.1.duration cannot be drawn from",
                "12:18: devices.token.delay cannot be drawn from",
                "16:24: apns.latency cannot be drawn from",
            ]
        )
    }

    @Test("Errors that no factor affects are reported even if the levels of the first points are rejected")
    func badRest() throws {
        let problems = Self.problems(
            """
            sender: {request_time: {lognormal: {mu: 50, sigma: 20}}}
            factors:
              vary:
                apns.latency: [{lognormal: {median: 2s, p95: 1s}}, {lognormal: {mu: 50, sigma: 20}}, 1s]

            """
        )
        #expect(
            problems == [
                "14:20: apns.latency.lognormal.p95 must be above the median",
                "14:56: apns.latency cannot be drawn from", "11:24: sender.request_time cannot be drawn from",
            ]
        )
    }

    @Test("A response that some points lack is rejected, whatever the order of the points")
    func missingResponses() throws {
        let problems = Self.problems(
            """
            measure: {age_over: [1m, 2m]}
            factors:
              vary:
                clock.duration: [2h, 30m, 1h]
                clock.window: [15m, 40m]
                measure.age_over: [[1m, 2m], [1m]]
              responses: ["fresh_time_ratio@1h..2h", "age_violation_time_ratio{over:2m}"]

            """
        )
        #expect(
            problems == [
                #"17:42: factors.responses.1 must name a scope of age_violation_time_ratio, got "over"#,
                "17:15: factors.responses.0 must cover the whole run, or whole windows of a metric of timeseries.csv, "
                    + "if a design or a plan runs in tasks; fresh_time_ratio@1h..2h needs a run of its own",
                #"17:15: factors.responses.0 must cover a measured part of the run, got "@1h..2h"; the run ends after 1h30m"#,
            ]
        )
    }
}
