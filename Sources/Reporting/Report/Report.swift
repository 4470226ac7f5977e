import Evaluation
import LiveActivityModel
import Quantities
import Results
import ScenarioLanguage
import SimulationKernel
import Statistics
import TextFormats

/// `report.md`: the answers to a person's questions about a run, the most important first.
///
/// The same run gives the same bytes, because it says nothing about the machine or the time.
struct Report {
    let result: RunResult
    /// The summary for people, with means per replication instead of sums.
    let summary: Summary
    let checks: CheckList
    /// The simulation that a run in real time is compared with.
    let simulated: RunResult?
    /// The requests of a run in real time.
    let course: LoadCourse?

    init(
        _ result: RunResult,
        summary: Summary? = nil,
        checks: CheckList = CheckList([]),
        simulated: RunResult? = nil,
        course: LoadCourse? = nil
    ) {
        self.result = result
        self.course = course
        self.simulated = simulated
        self.summary = (summary ?? Summary(result)).perReplication(result.replications)
        self.checks = checks
    }

    var blocks: [Block] {
        // A run that ended within its warm-up has no numbers to report.
        let sections = [
            againstSimulation, .section("Requests in real time", courseCharts), checks.section, freshness, card, causes,
            freshnessOverTime, faults, capacity, buckets,
            worstStretch, endings, pushes, groups, retries, ages, waits, contentRequests, starts, stages, cities,
            cohorts,
            examples,
            trace,
            limits,
        ]
        return opening + (result.hasMeasured ? sections.flatMap(\.self) : []) + identity
    }

    var scenario: Scenario { result.scenario }
    var total: Measurements { result.total }
    var clock: ClockTime { ClockTime(result.scenario) }
    /// `true` if a monitor classifies activities, so that there is a belief to report.
    var hasMonitor: Bool { scenario.monitor.enabled }

    // MARK: - Opening

    /// The headline in sentences, with a remark if no push was sent.
    var headline: [String] {
        numbers.sentences + remarks
    }

    var numbers: Headline { Headline(replications: result.replications) { summary.row($0, $1, scope: $2) } }

    /// A remark if no push was sent, or if none could be.
    var remarks: [String] {
        if scenario.generatesNoUpdates {
            return ["The scenario generates no updates: there are no refreshes, and rides have one stage."]
        }
        return count("pushes_sent_count") == 0 ? ["No push was sent."] : []
    }

    /// The contents of the first screen: the verdict, the headline in numbers and in sentences, and the day; then the
    /// description of the scenario, and the facts needed to read any number.
    private var opening: [Block] {
        let (live, chart) = (result.realTime, Chart.freshness(result, checks: checks))
        let sentences = "**\(headline[0])** " + headline.dropFirst().joined(separator: " ")
        let numbers = result.hasMeasured ? [Block](HeadlineTile.tables(tiles), sentences, chart) : nil
        return [Block](
            Block.heading(1, scenario.name),
            live?.earlyEnd?.markdown,
            checks.verdict,
            live?.lateness.markdown,
            rowsOfTrace,
            numbers,
            scenario.descriptionLine,
            scenario.remarkOnScale,
            intervalGaps
        )
    }

    /// The headline numbers; for a load of a scenario, with those of its simulation below.
    private var tiles: [HeadlineTile] {
        guard let simulated else { return HeadlineTile.tiles(of: result) }
        return HeadlineTile.tiles(of: result, besideSimulation: simulated)
    }

    /// The comparison with the simulation, metric by metric.
    private var againstSimulation: [Block] {
        guard let simulated else { return [] }
        let comparison = ResultComparison(simulated: simulated, live: result)
        return LiveComparisonReport(comparison, lateness: result.realTime?.lateness).section
    }

    /// The charts of the requests to the endpoint; empty for a simulated run.
    var courseCharts: [Chart] {
        course.map { Chart.charts($0, subtitle: "\(Chart.subtitle(result)), by the clock") } ?? []
    }

