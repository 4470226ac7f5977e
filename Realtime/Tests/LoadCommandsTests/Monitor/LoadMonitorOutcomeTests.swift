import Evaluation
import LiveActivityModel
import Quantities
import Reporting
import Results
import SimulationKernel
import Studies
import Testing
import Wire

@testable import LoadCommands
@testable import LoadGenerator
@testable import ServiceLoad

/// Compares the names of a live run's metrics, which are written by hand, with the simulator's.
@Suite("Results of a scenario against a monitor")
struct LoadMonitorOutcomeTests {
    /// A scenario of some rides with everything that adds scopes to metrics.
    private static var scenario: Scenario {
        var scenario = Scenario()
        scenario.clock.duration = .minutes(10)
        scenario.clock.drain = .minutes(30)
        scenario.clock.window = .minutes(5)
        scenario.rides.arrivals.process = .even
        scenario.rides.arrivals.count = 12
        scenario.rides.arrivals.spread = .minutes(10)
        scenario.rides.stages = [
            Scenario.Stage(name: "a", duration: .constant(60e6)), Scenario.Stage(name: "b", duration: .constant(200e6)),
        ]
        scenario.content.refresh = .constant(20e6)
        scenario.devices.token.delay = .constant(1e6)
        scenario.measure.ageOver = [.seconds(15)]
        scenario.measure.waitOver = [.seconds(1)]
        return scenario
    }

    /// The identity of a row as text.
    private static func name(_ row: SummaryRow) -> String { "\(row.metric){\(row.scope)}.\(row.stat) [\(row.unit)]" }

    /// The names of the simulator's rows for the scenario.
    private static func simulated() async throws -> RunResult {
        let world = try ScenarioLoader.world(scenario)
        return try await RunEngine(world: world, replications: 1, jobs: 1).run(progress: RunProgress())
    }

    /// A run whose monitor has received and counted requests, and has not sent anything.
    private static func outcome(of world: World) -> LoadMonitorOutcome {
        var cell = CellSimulation(world: world, cell: 0, remote: .withMonitor)
        _ = cell.run(through: .never)
        cell.finish()
        let measured = CellResult(
            replication: 0,
            cell: 0,
            measurements: cell.measurements,
            fingerprint: cell.fingerprint
        )
        var monitor = MonitorWire.Outcome()
        monitor.counted = MonitorMetrics(
            openMetrics: """
                freshet_monitor_pushes_sent_total{kind="update"} 3
                freshet_monitor_pushes_sent_total{kind="end"} 1
                freshet_monitor_apns_responses_total{status="200",reason=""} 4
                freshet_monitor_stale_episodes_total 2
                """
        )
        monitor.requests.record(.publish, .answered(APNsAnswer(monitor: 201)), microseconds: 1000)
        monitor.requests.record(.announce, .answered(APNsAnswer(monitor: 202)), microseconds: 500)
        monitor.requests.record(.announce, .timedOut, microseconds: 2000)
        monitor.lost = 5
        var lateness = LiveOutcome.Lateness()
        lateness.record(TimeSpan(microseconds: 100))
        let live = LiveOutcome(
            result: RunResult(scenario: world.scenario, cells: [measured]),
            lateness: lateness,
            speed: 1,
            progress: LiveProgress()
        )
        return LoadMonitorOutcome(live: live, monitor: monitor, speed: 1)
    }

    @Test("Its metrics of screens and fates are metrics of the simulator")
    func screensAndFates() async throws {
        let rows = Summary(try await Self.simulated()).rows
        let metrics = Set(rows.map(\.metric))
        #expect(LoadMonitorOutcome.screens.subtracting(metrics) == [])
        func scopes(_ metric: String) -> Set<String> { Set(rows.filter { $0.metric == metric }.map(\.scope)) }
        #expect(Set(LoadMonitorOutcome.fates.map { "fate:\($0)" }).subtracting(scopes("push_fate_count")) == [])
        let reasons = LoadMonitorOutcome.reasonsNotSent.map { "reason:\($0)" }
        #expect(Set(reasons).subtracting(scopes("pushes_not_sent_count")) == [])
    }

    @Test(
        "Other metrics with a name of the simulator have its scope, statistic and unit; the rest are metrics of loads"
    )
    func namesOfItsOwn() async throws {
        let known = Set(Summary(try await Self.simulated()).rows.map(Self.name))
        let own = LoadMonitorOutcome.names(of: try ScenarioLoader.world(Self.scenario))
            .filter { !known.contains(Self.name($0)) }
        let ofLoads = Set(MetricDescription.ofLoads.map(\.name))
        let others = own.filter { !ofLoads.contains($0.metric) }
        #expect(others.map { "\($0.metric) \($0.scope)" } == ["push_fate_count fate:unreadable"])
    }

