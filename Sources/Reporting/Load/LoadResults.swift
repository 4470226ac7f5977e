public import Evaluation
import LiveActivityModel
public import Quantities
public import Results
import ScenarioLanguage
import Shell
import SimulationKernel
import TextFormats

/// The results of a real-time test, written to the same files as those of a simulated run.
///
/// Unlike a simulated run, no result repeats exactly, so such a directory is never committed.
public struct LoadResults: Sendable {
    /// A sparse histogram.
    public struct Histogram: Sendable {
        /// The metric's name, its unit last.
        public let metric: String
        /// The buckets that are not empty, each from `low` to just below `high` in the metric's unit.
        public let buckets: [(low: Double, high: Double, count: Int)]

        /// Creates a histogram.
        public init(metric: String, buckets: [(low: Double, high: Double, count: Int)]) {
            self.metric = metric
            self.buckets = buckets
        }
    }

    /// The name of the test, such as `load apns`.
    public var name: String
    /// The seed of its draws; nil if it draws nothing, like a service.
    public var seed: UInt64?
    /// The requested settings, by name.
    public var settings: [(name: String, value: String)]
    /// Values that replace the scenario's, each as `key=value`; written as the setting `set`.
    public var set: [String] = []
    /// All metrics.
    public var rows: [SummaryRow]
    /// Metrics without data, which are not written but may occur in thresholds.
    public var absentRows: [SummaryRow] = []
    /// The columns of the time series after `window_start_us,window_us,scope`.
    public var seriesColumns: [String] = []
    /// One row per window: its start and its length [µs], then the columns.
    public var series: [(start: Int64, length: Int64, values: [Int64?])] = []
    /// The time series for the charts; nil if there is nothing to draw.
    public var course: LoadCourse?
    /// The content on screens in a load that follows a scenario's rides; nil for any other load.
    public var screens: RunResult?
    /// A comparison of screens with a simulation; nil without one.
    public var comparison: LiveComparison?
    /// The lateness of the driver of a scenario's rides; nil for any other load.
    public var lateness: DriverLateness?
    /// Distributions.
    public var histograms: [Histogram] = []
    /// The outcomes of the thresholds.
    public var outcomes: [CheckOutcome] = []
    /// The reason why all requests failed, in words; nil if some succeeded, or if the reasons differ.
    public var cause: String?
    /// A warning below the verdict, for a load that did not measure its usual requests; nil without one.
    public var warning: String?
    /// A sentence below the verdict on the fault that explains all requests without an answer; nil if none does.
    public var explanation: String?
    /// Paragraphs of the report, in Markdown, above the tables.
    public var notes: [String] = []
    /// The uptime of a service, which has no planned end; nil for a load.
    public var uptime: TimeSpan?
    /// The early end, with its cause and time; nil if the test ran to its end.
    public var earlyEnd: EarlyEndMark?
    /// The shares that were merged; nil for the results of one generator.
    public var merger: ShareMerger?
    /// The counts of one share, from which merged results are computed: the text of `share.json`; nil if this is not a
    /// share.
    public var share: String?

    /// Creates results without a time series.
    public init(name: String, seed: UInt64?, settings: [(name: String, value: String)], rows: [SummaryRow]) {
        self.name = name
        self.seed = seed
        self.settings = settings
        self.rows = rows
    }

    /// Evaluates the thresholds that can be evaluated, over the results so far.
    public mutating func judge(_ thresholds: [Check]) {
        let rows = rows + absentRows
        outcomes = thresholds.compactMap { try? $0.outcome(in: rows) }
    }

    /// Evaluates thresholds over the results so far, and the limit on failed requests.
    public mutating func judge(_ thresholds: [Check], failures: Int, atMost limit: Int) {
        judge(thresholds)
        outcomes.append(.failures(failures, atMost: limit))
    }

    /// `true` if a threshold does not hold.
    public var hasFailures: Bool { outcomes.contains { !$0.holds } }

    /// The metrics as a table for people, ending with a newline.
    public var table: String { [.table(summaryTable)].plain }

