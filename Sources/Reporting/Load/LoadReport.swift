public import Evaluation
import LiveActivityModel
import Quantities
public import Results
import Shell
import TextFormats

/// The report of a load or a service: its results, and what only its pages state.
@dynamicMemberLookup
public struct LoadReport: Sendable {
    /// The results, whose members are members of the report, too.
    public var results: RecordedResults
    /// The time series for the charts; nil if there is nothing to draw.
    public var course: LoadCourse?
    /// The content on screens in a load that follows a scenario's rides; nil for any other load.
    public var screens: RunResult?
    /// A comparison of screens with a simulation; nil without one.
    public var comparison: ResultComparison?
    /// The reason why all requests failed, in words; nil if some succeeded, or if the reasons differ.
    public var cause: String?
    /// A warning below the verdict, for a load that did not measure its usual requests; nil without one.
    public var warning: String?
    /// A sentence below the verdict on the fault that explains all requests without an answer; nil if none does.
    public var explanation: String?
    /// Paragraphs of the report, in Markdown, above the tables.
    public var notes: [String] = []
    /// The counts of one share, from which merged results are computed: the text of `share.json`; nil if this is not a
    /// share.
    public var share: String?

    /// Creates a report without a time series; see ``RecordedResults/init(load:seed:settings:set:rows:)``.
    public init(
        load name: String,
        seed: UInt64,
        settings: [(name: String, value: String)],
        set: [String] = [],
        rows: [SummaryRow]
    ) {
        results = RecordedResults(load: name, seed: seed, settings: settings, set: set, rows: rows)
    }

    public subscript<Value>(dynamicMember member: WritableKeyPath<RecordedResults, Value>) -> Value {
        get { results[keyPath: member] }
        set { results[keyPath: member] = newValue }
    }

    public subscript<Value>(dynamicMember member: KeyPath<RecordedResults, Value>) -> Value {
        results[keyPath: member]
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
    public init(_ report: LoadReport) {
        self.init(
            report.results,
            description: report.results.description,
            share: report.share,
            report: report.blocks,
            charts: report.charts
        )
    }
}

extension LoadReport {
    /// The charts of the screens, followed by those of the load.
    private var screenCharts: [Chart] {
        guard let screens else { return [] }
        return [Chart.freshness(screens, checks: CheckList(results.outcomes)), Chart.age(screens)]
    }

    private var courseCharts: [Chart] {
        boundedCourse.map { Chart.charts($0, subtitle: "\(results.name), seed \(results.seed)") } ?? []
    }

    fileprivate var charts: [Chart] { screenCharts + courseCharts }

    /// The report.
    ///
    /// Its first screen has the verdict, the headline numbers and the most important chart.
    fileprivate var blocks: [Block] {
        let isMeasured = results.earlyEnd?.hasMeasured ?? true
        return [Block](Block.heading(1, results.name), results.earlyEnd?.markdown, isMeasured ? measured : nil)
            + .section("Settings", results.settingTable)
    }

    private var measured: [Block] {
        let shown = boundedCourse
        // The tile below has this rate, so the sentence has no other.
        let answered = results.rows.named("requests_per_second.mean").first.map { results.rows.valueText(of: $0) }
        let sentences = [shown?.rateSentence(answered: answered), shown?.shortfallSentence, shown?.latencySentence]
            .compactMap(\.self)
        return [Block](
            results.merger?.markdown,
            opening,
            explanation,
            screens.map(Self.rides),
            results.lateness?.markdown,
            warning.map { "? \($0)" },
            HeadlineTile.tables(HeadlineTile.tiles(of: results.rows)),
            course == nil ? nil : "**\(sentences.map { "\($0)." }.joined(separator: " "))**",
            charts.first,
            comparison.map { LiveComparisonReport($0, lateness: results.lateness).section },
            charts.dropFirst()
                .flatMap { chart -> [Block] in
                    .section(chart.name.prefix(1).uppercased() + chart.name.dropFirst(), chart)
                },
            [Block].section("How to read it", notes),
            [Block].section("Results", results.summaryTable),
            results.outcomes.isEmpty ? nil : [Block].section("Thresholds", results.verdicts)
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

    /// The outcome of the thresholds.
    private var opening: String {
        guard !results.outcomes.isEmpty else { return "There were no thresholds." }
        let verdict = results.outcomes.verdict(of: "threshold", name: \.title)
        return verdict + (cause.map { " All requests failed for one reason: \(OneLine.text($0))." } ?? "")
    }
}

/// The results of a load for people and scripts.
extension RecordedResults {
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

    /// `run.json` of a load.
    fileprivate var description: JSONValue {
        var pairs = settings.map { ($0.name, JSONValue.string($0.value)) }
        if !set.isEmpty { pairs.append(("set", .array(set.map { .string($0) }))) }
        var members: [String: JSONValue] = [
            "schema_version": 1, "freshet_version": .string(Release.version), "run_id": .string(id),
            "name": .string(name), "seed": .unsigned(seed),
            "settings": .object(Dictionary(pairs) { _, last in last }),
        ]
        members["ended_early"] = earlyEnd?.json
        members["shares"] = merger?.json
        members["driver_lateness_us"] = lateness?.json
        members["driver_is_late"] = (lateness?.isTooLate).map { .bool($0) }
        return .object(members)
    }
}
