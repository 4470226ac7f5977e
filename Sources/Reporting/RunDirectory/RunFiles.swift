public import Evaluation
import LiveActivityModel
import Results
import ScenarioLanguage
import Shell
import SimulationKernel
import TextFormats

/// The files of a run, as texts; the same scenario and seed give the same bytes.
public struct RunFiles: Hashable, Sendable {
    /// One file.
    public struct File: Hashable, Sendable {
        /// The path within the run directory.
        public let path: String
        /// The whole text, in UTF-8.
        public let text: String
    }

    /// The files, in the order in which a person would read them; `report.md` comes first.
    public let files: [File]
    /// The report.
    let report: [Block]

    /// Creates the files of a report, of data as far as there are any, and of charts.
    init(report: [Block], _ data: [(path: String, text: String?)], charts: [Chart] = []) {
        self.report = report
        let texts: [(path: String, text: String?)] =
            [("report.md", report.markdown)] + data + charts.map { ($0.path, $0.text) }
        files = texts.compactMap { path, text in text.map { File(path: path, text: $0) } }
    }
}

extension RunFiles {
    /// Creates the files of a result, with the outcomes of its scenario's checks.
    ///
    /// - Parameters:
    ///   - simulated: The simulation to compare a real-time run with; nil for none.
    ///   - course: The requests of a real-time run over time, by the clock; nil for a simulated run.
    public init(
        _ result: RunResult,
        checks: [CheckOutcome] = [],
        simulated: RunResult? = nil,
        course: LoadCourse? = nil
    ) {
        let summary = Summary(result)
        let list = CheckList(checks)
        let experiment = Experiment(scenario: result.scenario, checks: checks.map(\.check))
        let report = Report(result, summary: summary, checks: list, simulated: simulated, course: course)
        var results = RecordedResults(result)
        (results.rows, results.outcomes) = (summary.rows, checks)
        (results.series, results.histograms) = (result.series, result.histograms)
        self.init(
            results,
            description: result.json(capacity: report.firstLimit),
            scenario: ScenarioWriter.resolvedYAML(experiment),
            parts: [
                ("timeseries_by_city.csv", CSVText.timeSeriesByCity(result)),
                ("timeseries_by_cohort.csv", CSVText.timeSeriesByCohort(result)),
                ("replications.csv", CSVText.replications(result)),
            ],
            report: report.blocks,
            charts: Chart.charts(result, checks: list) + report.courseCharts
        )
    }

    /// Creates the files of a run or a load, each if there is anything in it.
    ///
    /// - Parameters:
    ///   - description: `run.json`.
    ///   - scenario: `scenario.resolved.yaml`; nil for a load.
    ///   - parts: The tables of cities, cohorts and replications.
    ///   - share: `share.json`; nil if the load has no shares.
    init(
        _ results: RecordedResults,
        description: JSONValue,
        scenario: String? = nil,
        parts: [(path: String, text: String?)] = [],
        share: String? = nil,
        report: [Block],
        charts: [Chart]
    ) {
        let data: [(path: String, text: String?)] = [
            ("run.json", description.text), ("scenario.resolved.yaml", scenario),
            ("summary.csv", CSVText.summary(results.rows)),
            ("timeseries.csv", results.series.columns.isEmpty ? nil : CSVText.series(results.series)),
        ]
        let rest: [(path: String, text: String?)] = [
            ("histograms.csv", results.histograms.isEmpty ? nil : CSVText.histograms(results.histograms)),
            ("checks.csv", results.outcomes.isEmpty ? nil : CSVText.checks(results.outcomes)), ("share.json", share),
        ]
        self.init(report: report, data + parts + rest, charts: charts)
    }
}

extension RunResult {
    /// `run.json`: the identity of the run and a few of its results.
    ///
    /// It says nothing about the machine, the commit or the time.
    ///
    /// - Parameter capacity: Sentences on the limit that the run reached first, for a brief.
    func json(capacity: [String] = []) -> JSONValue {
        var members: [String: JSONValue] = [
            "schema_version": .integer(Int64(RecordedResults.schemaVersion)),
            "freshet_version": .string(Release.version),
            "run_id": .string(RunID(scenario).description),
            "name": .string(scenario.name),
            "seed": .unsigned(scenario.seed),
            "replications": .integer(Int64(replications)),
            "cells": .integer(Int64(scenario.cells)),
            "fingerprint": .string(fingerprint.value.hexadecimal),
            "counts": [
                "rides": .integer(total[.ridesRequested]), "activities": .integer(total[.activitiesStarted]),
                "pushes": .integer(total.pushesSent), "events": .unsigned(total.eventCount),
            ],
        ]
        if let precision {
            members["precision"] = [
                "metric": .string(precision.wish.metric),
                "wanted_relative_half_width": .decimal(precision.wish.halfWidth, places: 6),
                "relative_half_width": precision.halfWidth.map { .decimal($0, places: 6) } ?? .null,
                "is_met": .bool(precision.isMet),
            ]
        }
        if !capacity.isEmpty { members["capacity"] = .strings(capacity) }
        members["trace"] = scenario.rides.trace?.json
        members["real_time"] = realTime?.json
        return .object(members)
    }
}

extension RealTime {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = [
            "speed": .decimal(speed, places: 3),
            "apns": .string(apns),
            "fates": isObserved ? "observed" : "drawn",
            "requests": .integer(Int64(requests)),
            "driver_lateness_us": lateness.json,
            "driver_is_late": .bool(lateness.isTooLate),
        ]
        members["ended_early"] = earlyEnd?.json
        return .object(members)
    }
}

extension Scenario.Trace {
    fileprivate var json: JSONValue {
        func rows(_ counts: [TraceCleaning.Count]) -> JSONValue {
            .object(Dictionary(counts.map { ($0.reason, .integer(Int64($0.rows))) }) { first, _ in first })
        }
        var members: [String: JSONValue] = [
            "file": .string(file),
            "rows_read": .integer(Int64(cleaning.read)),
            "rows_kept": .integer(Int64(cleaning.kept)),
            "rows_of_other_providers": .integer(Int64(cleaning.otherProvider)),
            "rows_repaired": rows(cleaning.repaired),
            "rows_left_out": rows(cleaning.leftOut),
        ]
        if !cleaning.remarks.isEmpty { members["remarks"] = .array(cleaning.remarks.map { .string($0) }) }
        return .object(members)
    }
}
