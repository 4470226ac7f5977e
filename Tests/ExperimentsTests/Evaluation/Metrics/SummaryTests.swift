import Testing

@testable import Evaluation
@testable import LiveActivityModel
@testable import Studies

@Suite("The summary of a run")
struct SummaryTests {
    /// Metrics that are plain totals, with their counters.
    static let totals: [(metric: String, scope: String, counter: Counter)] = [
        ("activities_started_count", "all", .activitiesStarted), ("rides_requested_count", "all", .ridesRequested),
        ("pushes_sent_count", "kind:update", .updatesSent), ("push_fate_count", "fate:shown", .fateShown),
    ]

    @Test("A total is the sum of n batches, with the interval of counts", arguments: [1, 3])
    func totals(replications: Int) async throws {
        let result = try await RunResult.running(.smallPoisson, replications: replications)
        let summary = Summary(result)
        for (metric, scope, counter) in Self.totals {
            let parts =
                replications == 1
                ? result.cells.map { Double($0.measurements[counter]) }
                : result.perReplication.map { Double($0[counter]) }
            #expect(parts.count == (replications == 1 ? 8 : 3))
            let row = try #require(summary.row(metric, "total", scope: scope))
            #expect(row.value == .integer(Int64(parts.reduce(0, +))))
            let expected = IntervalRule(parts: parts.map { ($0, 1) }).count(isOpenEnded: true)
            let interval = try #require(row.interval)
            #expect(expected == .interval(interval, parts: parts.count))
            #expect(row.n == parts.count)
        }
    }

    @Test("A total by hand: batches of 101, 102 and 103 vary less than Poisson counts, which these are")
    func knownTotal() async throws {
        let run = try await RunResult.running(.smallPoisson)
        let world = try ScenarioLoader.world(.smallPoisson)
        let parts = [101, 102, 103]
            .map { (count: Int64) in
                var part = Measurements(emptyFor: world)
                part.counters[Counter.ridesRequested.rawValue] = count
                return part
            }
        let row = try #require(Summary(run.replacing(measurements: parts)).row("rides_requested_count", "total"))
        let interval = try #require(row.interval)
        #expect(row.value == .integer(306))
        #expect(row.n == 3)
        #expect(abs(interval.lowerBound - 272.67) < 0.01)
        #expect(abs(interval.upperBound - 342.28) < 0.01)
    }

    /// A run in which no end was lost repeatedly looks more certain than it is.
    @Test("The severe share has no interval if one persistent severe instance would move it by more")
    func severeShare() async throws {
        let run = try await RunResult.running(.smallPoisson)
        let world = try ScenarioLoader.world(.smallPoisson)
        func row(timesAsMuch scale: Int64) throws -> SummaryRow {
            let parts = (0..<20)
                .map { index in
                    var part = Measurements(emptyFor: world)
                    part.series.add((900 + 10 * Int64(index)) * 1_000_000 * scale, to: .severeTime, window: 0)
                    part.series.add(1_000_000 * 1_000_000 * scale, to: .monitoredTime, window: 0)
                    return part
                }
            return try #require(Summary(run.replacing(measurements: parts)).row("severe_time_ratio", "ratio"))
        }
        #expect(try row(timesAsMuch: 1).gap?.reason == .heaviest)
        #expect(try row(timesAsMuch: 10_000).interval != nil)
    }

