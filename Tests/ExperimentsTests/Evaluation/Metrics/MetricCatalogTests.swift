import Quantities
import Testing

@testable import Evaluation
@testable import LiveActivityModel
@testable import Studies

@Suite("The catalog of metrics")
struct MetricCatalogTests {
    /// The ratios that a counter is a part of.
    private static func ratios(of counter: Counter) -> Set<String> {
        switch counter {
        case .updatesSent, .retriesSent, .endsSent, .startsSent: ["pushes_per_live_hour numerator"]
        case .episodesBegun: ["recovered_ratio denominator"]
        case .episodesRecovered: ["recovered_ratio numerator"]
        case .pushesOffered: ["not_sent_ratio denominator"]
        case .pushesWithoutContent: []
        default: counter.declaration?.metric == "pushes_not_sent_count" ? ["not_sent_ratio numerator"] : []
        }
    }

    /// The totals that a counter affects: its own row, the sum of its metric, and a metric of its own for two outcomes of
    /// an episode.
    private static func totals(of counter: Counter, in summary: Summary) -> Set<String> {
        guard let declaration = counter.declaration else { return [] }
        var totals: Set = ["\(declaration.metric) \(declaration.scope)"]
        let isCounted = Counter.parts(of: declaration.metric).contains { $0.declaration.scope == "all" }
        if !isCounted, summary.row(declaration.metric, "total") != nil { totals.insert("\(declaration.metric) all") }
        if counter == .episodesRecovered { totals.insert("recovered_count all") }
        if counter == .episodesEndedSevere { totals.insert("ended_severe_count all") }
        return totals
    }