    /// The thresholds as a table for people, ending with a newline; empty without thresholds.
    public var thresholdTable: String { outcomes.isEmpty ? "" : [.table(verdicts)].plain }

    /// One JSON object with all metrics by name, for scripts, ending with a newline.
    public var json: String {
        var members: [String: JSONValue] = [:]
        members["ended_early"] = earlyEnd?.json
        members["shares"] = merger?.json
        for row in rows {
            members[row.name] =
                switch row.value {
                case .integer(let value): .integer(value)
                case .decimal(let value): .decimal(value, places: 6)
                case nil: .null
                }
        }
        return JSONValue.object(members).text
    }

    fileprivate var summaryTable: TextTable {
        TextTable(
            ["metric", "stat", "value:"],
            rows: rows.map { row in
                let name = row.scope == "all" ? row.metric : "\(row.metric) (\(row.scope))"
                return [name, row.stat, rows.valueText(of: row)]
            }
        )
    }

    fileprivate var verdicts: TextTable { .checks(outcomes, title: "threshold") }

    fileprivate var settingTable: TextTable {
        TextTable(
            ["setting", "value"],
            rows: allSettings.map { [$0.name, OneLine.text($0.value)] }
        )
    }

    /// The settings for people, including `set`.
    var allSettings: [(name: String, value: String)] {
        settings + (set.isEmpty ? [] : [("set", set.joined(separator: " "))])
    }
}

extension [SummaryRow] {
    /// Returns the value of a row for people.
    ///
    /// A latency that falls among requests without an answer is a bound, with their number: `≥ 62 ms, 20 unanswered`. A
    /// latency of pushes is one if it falls among those that were never accepted.
    func valueText(of row: SummaryRow) -> String {
        let value = Format.value(row.value?.double, unit: row.unit, isShare: row.isShare)
        guard let unanswered = Unanswered(in: self, beyond: row), let bound = unanswered.bound else { return value }
        let text = Format.value(bound, unit: row.unit, isShare: row.isShare)
        let fate = unanswered.isOfPushes ? "never accepted" : "unanswered"
        return "≥ \(text), \(Format.count(Int64(unanswered.missing))) \(fate)"
    }
}

extension RunFiles {
    /// Creates the files of a real-time test.
    public init(_ results: LoadResults) {
        let data: [(path: String, text: String?)] = [
            ("run.json", results.description.text), ("summary.csv", CSVText.summary(results.rows)),
            ("timeseries.csv", results.seriesColumns.isEmpty ? nil : results.timeSeries),
            ("histograms.csv", results.histograms.isEmpty ? nil : results.histogramText),
            ("checks.csv", results.outcomes.isEmpty ? nil : CSVText.checks(results.outcomes)),
            ("share.json", results.share),
        ]
        self.init(report: results.report, data, charts: results.charts)
    }
}

extension LoadResults {
    /// The charts of the screens, followed by those of the load.
    private var screenCharts: [Chart] {
        guard let screens else { return [] }
        return [Chart.freshness(screens, checks: CheckList(outcomes)), Chart.age(screens)]
    }

    private var courseCharts: [Chart] {
        boundedCourse.map { Chart.charts($0, subtitle: name + (seed.map { ", seed \($0)" } ?? "")) } ?? []
    }

    fileprivate var charts: [Chart] { screenCharts + courseCharts }

    /// The report.
    ///
    /// Its first screen has the verdict, the headline numbers and the most important chart.
    fileprivate var report: [Block] {
        let isMeasured = earlyEnd?.hasMeasured ?? true
        return [Block](Block.heading(1, name), earlyEnd?.markdown, isMeasured ? measured : nil)
            + .section("Settings", settingTable)
    }