    /// The identity and the size of the run, and notes on reading it.
    private var identity: [Block] {
        let clock = scenario.clock
        let warmUp = clock.warmUp > .zero ? ", the first \(Format.span(clock.warmUp.microseconds)) left out" : ""
        let drain = clock.drain > .zero ? " and up to \(Format.span(clock.drain.microseconds)) to finish" : ""
        var time = ["Simulated", "\(Format.span(clock.duration.microseconds)) of rides\(drain)\(warmUp)"]
        if let live = result.realTime {
            let isWhole = live.speed == live.speed.rounded()
            let speed = FixedPoint.text(live.speed, places: isWhole ? 0 : 3) ?? ""
            time = ["In real time", "\(time[1]); \(speed) times wall-clock speed"]
        }
        let table = TextTable(
            ["", ""],
            rows: [
                time, ["Starts at", self.clock.begin], ["Replications", replications],
                ["Cells", Format.count(Int64(scenario.cells))], ["Seed", "\(scenario.seed)"],
                ["Rides\(perRun)", value("rides_requested_count", "total")],
                ["Activities started\(perRun)", value("activities_started_count", "total")],
                ["Pushes sent\(perRun)", value("pushes_sent_count", "total")],
                ["Pushes per activity", value("pushes_per_activity", "ratio")],
                ["Run", "\(RunID(scenario)), fingerprint \(result.fingerprint.value.hexadecimal)"],
            ]
        )
        let explanation =
            basis + "Intervals are 95 % confidence intervals \(intervalBasis); "
            + "\(Format.undefined) means undefined. The scenario is in `scenario.resolved.yaml`."
        return .section("About this run", table, explanation, steadyState)
    }

    /// A note on the basis of counts; empty for one replication.
    private var basis: String {
        guard result.replications > 1 else { return "" }
        return "Counts and summed times are per run: means over the \(result.replications) replications. "
            + "`summary.csv` has the sums. "
    }

    /// The number of replications, with pairs and the precision reached if one was requested.
    private var replications: String {
        let pairs = scenario.replications.antithetic ? ", in antithetic pairs" : ""
        guard let precision = result.precision else { return "\(result.replications)\(pairs)" }
        guard precision.isMet else { return "\(result.replications)\(pairs). \(precision.shortfall(of: result))" }
        return "\(result.replications)\(pairs); half-width of \(precision.wish.metric) "
            + "\(PrecisionReached.percent(precision.halfWidth)) of it, requested below "
            + PrecisionReached.percent(precision.wish.halfWidth)
    }

    private var intervalBasis: String {
        switch result.intervalBasis {
        case .replications: "from the differences between replications"
        case .antitheticPairs: "from the differences between antithetic pairs of replications"
        case .cells: "from the differences between cells"
        case .windows:
            "from batches of consecutive windows if these are alike and independent, for shares of time only "
                + "(one replication of one cell has no other parts)"
        }
    }

    /// A recommendation for a warm-up, for a run that has none and could become steady.
    private var steadyState: String? {
        switch SteadyState(result) {
        case nil: nil
        case .from(let instant)?:
            "This run has no warm-up. By MSER-5, live activities and freshness are steady from \(clock.short(instant)) on."
        case .notReached?: "This run has no warm-up, and by MSER-5 it is too short to become steady."
        case .tooFewWindows(let count)?:
            "This run has no warm-up, and it is too short to find out when it became steady: MSER-5 needs "
                + "\(MSER5.fewestValues) windows of `clock.window` while rides arrive, and there "
                + "\(count == 1 ? "is 1" : "are \(count)"). Use a longer run or shorter windows."
        }
    }

    // MARK: - Parts of sections

    func value(_ metric: String, _ stat: String, scope: String = "all") -> String {
        Format.value(summary.row(metric, stat, scope: scope))
    }

    func interval(_ metric: String, _ stat: String, scope: String = "all") -> String {
        Format.interval(summary.row(metric, stat, scope: scope))
    }

    /// Returns the value and the interval as cells of a table.
    func valueAndInterval(_ metric: String, _ stat: String, scope: String = "all") -> [String] {
        [value(metric, stat, scope: scope), interval(metric, stat, scope: scope)]
    }

    /// The suffix of a count's title; empty for one replication.
    var perRun: String { Self.perRun(result) }

    static func perRun(_ result: RunResult) -> String { result.replications > 1 ? " per run" : "" }

    /// Returns a count of the summary per replication; 0 if there is no such metric.
    func count(_ metric: String, scope: String = "all") -> Double {
        summary.row(metric, "total", scope: scope)?.value?.double ?? 0
    }