    @Test("A counter affects exactly the rows that it should, with its value")
    func counters() async throws {
        let run = try await RunResult.running(.smallPoisson)
        for counter in Counter.allCases {
            var measurements = try Measurements(emptyFor: ScenarioLoader.world(.smallPoisson))
            measurements.counters[counter.rawValue] = 7
            let summary = Summary(run.replacing(measurements: [measurements]))
            let touched = summary.rows.filter { ($0.value?.double ?? 0) != 0 }
            let (totals, ratios) = (touched.filter { $0.stat == "total" }, touched.filter { $0.stat != "total" })
            #expect(
                Set(totals.map { "\($0.metric) \($0.scope)" }) == Self.totals(of: counter, in: summary),
                "\(counter)"
            )
            #expect(Set(ratios.map { "\($0.metric) \($0.stat)" }) == Self.ratios(of: counter), "\(counter)")
            let scopes: Set = ["all", counter.declaration?.scope]
            #expect(counter == .pushesOffered || ratios.allSatisfy { scopes.contains($0.scope) }, "\(counter)")
            #expect(touched.allSatisfy { $0.value == .integer(7) && $0.unit == "count" }, "\(counter)")
        }
    }

    @Test(
        "Names that scripts rely on exist, over all",
        arguments: [
            "activities_started_count total", "activities_ended_count total", "fresh_time_ratio ratio",
            "recoverable_time_ratio ratio", "severe_time_ratio ratio", "displayed_fresh_time_ratio ratio",
            "displayed_stale_time_ratio ratio", "silently_stale_time_ratio ratio", "age_of_information_us mean",
            "age_of_information_us p50", "age_of_information_us p95", "age_of_information_us p99",
            "peak_age_us mean", "pushes_sent_count total", "pushes_per_activity ratio", "apns_response_count total",
            "stale_episodes_count total", "recovered_count total", "recovered_ratio ratio", "recovery_time_us mean",
            "ended_severe_count total", "false_kill_count total", "token_invalidated_count total",
            "send_wait_us mean", "events_count total",
        ]
    )
    func contract(name: String) async throws {
        var scenario = Scenario.smallPoisson
        scenario.rides.arrivals.ratesPerHour = [1]
        scenario.cells = 1
        let rows = Summary(try await RunResult.running(scenario)).rows
        #expect(rows.filter { "\($0.metric) \($0.stat)" == name && $0.scope == "all" }.count == 1)
    }

    @Test("All rows have different names and are sorted by metric and scope, `all` first")
    func order() async throws {
        let rows = Summary(try await RunResult.running(.smallPoisson)).rows
        #expect(Set(rows.map { "\($0.metric) \($0.scope) \($0.stat)" }).count == rows.count)
        let keys = rows.map { [$0.metric, $0.scope == "all" ? "" : $0.scope] }
        #expect(keys == keys.sorted { $0.lexicographicallyPrecedes($1) })
    }

    // MARK: - What is said of them

    @Test("A declaration has one sentence, under a name that ends with its unit")
    func declarations() {
        let declarations = MetricCatalog.declarations
        #expect(Set(declarations.map(\.name)).count == declarations.count)
        #expect(Set(declarations.map(\.meaning)).count == declarations.count)
        for declaration in declarations {
            let suffix = ["us": "_us", "count": "_count"][declaration.unit]
            #expect(suffix.map(declaration.name.hasSuffix) ?? true, "\(declaration.name)")
            #expect(declaration.meaning.hasSuffix(".") && declaration.meaning.count > 15, "\(declaration.name)")
        }
    }

    @Test("Every scope is described unless its name explains it; one name has one meaning")
    func words() {
        let speakingForThemselves = ["all", "stage", "over", "within", "rank", "by", "attempt"]
        var words: [String: String] = [:]
        for declaration in MetricCatalog.declarations {
            let parts = declaration.parts(Scenario())
            for part in parts {
                let kind = part.scope.split(separator: ":").first.map(String.init) ?? ""
                #expect(
                    (part.words == nil) == speakingForThemselves.contains(kind),
                    "\(declaration.name) \(part.scope)"
                )
                guard let named = part.words else { continue }
                #expect(words[part.scope] ?? named == named, "\(part.scope)")
                words[part.scope] = named
            }
            let all = parts.compactMap(\.words)
            #expect(Set(all).count == all.count, "\(declaration.name)")
        }
        #expect(words == MetricDescription.scopeWords)
    }

    @Test("The example of every metric is a comparison that a scenario's check can use")
    func examples() throws {
        var scenario = Scenario()
        scenario.measure.ageOver = [.seconds(15)]
        scenario.measure.waitOver = [.seconds(1)]
        let metrics = MetricDescription.all(of: scenario)
        #expect(metrics.map(\.name) == MetricCatalog.declarations.map(\.name))
        for metric in metrics {
            #expect(throws: Never.self, "\(metric.example)") { try metric.example.resolve(in: scenario) }
            #expect(try Comparison(parsing: metric.example.text) == metric.example)
        }
    }

    @Test(
        "The example for a share has a lower limit if a check asks for much of it, and an upper limit otherwise",
        arguments: [
            ("fresh_time_ratio", "fresh_time_ratio >= 95%"),
            ("displayed_fresh_time_ratio", "displayed_fresh_time_ratio >= 95%"),
            ("severe_time_ratio", "severe_time_ratio <= 5%"),
        ]
    )
    func limits(_ name: String, _ example: String) {
        let metric = MetricDescription.all(of: Scenario()).first { $0.name == name }
        #expect(metric?.example.text == example)
    }

    @Test(
        "A pattern matches a part of a name or a scope, or all of it with * for anything",
        arguments: [
            ("fate:lost", ["push_fate_count"]), ("recovered", ["recovered_by_retry_count"]),
            ("recover*", ["recoverable_time_ratio", "recovered_by_retry_count"]),
            ("*_peak_count", ["live_activities_peak_count", "streams_in_use_peak_count"]),
            ("s*_busy_*t", ["send_busy_mean_count"]), ("peak*", ["peak_age_us"]), ("*", ["rides_requested_count"]),
            ("xyz", []), ("", ["rides_requested_count"]),
        ]
    )
    func patterns(pattern: String, first: [String]) {
        let names = MetricDescription.all(of: Scenario()).filter { $0.matches(pattern) }.map(\.name)
        #expect(Array(names.prefix(first.count)) == first)
        #expect(names.isEmpty == first.isEmpty)
    }

    /// A share over another time would still be between zero and one.
    @Test("Shares of time are computed from the times that their names state")
    func shares() async throws {
        let result = try await RunResult.running(.smallPoisson)
        let time = result.total.time(_:)
        let summary = Summary(result)
        let table: [(metric: String, part: Int64, whole: Int64)] = [
            ("fresh_time_ratio", time(.freshTime), time(.monitoredTime)),
            ("recoverable_time_ratio", time(.recoverableTime), time(.monitoredTime)),
            ("severe_time_ratio", time(.severeTime), time(.monitoredTime)),
            ("displayed_fresh_time_ratio", time(.displayedFreshTime), time(.displayedTime)),
            ("displayed_stale_time_ratio", time(.displayedStaleTime), time(.displayedTime)),
            ("silently_stale_time_ratio", time(.silentlyStaleTime), time(.displayedTime)),
        ]
        for (metric, part, whole) in table {
            #expect(summary.row(metric, "numerator")?.value == .integer(part), "\(metric)")
            #expect(summary.row(metric, "denominator")?.value == .integer(whole), "\(metric)")
        }
        #expect(summary.row("events_count", "total")?.value == .integer(Int64(result.total.eventCount)))
    }
}
