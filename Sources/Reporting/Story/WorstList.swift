import Evaluation
public import LiveActivityModel
import Quantities
public import Studies
import TextFormats

/// The worst activities, as a table.
public struct WorstList {
    private let found: [WorstActivities.Found]
    private let name: String
    private let criterion: ActivitySearch.Criterion
    /// The stage whose time on screen has a column; nil for none.
    private let stage: Int?
    private let scenario: Scenario

    /// Creates a list of the results of a search by a named criterion.
    public init(
        _ found: [WorstActivities.Found],
        by name: String,
        _ criterion: ActivitySearch.Criterion,
        stage: Int? = nil,
        of scenario: Scenario
    ) {
        self.found = found
        self.name = name
        self.criterion = criterion
        self.stage = stage
        self.scenario = scenario
    }

    /// Returns the cause with a name such as `lost` or `end_lost`.
    public static func cause(named name: String) -> ActivityRecord.Cause? {
        ActivityRecord.Cause.all.first { $0.name == name }
    }

    /// Returns the end of a message about an unknown cause.
    public static func advice(forCause name: String) -> String {
        advice(for: name, among: ActivityRecord.Cause.all.map(\.name))
    }

    /// Returns the end of a message about a name that is not among the known ones.
    public static func advice(for name: String, among names: [String]) -> String {
        Suggestion.advice(for: name, among: names)
    }

    /// Returns the metric that a scenario must measure for a criterion; nil if every scenario has it.
    static func metric(of criterion: ActivitySearch.Criterion) -> String? {
        switch criterion {
        case .etaError: "eta_error_us"
        case .photoMissingTime: "ride_photo_missing_time_ratio"
        default: nil
        }
    }

    /// Returns the end of a message about a criterion that a scenario does not measure; nil if it does.
    public static func problem(of criterion: ActivitySearch.Criterion, in scenario: Scenario) -> String? {
        guard let metric = metric(of: criterion), Response(metric: metric).isOff(in: scenario) else { return nil }
        return "needs a scenario with \(criterion == .etaError ? "content.eta" : "devices.pictures"): this one has none"
    }

    /// The columns of mechanisms that the scenario has.
    private var mechanisms: [(criterion: ActivitySearch.Criterion, title: String, column: String)] {
        [
            (.etaError, "largest ETA error", "largest_eta_error_us"),
            (.photoMissingTime, "without photo", "photo_missing_time_us"),
        ]
        .filter { Self.problem(of: $0.criterion, in: scenario) == nil }
    }

    /// The list for a terminal; ends with a newline.
    public var text: String {
        guard !found.isEmpty else { return "No activity has any.\n" }
        let clock = ClockTime(scenario)
        let table = TextTable(
            [
                "replication:", "activity:", "requested", "on screen:", "stale:", "wrong stage:", "leftover wrong:",
                "largest age:",
            ] + mechanisms.map { "\($0.title):" } + ["retries:", "main cause", "ended"]
                + (stage.map { ["showed \(Wording.plain(scenario.rides.stages[$0].name)):"] } ?? []),
            rows: found.map { one in
                let record = one.record
                let second = Instant(microseconds: record.requestedAt.microseconds / 1_000_000 * 1_000_000)
                return ["\(one.replication)", "\(record.ride)", clock.short(second)]
                    + ([
                        record.displayedTime, record.staleTime(), record.wrongStageTime(), record.leftoverWrongTime,
                        record.largestAge,
                    ] + mechanisms.map { $0.criterion.value(record) })
                    .map { Format.span($0) }
                    + [
                        Format.count(record.retries), mainCause(of: record)?.words ?? Format.undefined,
                        record.end.map(Story.words)
                            ?? (record.displayedTime > 0 ? "still on screen" : "never on screen"),
                    ] + (stage.map { [Format.span(record.shownTime(ofStage: $0))] } ?? [])
            }
        )
        return table.plain + "\n"
    }

    /// The list as CSV, one row per activity, with times in microseconds.
    public var csv: String {
        CSVText.text(
            header: [
                "replication", "activity", "requested_at_us", name, "displayed_time_us", "stale_time_us",
                "wrong_stage_time_us", "largest_age_us", "retries", "main_cause", "leftover_wrong_time_us",
            ] + mechanisms.map(\.column) + (stage == nil ? [] : ["shown_stage_time_us"]),
            rows: found.map { one in
                let record = one.record
                return [
                    "\(one.replication)", "\(record.ride)", "\(record.requestedAt.microseconds)",
                    "\(criterion.value(record))", "\(record.displayedTime)", "\(record.staleTime())",
                    "\(record.wrongStageTime())", "\(record.largestAge)", "\(record.retries)",
                    mainCause(of: record)?.name ?? "", "\(record.leftoverWrongTime)",
                ] + mechanisms.map { "\($0.criterion.value(record))" }
                    + (stage.map { ["\(record.shownTime(ofStage: $0))"] } ?? [])
            }
        )
    }

    /// The cause of most of the stale time, or of the wrong-stage time if that was the criterion.
    private func mainCause(of record: ActivityRecord) -> ActivityRecord.Cause? {
        func time(_ cause: ActivityRecord.Cause) -> Int64 {
            if case .wrongStageTime = criterion { record.wrongStageTime(cause) } else { record.staleTime(cause) }
        }
        var main: (cause: ActivityRecord.Cause, time: Int64)?
        for cause in ActivityRecord.Cause.all where time(cause) > main?.time ?? 0 { main = (cause, time(cause)) }
        return main?.cause
    }
}
