public import Experiments
public import Quantities
import SimulationKernel
import TextFormats

/// What a test in real time has found, ready to be written in the same files as a simulated run.
///
/// The one difference: nothing here is the same twice, so a directory of it is never committed.
public struct LoadResults: Sendable {
    /// A sparse histogram.
    public struct Histogram: Sendable {
        /// The metric's name, its unit last.
        public let metric: String
        /// Each bucket that holds anything: from its low bound to just below its high one, both in the metric's unit.
        public let buckets: [(low: Double, high: Double, count: Int)]

        /// A histogram.
        public init(metric: String, buckets: [(low: Double, high: Double, count: Int)]) {
            self.metric = metric
            self.buckets = buckets
        }
    }

    /// What the test is called, as `load core`.
    public var name: String
    /// The seed of its draws; nil where it draws nothing, as a service does.
    public var seed: UInt64?
    /// What it was asked for, by name.
    public var settings: [(name: String, value: String)]
    /// What was put in place of the scenario's values, each as `key=value`; written as the setting `set`.
    public var set: [String] = []
    /// Every metric.
    public var rows: [SummaryRow]
    /// Metrics that are written nowhere, as nothing came of them, and that thresholds may be about all the same.
    public var absentRows: [SummaryRow] = []
    /// The columns of the time series after `window_start_us,window_us,scope`.
    public var seriesColumns: [String] = []
    /// A row a window: its start and its length [µs], then the columns.
    public var series: [(start: Int64, length: Int64, values: [Int64?])] = []
    /// What its charts show; nil where there is nothing to draw.
    public var course: LoadCourse?
    /// What screens have shown, of a load by a scenario's rides; nil for any other.
    public var screens: RunResult?
    /// Screens held against those of a simulation; nil where there is none.
    public var comparison: LiveComparison?
    /// How late the driver of a scenario's rides was itself; nil for any other load.
    public var lateness: DriverLateness?
    /// Distributions.
    public var histograms: [Histogram] = []
    /// What came of the thresholds.
    public var outcomes: [CheckRow] = []
    /// Why all requests failed, in words; nil where some did not, or for different reasons.
    public var cause: String?
    /// Paragraphs of the report, in Markdown, above the tables.
    public var notes: [String] = []
    /// For how long it has been running, of a service, whose end nothing plans; nil for a load.
    public var uptime: TimeSpan?
    /// That it was ended before its time, and after how much of it; nil for one that ran to its end.
    public var earlyEnd: EarlyEndMark?
    /// Of which shares it was merged; nil for what one generator has found.
    public var merger: ShareMerger?
    /// What one share has counted, by which all shares add up: the text of `share.json`; nil for what is no share.
    public var share: String?

    /// Results without a time series.
    public init(name: String, seed: UInt64?, settings: [(name: String, value: String)], rows: [SummaryRow]) {
        self.name = name
        self.seed = seed
        self.settings = settings
        self.rows = rows
    }

    /// Judges thresholds by what there is so far, but for those that cannot be judged.
    public mutating func judge(_ thresholds: [Threshold]) {
        let rows = rows + absentRows
        outcomes = thresholds.compactMap { try? $0.outcome(in: rows) }
    }

    /// Judges thresholds by what there is so far, and how many requests have failed.
    public mutating func judge(_ thresholds: [Threshold], failures: Int, atMost limit: Int) {
        judge(thresholds)
        outcomes.append(.failures(failures, atMost: limit))
    }

    /// Whether a threshold does not hold.
    public var hasFailures: Bool { outcomes.contains { !$0.holds } }

    /// The metrics as a table for people; ends with a newline.
    public var table: String { summaryTable.plain + "\n" }

    /// The thresholds as a table for people; empty without any, else ends with a newline.
    public var thresholdTable: String { outcomes.isEmpty ? "" : verdicts.plain + "\n" }

    /// One object with all metrics by name, for scripts; ends with a newline.
    public var json: String {
        var members: [String: JSONValue] = [:]
        members["ended_early"] = earlyEnd?.json
        members["shares"] = merger?.json
        for row in rows {
            let scope = row.scope == "all" ? "" : "{\(row.scope)}"
            let value: JSONValue =
                switch row.value {
                case .integer(let value): .integer(value)
                case .decimal(let value): .decimal(value, places: 6)
                case nil: .null
                }
            members["\(row.metric)\(scope).\(row.stat)"] = value
        }
        return JSONValue.object(members).text
    }