    private var measured: [Block] {
        let shown = boundedCourse
        // The tile below has this rate, so the sentence has no other.
        let answered = rows.named("requests_per_second.mean").first.map { rows.valueText(of: $0) }
        let sentences = [shown?.rateSentence(answered: answered), shown?.shortfallSentence, shown?.latencySentence]
            .compactMap(\.self)
        return [Block](
            merger?.markdown,
            opening,
            explanation,
            screens.map(Self.rides),
            lateness?.markdown,
            warning.map { "? \($0)" },
            HeadlineTile.tables(HeadlineTile.tiles(of: rows)),
            course == nil ? nil : "**\(sentences.map { "\($0)." }.joined(separator: " "))**",
            charts.first,
            comparison.map { LiveComparisonReport($0, lateness: lateness).section },
            charts.dropFirst()
                .flatMap { chart -> [Block] in
                    .section(chart.name.prefix(1).uppercased() + chart.name.dropFirst(), chart)
                },
            [Block].section("How to read it", notes),
            [Block].section("Results", summaryTable),
            outcomes.isEmpty ? nil : [Block].section("Thresholds", verdicts)
        )
    }

    /// Returns a sentence on the rides of a load with a scenario, and on the part of the measured time in which nothing
    /// could arrive.
    static func rides(of result: RunResult) -> String {
        let scenario = result.scenario
        let (begin, end) = (Instant.start + scenario.clock.warmUp, Instant.start + scenario.clock.duration)
        let silences = scenario.faults.compactMap { fault in
            let (from, until) = (max(begin, .start + fault.at), min(end, fault.end))
            return fault.silence.flatMap {
                from < until ? "\($0) for \(Format.span((until - from).microseconds))" : nil
            }
        }
        let requested = result.total[.ridesRequested].counted("ride was", "rides were")
        let completed = Format.count(result.total[.ridesCompleted])
        let rest =
            silences.isEmpty
            ? ""
            : "; of the \(Format.span((end - begin).microseconds)) measured until arrivals end, \(silences.enumeration)"
        return "\(requested) requested and \(completed) completed in the measured time\(rest)."
    }

    /// The outcome of the thresholds, or the end of a service.
    private var opening: String {
        if let uptime {
            let span = Format.span(LoadSnapshot.whole(uptime))
            return "The service was stopped after \(span). Counts are since its start."
        }
        guard !outcomes.isEmpty else { return "There were no thresholds." }
        let verdict = outcomes.verdict(of: "threshold", name: \.title)
        return verdict + (cause.map { " All requests failed for one reason: \(OneLine.text($0))." } ?? "")
    }

    fileprivate var description: JSONValue {
        var hash = Fingerprint()
        let asked = ([name] + settings.flatMap { [$0.name, $0.value] } + set).joined(separator: "\n")
        for byte in asked.utf8 { hash.combine(UInt64(byte)) }
        if let seed { hash.combine(seed) }
        var pairs = settings.map { ($0.name, JSONValue.string($0.value)) }
        if !set.isEmpty { pairs.append(("set", .array(set.map { .string($0) }))) }
        var members: [String: JSONValue] = [
            "schema_version": 1, "freshet_version": .string(Release.version),
            "run_id": .string(hash.value.hexadecimal),
            "name": .string(name),
            "seed": seed.map { .unsigned($0) } ?? .null,
            "settings": .object(Dictionary(pairs) { _, last in last }),
        ]
        members["ended_early"] = earlyEnd?.json
        members["shares"] = merger?.json
        members["driver_lateness_us"] = lateness?.json
        members["driver_is_late"] = (lateness?.isTooLate).map { .bool($0) }
        return .object(members)
    }

    fileprivate var timeSeries: String {
        CSVText.text(
            header: ["window_start_us", "window_us", "scope"] + seriesColumns,
            rows: series.map { window in
                ["\(window.start)", "\(window.length)", "all"] + window.values.map { $0.map { "\($0)" } ?? "" }
            }
        )
    }

    fileprivate var histogramText: String {
        CSVText.histograms(
            histograms.flatMap { histogram in
                histogram.buckets.map { low, high, count in
                    [histogram.metric, "all", LoadResults.bound(low), LoadResults.bound(high), "\(count)", "count"]
                }
            }
        )
    }

    /// Returns a bound as a whole number if it is one.
    private static func bound(_ number: Double) -> String {
        Int64(exactly: number).map { "\($0)" } ?? FixedPoint.text(number, places: 3) ?? ""
    }
}