    @Test("The names are those of a run")
    func names() throws {
        let world = try ScenarioLoader.world(Self.scenario)
        let rows = Self.outcome(of: world).rows
        #expect(LoadMonitorOutcome.names(of: world).map(Self.name) == rows.map(Self.name))
        #expect(Set(rows.map(Self.name)).count == rows.count, "each once")
    }

    @Test("Each count is in its row")
    func values() throws {
        let rows = Self.outcome(of: try ScenarioLoader.world(Self.scenario)).rows
        func value(_ metric: String, _ stat: String = "total", scope: String = "all") -> SummaryRow.Value? {
            rows.first { $0.metric == metric && $0.scope == scope && $0.stat == stat }?.value
        }
        #expect(value("rides_completed_count") == .integer(12))
        #expect(value("pushes_sent_count") == .integer(4))
        #expect(value("pushes_sent_count", scope: "kind:update") == .integer(3))
        #expect(value("pushes_sent_count", scope: "kind:retry") == .integer(0))
        #expect(value("apns_response_count", scope: "status:200") == .integer(4))
        #expect(value("stale_episodes_count") == .integer(2))
        #expect(value("recovered_count") == nil, "the monitor has not said")
        #expect(value("push_fate_count", scope: "fate:lost") == .integer(5))
        #expect(value("monitor_requests_count") == .integer(3))
        #expect(value("monitor_requests_count", scope: "request:announce") == .integer(2))
        #expect(value("monitor_response_count", scope: "status:202") == .integer(1))
        #expect(value("monitor_response_missing_count") == .integer(1))
        #expect(value("request_latency_us", "p50", scope: "request:publish") == .integer(1000))
        #expect(value("request_latency_us", "mean", scope: "request:withdraw") == nil)
        #expect(value("driver_lateness_us", "max") == .integer(100))
    }

    @Test("Failures are requests without an answer and rejected requests; a 409 is no failure")
    func failures() throws {
        var monitor = MonitorWire.Outcome()
        for status in [200, 201, 202, 204, 409, 400, 401, 404, 429, 503] {
            monitor.requests.record(.announce, .answered(APNsAnswer(monitor: status)), microseconds: 1)
        }
        for outcome in [APNsOutcome.timedOut, .notSent] { monitor.requests.record(.announce, outcome, microseconds: 1) }
        let run = Self.outcome(of: try ScenarioLoader.world(Self.scenario))
        #expect(run.failures == 1)
        #expect(LoadMonitorOutcome(live: run.live, monitor: monitor, speed: 1).failures == 7)
    }

    @Test("Columns of the time series have the simulator's names")
    func columns() async throws {
        let result = try await Self.simulated()
        let file = try #require(RunFiles(result).files.first { $0.path == "timeseries.csv" })
        let header = try #require(file.text.split(separator: "\n").first).split(separator: ",").map(String.init)
        #expect(header.prefix(3) == ["window_start_us", "window_us", "scope"])
        let simulated = Dictionary(uniqueKeysWithValues: zip(SeriesColumn.written, header.dropFirst(3)))
        for (name, column) in LoadMonitorOutcome.columns where column != .liveAtStart {
            #expect(simulated[column] == name)
        }
        // The one exception: in a live run's file, the name of this column has its unit.
        #expect(simulated[.liveAtStart] == "live_at_start")
        #expect(LoadMonitorOutcome.columns.first { $0.column == .liveAtStart }?.name == "live_at_start_count")
    }

    @Test("The time series has one row per window, and the latencies of all answers are a histogram")
    func description() throws {
        let run = Self.outcome(of: try ScenarioLoader.world(Self.scenario))
        var results = LoadReport(load: "load monitor", seed: 1, settings: [], rows: run.rows)
        run.describe(&results)
        let series = run.live.result.total.series
        #expect(results.series.columns == LoadMonitorOutcome.columns.map(\.name))
        #expect(results.series.windows.count == series.windowCount)
        #expect(results.series.windows.map(\.start) == (0..<series.windowCount).map { Int64($0) * 300_000_000 })
        #expect(results.series.windows.allSatisfy { $0.length == 300_000_000 })
        let started = LoadMonitorOutcome.columns.firstIndex { $0.column == .activitiesStarted } ?? 0
        let inWindows = results.series.windows.compactMap { $0.values[started] }
        #expect(inWindows.count == series.windowCount)
        #expect(inWindows.reduce(0, +) == 12)
        #expect(results.histograms.map(\.metric) == ["request_latency_us"])
        let buckets = results.histograms[0].buckets.map { [$0.low, $0.high, Double($0.weight)] }
        #expect(buckets == [[500, 500, 1], [1000, 1000, 1]])
        #expect(results.notes.count == 1, "\(results.notes)")
    }
}