    /// Returns the parts of a count that are not zero, the largest first, ties by name.
    func parts(of metric: String, by kind: String) -> [(name: String, count: Double)] {
        summary.rows
            .compactMap { row -> (name: String, count: Double)? in
                guard row.metric == metric, row.scope.hasPrefix("\(kind):"), let count = row.value?.double, count > 0
                else { return nil }
                return (String(row.scope.dropFirst(kind.count + 1)), count)
            }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }

    /// Returns a table of the parts of a count with their shares, in words; nil if there are none.
    func table(of metric: String, by kind: String, title: String) -> (any ReportPart)? {
        let parts = parts(of: metric, by: kind)
        guard !parts.isEmpty else { return nil }
        let whole = parts.reduce(0) { $0 + $1.count }
        return TextTable(
            ["\(title)", "count\(perRun):", "share:"],
            rows: parts.map { name, count in
                [Wording.part(kind, name), Format.count(mean: count), Format.percent(count / whole)]
            }
        )
    }

    /// Returns a table of the percentiles of tallies and ramps.
    func percentiles(_ rows: [(title: String, metric: String)]) -> TextTable {
        TextTable(
            ["", "mean:", "95 % interval:", "p50:", "p95:", "p99:"],
            rows: rows.map { title, metric in
                [title] + valueAndInterval(metric, "mean") + ["p50", "p95", "p99"].map { value(metric, $0) }
            }
        )
    }
}

extension RunResult {
    /// `true` unless the run ended within its warm-up.
    var hasMeasured: Bool { realTime?.earlyEnd?.hasMeasured ?? true }
}

extension String {
    /// The text for Markdown, with HTML elements escaped.
    var asMarkdownText: String { replacingScalars { ["&": "&amp;", "<": "&lt;", "[": "&#91;"][$0] } }
}

extension Scenario {
    /// The description on one line; empty if there is none.
    var descriptionLine: String {
        description.split(whereSeparator: \.isWhitespace).joined(separator: " ").asMarkdownText
    }

    /// The part of the rides and the load of each sender in a scaled-down scenario; nil for a full-size one.
    ///
    /// Like the whole report, it depends only on the resolved scenario, so it cannot mention the file's values.
    var remarkOnScale: String? {
        guard rides.scale < 1, rides.scale > 0 else { return nil }
        let whole = (Double(cells) / rides.scale).rounded()
        // Written to two places, a third is 33.33 %.
        let isWhole = Format.percent(Double(cells) / whole) == Format.percent(rides.scale)
        let budgets = budgetsOfCells.map { "`\($0)`" }
        let budget =
            budgets.isEmpty
            ? ""
            : " The same holds for the retries per ride that \(budgets.enumeration) \(budgets.count == 1 ? "allows" : "allow")."
        guard isWhole, let count = FixedPoint.text(whole, places: 0) else {
            // The scale may be a part of a city or a multiple of a small load, so nothing is said about all arrivals.
            return
                "Rides arrive at \(Format.percent(rides.scale)) of the scenario's rates (`rides.scale`)"
                + (cells > 1 ? ", and each cell's sender carries \(Format.percent(rides.scale / Double(cells)))" : "")
                + ". Waits, queues and streams are those of this load.\(budget)"
        }
        return
            "The numbers are for \(Format.percent(rides.scale)) of the rides (`rides.scale`)"
            + (count == "\(cells)" ? ". " : ", simulated as \(cells) of \(count) equal cells. ")
            + "Each cell has its own sender, so waits, queues and streams are those of a run of all rides in "
            + "\(count == "1" ? "one cell" : "\(count) cells").\(budget)"
    }
}

extension Experiment {
    /// The remark on a scaled-down scenario; nil for a full-size one, and if the scale or the cells are factors.
    var remarkOnScale: String? {
        let varies = factors?.vary.contains { ["rides.scale", "cells"].contains($0.path) } ?? false
        return varies ? nil : scenario.remarkOnScale
    }

    /// The names of the cohorts that factors concern, whose paths have only their numbers; nil if there are none.
    var remarkOnCohorts: String? {
        let paths = factors?.vary.map(\.path) ?? []
        let names = scenario.cohorts.enumerated()
            .filter { number, _ in paths.contains { $0.hasPrefix("cohorts.\(number).") } }
            .map { "`cohorts.\($0)` is the cohort \(Wording.plain($1.name))" }
        return names.isEmpty ? nil : "In the paths of factors, \(names.enumeration)."
    }
}