    @Test("Pushes per activity have the interval of their own quotient over complete lives")
    func pushesPerActivity() async throws {
        let run = try await RunResult.running(.smallPoisson)
        let world = try ScenarioLoader.world(.smallPoisson)
        let lives: [(pushes: Int64, lives: Int64)] = [(310, 10), (290, 10), (305, 10), (300, 10), (315, 10), (280, 10)]
        let parts = lives.map { counts in
            var part = Measurements(emptyFor: world)
            part.totals[Total.requestsOfWholeLives.rawValue] = counts.pushes
            part.totals[Total.wholeLives.rawValue] = counts.lives
            // Neither the number of all pushes nor the number of all activities is used.
            part.counters[Counter.updatesSent.rawValue] = 7 * counts.lives
            part.counters[Counter.activitiesStarted.rawValue] = 99
            return part
        }
        let row = try #require(Summary(run.replacing(measurements: parts)).row("pushes_per_activity", "ratio"))
        #expect(row.value == .decimal(30))
        let expected = IntervalRule(parts: lives.map { (Double($0.pushes), Double($0.lives)) }).mean(heaviest: nil)
        let interval = try #require(row.interval)
        #expect(expected == .interval(interval, parts: lives.count))
    }

    @Test("A ratio divides its numerator row by its denominator row; its interval is by batches", arguments: [1, 3])
    func ratios(replications: Int) async throws {
        let result = try await RunResult.running(.smallPoisson, replications: replications)
        let summary = Summary(result)
        let ratios = summary.rows.filter { $0.stat == "ratio" }
        #expect(!ratios.isEmpty)
        for row in ratios {
            let numerator = try #require(summary.row(row.metric, "numerator", scope: row.scope)?.value).double
            let denominator = try #require(summary.row(row.metric, "denominator", scope: row.scope)?.value).double
            #expect(
                row.value?.double == (denominator == 0 ? nil : numerator / denominator),
                "\(row.metric) \(row.scope)"
            )
        }

        let parts = Array(result.batches)
            .map {
                (Double($0.duringRide(.displayedFreshTime)), Double($0.duringRide(.displayedTime)))
            }
        let fresh = try #require(summary.row("displayed_fresh_time_ratio", "ratio", scope: "during_ride"))
        let interval = try #require(fresh.interval)
        #expect(fresh.n == (replications == 1 ? 8 : 3))
        #expect(IntervalRule(parts: parts).share(heaviest: nil) == .interval(interval, parts: parts.count))
        #expect(
            summary.row("displayed_fresh_time_ratio", "numerator")?.value
                == .integer(result.total.time(.displayedFreshTime))
        )
        #expect(
            summary.row("displayed_fresh_time_ratio", "denominator")?.value
                == .integer(result.total.time(.displayedTime))
        )
    }

    @Test("A single batch in a single replication has values and no intervals")
    func noIntervals() async throws {
        var scenario = Scenario.smallPoisson
        scenario.cells = 1
        let whole = Summary(try await RunResult.running(scenario))
        #expect(whole.rows.allSatisfy { $0.interval == nil && $0.n == 1 })

        let result = try await RunResult.running(.smallPoisson, replications: 3)
        for replication in 0..<3 {
            let part = Summary.perReplication(result)[replication]
            #expect(part.rows.allSatisfy { $0.interval == nil && $0.n == 1 })
            let started = result.perReplication[replication][.activitiesStarted]
            #expect(part.row("activities_started_count", "total")?.value == .integer(started))
        }
    }

    /// The summary of a scenario at a small scale.
    @Test("One ride on many cells has no interval of zero width, and neither do counts of 0")
    func oneRide() async throws {
        var scenario = Scenario.smallPoisson
        scenario.rides.arrivals.process = .even
        scenario.rides.arrivals.count = 1
        for replications in [1, 3] {
            let rows = Summary(try await RunResult.running(scenario, replications: replications)).rows
            #expect(rows.allSatisfy { row in row.interval.map { $0.lowerBound < $0.upperBound } ?? true })
            #expect(rows.allSatisfy { ($0.gap != nil) != ($0.interval != nil) || $0.gap == nil })
        }
        let poisson = Summary(try await RunResult.running(.smallPoisson))
        let limit = try #require(poisson.row("activities_ended_count", "total", scope: "reason:no_token"))
        #expect(limit.value == .integer(0))
        #expect(abs((limit.interval?.upperBound ?? 0) - 3.689) < 1e-3)
    }
}
