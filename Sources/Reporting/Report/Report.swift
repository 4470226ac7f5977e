import Experiments
import LiveActivityModel
import Quantities
import SimulationKernel
import Statistics
import TextFormats

/// `report.md`: what a person asks first about a run, in the order of asking.
///
/// The same run gives the same bytes: nothing of the machine or the moment is in it.
struct Report {
    let result: RunResult
    /// The summary as people read it: sums over replications are those of one, on average.
    let summary: Summary
    let checks: CheckList
    /// The simulation of a run in real time, where it is held against one.
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

    var markdown: String {
        // Of a run that ended within its warm-up there are no numbers to be told.
        guard result.hasMeasured else {
            return [opening, description, identity].filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
        }
        let sections = [
            opening, description, againstSimulation, requests, checks.section, freshness, causes, freshnessOverTime,
            faults, buckets, worstStretch, endings, pushes, retries, ages, waits, starts, stages, cities, examples,
            trace,
            limits,
            identity,
        ]
        return sections.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    var scenario: Scenario { result.scenario }
    var total: Measurements { result.total }
    var clock: ClockTime { ClockTime(result.scenario) }
    /// `true` if a monitor classifies activities, so that there is a belief to report.
    var hasMonitor: Bool { scenario.monitor.enabled }

    // MARK: - Opening

    /// The answer: what riders saw during their rides, what was left on screens after them, what the monitor believed.
    var headline: String {
        guard summary.row("displayed_fresh_time_ratio", "ratio")?.value != nil else {
            return "No activity was on a screen in this run."
        }
        let parts = [duringRides, afterRides, belief].filter { !$0.isEmpty }
        return parts.joined(separator: "; ") + "." + withoutPushes
    }

    /// Whether no push was sent, and none could be.
    private var withoutPushes: String {
        if scenario.generatesNoUpdates {
            return " The scenario generates no updates: there are no refreshes, and rides have one stage."
        }
        return count("pushes_sent_count") == 0 ? " No push was sent." : ""
    }

    /// The coverages of all ride time: of the time on screens alone, a blackout in which activities die early looks good.
    private var duringRides: String {
        guard let fresh = summary.row("ride_fresh_coverage_ratio", "ratio"), fresh.value != nil else {
            return "No ride was going on"
        }
        var text = "Of all ride time, a screen showed fresh content for \(Format.value(fresh))"
        if fresh.interval != nil { text += " (95 % interval \(Format.interval(fresh)))" }
        text += " and the stage that the ride was in for \(value("ride_stage_coverage_ratio", "ratio"))"
        let noCard = HeadlineTile.noCard(in: total)
        return noCard.isEmpty ? text : "\(text); \(noCard)"
    }

    /// How much of the time on screens came after the ride.
    private var afterRides: String {
        let (after, all) = (total.afterRide(.displayedTime), total.time(.displayedTime))
        guard after > 0, all > 0 else { return "" }
        return
            "cards on screens after their ride took \(Format.percent(Double(after) / Double(all))) of all screen time"
    }

    private var belief: String {
        guard hasMonitor, let believed = summary.row("fresh_time_ratio", "ratio"), believed.value != nil else {
            return ""
        }
        return "the monitor believed \(Format.value(believed)) fresh"
    }

    /// What fits on the first screen: the verdict, the answer in five numbers and a sentence, and the day.
    private var opening: String {
        let parts = [
            "# \(scenario.name)", result.realTime?.earlyEnd?.markdown ?? "", checks.verdict,
            result.realTime?.lateness.markdown ?? "", rowsOfTrace,
        ]
        let numbers = [
            HeadlineTile.table(tiles).markdown, "**\(headline)**", Chart.freshness(result, checks: checks).markdown,
        ]
        return (parts + (result.hasMeasured ? numbers : [])).filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// The headline numbers; those of a live run with the simulation's below them.
    private var tiles: [HeadlineTile] {
        guard let simulated else { return HeadlineTile.tiles(of: result) }
        return HeadlineTile.tiles(of: result, besideSimulation: simulated)
    }

    /// Simulation and reality, metric by metric.
    private var againstSimulation: String {
        guard let simulated else { return "" }
        let comparison = LiveComparison(simulated: simulated, live: result)
        return LiveComparisonReport(comparison, lateness: result.realTime?.lateness).section
    }

    /// What was asked of the endpoint over time, and how long it took.
    private var requests: String {
        section("Requests in real time", courseCharts.map(\.markdown))
    }

    /// The pictures of these requests; none of a simulated run.
    var courseCharts: [Chart] {
        course.map { Chart.charts($0, subtitle: "\(Chart.subtitle(result)), by the clock") } ?? []
    }

    /// What the scenario is about, and what one must know to read any number of it.
    private var description: String {
        (scenario.descriptionLines
            + [scenario.remarkOnScale, intervalGaps.isEmpty ? nil : intervalGaps].compactMap(\.self))
            .joined(separator: "\n\n")
    }

    /// What was run, how large it is, and how to read it.
    private var identity: String {
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
            [("", .left), ("", .left)],
            rows: [
                time, ["Starts at", self.clock.short(.start)], ["Replications", replications],
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
            + "\(Format.undefined) stands for what is not defined. The scenario is in `scenario.resolved.yaml`."
        return section(
            "About this run",
            [table.markdown, explanation, steadyState]
        )
    }

    /// The basis of counts; empty for one replication.
    private var basis: String {
        guard result.replications > 1 else { return "" }
        return "Counts and summed times are per run: means over the \(result.replications) replications. "
            + "`summary.csv` has the sums. "
    }

    /// How many replications, in how many pairs, and how far they have brought the precision that was asked for.
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
            "for shares of time alone, from batches of consecutive windows where these are alike and independent "
                + "(one replication of one cell has no other parts)"
        }
    }

    /// What to leave out as a warm-up, of a run that has none and could become steady.
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

    /// Both, as cells of a table.
    func valueAndInterval(_ metric: String, _ stat: String, scope: String = "all") -> [String] {
        [value(metric, stat, scope: scope), interval(metric, stat, scope: scope)]
    }

    /// The words after the title of a count; empty for one replication.
    var perRun: String { Self.perRun(result) }

    static func perRun(_ result: RunResult) -> String { result.replications > 1 ? " per run" : "" }

    /// A count of the summary, of one replication on average; 0 when there is no such metric.
    func count(_ metric: String, scope: String = "all") -> Double {
        summary.row(metric, "total", scope: scope)?.value?.double ?? 0
    }

    /// The parts of a count that are not nothing, the largest first, equal ones by name.
    func parts(of metric: String, by kind: String) -> [(name: String, count: Double)] {
        summary.rows
            .compactMap { row -> (name: String, count: Double)? in
                guard row.metric == metric, row.scope.hasPrefix("\(kind):"), let count = row.value?.double, count > 0
                else { return nil }
                return (String(row.scope.dropFirst(kind.count + 1)), count)
            }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }

    /// Parts of a count with their shares of the whole, in plain words; nil when there are none.
    func table(of metric: String, by kind: String, title: String) -> String? {
        let parts = parts(of: metric, by: kind)
        guard !parts.isEmpty else { return nil }
        let whole = parts.reduce(0) { $0 + $1.count }
        return TextTable(
            [(title, .left), ("count\(perRun)", .right), ("share", .right)],
            rows: parts.map { name, count in
                [Wording.part(kind, name), Format.count(mean: count), Format.percent(count / whole)]
            }
        )
        .markdown
    }

    /// Percentiles of tallies and ramps.
    func percentiles(_ rows: [(title: String, metric: String)]) -> String {
        TextTable(
            [
                ("", .left), ("mean", .right), ("95 % interval", .right), ("p50", .right), ("p95", .right),
                ("p99", .right),
            ],
            rows: rows.map { title, metric in
                [title] + valueAndInterval(metric, "mean") + ["p50", "p95", "p99"].map { value(metric, $0) }
            }
        )
        .markdown
    }
}

/// A section of a report in Markdown; nothing when it has no content.
func section(_ title: String, _ parts: [String?]) -> String {
    let content = parts.compactMap(\.self)
    return content.isEmpty ? "" : (["## \(title)"] + content).joined(separator: "\n\n")
}

extension RunResult {
    /// Whether something of it was measured: not where it ended within its warm-up.
    var hasMeasured: Bool { realTime?.earlyEnd?.hasMeasured ?? true }
}

extension String {
    /// The text for Markdown, without elements of HTML.
    var asMarkdownText: String { replacingScalars { ["&": "&amp;", "<": "&lt;", "[": "&#91;"][$0] } }
}

extension Scenario {
    /// The description on one line; none where it is empty.
    var descriptionLines: [String] {
        let words = description.split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? [] : [words.joined(separator: " ").asMarkdownText]
    }

    /// What a scenario that is scaled down says of its senders and budgets; nil for a whole one.
    ///
    /// It follows from the resolved scenario alone, as all of a report does, so it cannot say what the file had.
    var remarkOnScale: String? {
        guard rides.scale < 1, rides.scale > 0 else { return nil }
        let size = cells == 1 ? "one cell" : "\(cells) cells"
        let whole = FixedPoint.text(Double(cells) / rides.scale, places: 0) ?? Format.undefined
        let budgets = budgetsOfCells.map { "`\($0)`" }
        let budget =
            budgets.isEmpty
            ? ""
            : " The same holds of the retries that \(budgets.enumeration) \(budgets.count == 1 ? "allows" : "allow") a ride."
        return
            "`rides.scale` leaves \(Format.percent(rides.scale)) of the rides, for \(size). Each cell has a whole "
            + "sender: its waits, queues and streams are those of all rides only if these have \(whole) cells.\(budget)"
    }
}