    fileprivate var summaryTable: TextTable {
        TextTable(
            [("metric", .left), ("stat", .left), ("value", .right)],
            rows: rows.map { row in
                let name = row.scope == "all" ? row.metric : "\(row.metric) (\(row.scope))"
                let isShare = LoadMetrics.isShare(row.metric, unit: row.unit)
                return [name, row.stat, Format.value(row.value?.double, unit: row.unit, isShare: isShare)]
            }
        )
    }

    fileprivate var verdicts: TextTable { .checks(outcomes, title: "threshold") }

    fileprivate var settingTable: TextTable {
        TextTable(
            [("setting", .left), ("value", .left)],
            rows: allSettings.map { [$0.name, OneLine.text($0.value)] }
        )
    }

    /// The settings for people, what was set among them.
    var allSettings: [(name: String, value: String)] {
        settings + (set.isEmpty ? [] : [("set", set.joined(separator: " "))])
    }
}

extension RunFiles {
    /// Writes up a test in real time.
    public init(_ results: LoadResults) {
        files =
            [
                File(path: "report.md", text: results.report),
                File(path: "run.json", text: results.description.text),
                File(path: "summary.csv", text: CSVText.summary(results.rows)),
            ]
            + (results.seriesColumns.isEmpty ? [] : [File(path: "timeseries.csv", text: results.timeSeries)])
            + (results.histograms.isEmpty ? [] : [File(path: "histograms.csv", text: results.histogramText)])
            + (results.outcomes.isEmpty
                ? [] : [File(path: "checks.csv", text: CSVText.checks(results.outcomes))])
            + (results.share.map { [File(path: "share.json", text: $0)] } ?? [])
            + results.charts.map(File.init)
    }
}

extension LoadResults {
    /// What screens have shown, and then the course of the load.
    private var screenCharts: [Chart] {
        guard let screens else { return [] }
        return [Chart.freshness(screens), Chart.age(screens)]
    }

    private var courseCharts: [Chart] {
        course.map { Chart.charts($0, subtitle: name + (seed.map { ", seed \($0)" } ?? "")) } ?? []
    }

    fileprivate var charts: [Chart] { screenCharts + courseCharts }

    /// The report: on the first screen the verdict, the numbers, and the course that matters most.
    fileprivate var report: String {
        var parts = ["# \(name)"]
        if let earlyEnd { parts.append(earlyEnd.markdown) }
        guard earlyEnd?.hasMeasured ?? true else {
            return (parts + ["## Settings", settingTable.markdown]).joined(separator: "\n\n") + "\n"
        }
        let tiles = HeadlineTile.tiles(of: rows)
        if let merger { parts.append(merger.markdown) }
        parts.append(opening)
        if let late = lateness?.markdown { parts.append(late) }
        if !tiles.isEmpty { parts.append(HeadlineTile.table(tiles).markdown) }
        if let course {
            let sentences = [course.rateSentence, course.shortfallSentence, course.latencySentence].compactMap(\.self)
            parts.append("**\(sentences.map { "\($0)." }.joined(separator: " "))**")
        }
        if let first = charts.first { parts.append(first.markdown) }
        if let comparison { parts.append(LiveComparisonReport(comparison, lateness: lateness).section) }
        for chart in charts.dropFirst() {
            parts += ["## \(chart.name.prefix(1).uppercased() + chart.name.dropFirst())", chart.markdown]
        }
        if !notes.isEmpty { parts.append(section("How to read it", notes)) }
        parts += ["## Results", summaryTable.markdown]
        if !outcomes.isEmpty { parts += ["## Thresholds", verdicts.markdown] }
        parts += ["## Settings", settingTable.markdown]
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// What came of the thresholds; of a service, that it has ended.
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

    /// A whole number where it is one.
    private static func bound(_ number: Double) -> String {
        Int64(exactly: number).map { "\($0)" } ?? FixedPoint.text(number, places: 3) ?? ""
    }
}
