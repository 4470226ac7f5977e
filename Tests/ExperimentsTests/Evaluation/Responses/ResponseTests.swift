import LiveActivityModel
import Quantities
import Testing

@testable import Evaluation

@Suite("Responses")
struct ResponseTests {
    @Test(
        "A text is parsed into its parts and written back",
        arguments: [
            ("events_count", Response(metric: "events_count")),
            ("age_of_information_us.p95", Response(metric: "age_of_information_us", statistic: "p95")),
            ("pushes_sent_count{kind:retry}", Response(metric: "pushes_sent_count", scope: "kind:retry")),
            (
                "age_of_information_us{stage:on_trip}.p95@0s..1h30m",
                Response(
                    metric: "age_of_information_us",
                    scope: "stage:on_trip",
                    statistic: "p95",
                    window: .stretch(.zero ..< .minutes(90))
                )
            ),
        ]
    )
    func readAndWritten(text: String, response: Response) throws {
        #expect(try Response(parsing: text) == response)
        #expect(response.text == text)
    }

    @Test("The scope all is not written; durations are written in one form")
    func canonical() throws {
        #expect(try Response(parsing: "events_count{all}@90m..7200s").text == "events_count@1h30m..2h")
    }

    @Test(
        "Invalid forms are rejected",
        arguments: [
            "", " ", "Events", "a b", "a{", "a{}", "a{b", "a.b.c", "a@", "a@1h", "a@1h..", "a@2h..1h", "a@1h..1h",
            "a@1..2", "a@1h..2h..3h", "a{b}{c}", "é",
        ]
    )
    func malformed(text: String) {
        #expect(throws: ResponseError.self) { try Response(parsing: text) }
    }

    /// A scenario with an entry in every table of metrics that depends on the scenario.
    private static var scenario: Scenario {
        var scenario = Scenario.smallPoisson
        scenario.clock.warmUp = .minutes(10)
        scenario.clock.window = .minutes(5)
        scenario.measure.ageOver = [.seconds(30)]
        return scenario
    }

    @Test(
        "A name that a scenario lacks is rejected with the existing names",
        arguments: [
            (
                "displayed_fresh_time_rato",
                #"must name a metric, got "displayed_fresh_time_rato"; did you mean "displayed_fresh_time_ratio"?"#
            ),
            ("xyz", #"must name a metric, got "xyz"; `freshet metrics` lists all"#),
            (
                "pushes_sent_count{kind:retri}",
                #"must name a scope of pushes_sent_count, got "kind:retri"; did you mean "kind:retry"?"#
            ),
            (
                "photos_count",
                #"must name a scope of photos_count, got "all"; allowed: size:dropped, size:full, size:small"#
            ),
            (
                "age_of_information_us.max",
                #"must name a statistic of age_of_information_us, got "max"; allowed: mean, p50, p95, p99"#
            ),
            (
                "fresh_time_ratio@20m..4h",
                #"must cover a measured part of the run, got "@20m..4h"; the run ends after 3h"#
            ),
            (
                "fresh_time_ratio@5m..1h",
                #"must cover a measured part of the run, got "@5m..1h"; clock.warm_up leaves out the first 10m"#
            ),
        ]
    )
    func unknown(text: String, message: String) throws {
        let response = try Response(parsing: text)
        let error = #expect(throws: ResponseError.self) { try response.resolve(in: Self.scenario) }
        #expect(error?.description == message)
    }

    @Test("Every row of a summary is a response with the same unit and value")
    func everyRow() async throws {
        let result = try await RunResult.running(Self.scenario)
        for row in Summary(result).rows {
            let response = Response(metric: row.metric, scope: row.scope, statistic: row.stat)
            let resolved = try response.resolve(in: Self.scenario)
            #expect(resolved.unit == row.unit, "\(response)")
            #expect(resolved.row(in: result) == row, "\(response)")
        }
    }

    @Test("The usual statistic is the default and is not written")
    func usual() throws {
        let cases = [
            ("events_count", "total"), ("fresh_time_ratio", "ratio"), ("peak_age_us", "mean"),
            ("age_of_information_us", "mean"), ("activity_age_violation_ratio{over:30s}", "mean"),
            ("send_queue_peak_count", "max"),
        ]
        for (text, statistic) in cases {
            let resolved = try Response(parsing: text).resolve(in: Self.scenario)
            #expect(resolved.response.statistic == statistic)
            #expect(resolved.text == text)
            #expect(try Response(parsing: "\(text).\(statistic)").resolve(in: Self.scenario).text == text)
        }
    }

    @Test("Over all windows a response equals that of the whole run, and windows add up")
    func windows() async throws {
        let result = try await RunResult.running(Self.scenario)
        let metrics = MetricCatalog(of: Self.scenario).metrics.filter { $0.over(windows: 0..<1) != nil }
        #expect(!metrics.isEmpty)
        for metric in metrics {
            let whole = try Response(metric: metric.name, scope: metric.scope).resolve(in: Self.scenario)
            func part(_ from: Int64, _ to: Int64) throws -> ResolvedResponse {
                try Response(
                    metric: metric.name,
                    scope: metric.scope,
                    window: .stretch(.minutes(from) ..< .minutes(to))
                )
                .resolve(in: Self.scenario)
            }
            let all = try part(10, 180).row(in: result)
            #expect(all?.value == whole.row(in: result)?.value, "\(whole.text)")
            if case .total = metric.reading {
                let pieces = try [(10, 25), (25, 60), (60, 180)].map { try part($0, $1).value(in: result) ?? -1 }
                #expect(pieces.reduce(0, +) == all?.value?.double, "\(whole.text)")
            }
        }
        // The outage is from minute 20 to 25.
        let before = try Response(parsing: "displayed_fresh_time_ratio@10m..20m").resolve(in: Self.scenario)
        let during = try Response(parsing: "displayed_fresh_time_ratio@20m..30m").resolve(in: Self.scenario)
        let (calm, outage) = (try #require(before.row(in: result)), try #require(during.row(in: result)))
        #expect(try #require(calm.value).double > #require(outage.value).double + 0.2)
        // There are two dozen rides on eight cells, so a card that is never ended would outweigh them.
        #expect(outage.interval == nil && outage.gap != nil)
    }
}
