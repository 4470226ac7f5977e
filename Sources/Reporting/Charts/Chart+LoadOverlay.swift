internal import Foundation
import InputFiles
import Results
import TextFormats

/// The time series of two real-time tests in one plot.
extension Chart {
    /// Returns rates, latencies and fresh screens, as far as both tests have them; the first is dashed.
    ///
    /// - Parameter names: The names of the two.
    static func overlays(
        base: RecordedResults,
        changed: RecordedResults,
        names: ResultComparison.Names
    ) throws(DataFileError) -> [Chart] {
        var charts: [Chart] = []
        for kind in LoadOverlay.all {
            guard let before = try LoadSeries(base.path, kind), let after = try LoadSeries(changed.path, kind) else {
                continue
            }
            charts.append(kind.chart(before, after, names, "\(names.first) dashed, \(names.second): \(changed.name)"))
        }
        return charts
    }
}

/// A chart of a column of `timeseries.csv`.
private struct LoadOverlay {
    let name: String
    let title: String
    let axis: String
    /// The possible columns, the first existing one counts; a share is followed by its whole.
    let columns: [[String]]
    let isRate: Bool
    /// The factor from the column's unit to the chart's.
    let factor: Double

    static let all = [
        LoadOverlay(
            name: "fresh",
            title: "Fresh on phones",
            axis: "share of the time on screens [%]",
            columns: [["displayed_fresh_time_us", "displayed_time_us"]],
            isRate: false,
            factor: 100
        ),
        LoadOverlay(
            name: "rate",
            title: "Rate over time",
            axis: "done [1/s]",
            columns: [["answers_count"]],
            isRate: true,
            factor: 1
        ),
        LoadOverlay(
            name: "latency",
            title: "p99 latency from the due time",
            axis: "p99 [ms]",
            columns: [["request_latency_p99_us"]],
            isRate: false,
            factor: 1e-3
        ),
    ]

    func chart(
        _ before: LoadSeries,
        _ after: LoadSeries,
        _ names: ResultComparison.Names,
        _ subtitle: String
    ) -> Chart {
        let (first, second) = names.titles
        let rows = [(first, before), (second, after)]
            .flatMap { name, series in
                series.steps.flatMap { step in
                    // A row for each end of a step: a value holds between them, and a step without a value leaves a
                    // gap.
                    [step.from, step.until]
                        .map { Chart.row(at: .decimal($0, places: 3), name, step.value, as: "value") }
                }
            }
        let start = [before, after].compactMap { $0.steps.first?.from }.min() ?? 0
        let end = [before, after].compactMap { $0.steps.last?.until }.max() ?? 0
        return Chart(
            template: "load-overlay",
            name: name,
            title: title,
            subtitle: subtitle,
            [
                "rows": .array(rows), "label": .string(axis), "timeDomain": Chart.domain(start, end, places: 3),
                "names": .strings([first, second]),
            ]
        )
    }
}

/// A column over time, in few enough steps for a chart.
private struct LoadSeries {
    /// The beginning and the end of each step, since the beginning [s], with its value; nil if nothing was measured.
    let steps: [(from: Double, until: Double, value: Double?)]

    /// Reads `timeseries.csv`; returns nil if it is missing or has none of the columns.
    init?(_ directory: String, _ overlay: LoadOverlay) throws(DataFileError) {
        let path = "\(directory)/timeseries.csv"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let common = ["window_start_us", "window_us"]
        let contents = overlay.columns.lazy.compactMap { try? CSVContents(path: path, columns: common + $0) }.first
        guard let rows = contents?.rows, !rows.isEmpty else { return nil }
        let perStep = max(1, (rows.count + Chart.largestStepCount - 1) / Chart.largestStepCount)
        steps = stride(from: 0, to: rows.count, by: perStep)
            .compactMap { index in
                let part = rows[index..<min(index + perStep, rows.count)].map { $0.fields.map { Double($0) } }
                guard let start = part.first?[0], let last = part.last, let lastStart = last[0],
                    let lastLength = last[1]
                else { return nil }
                let length = lastStart + lastLength - start
                let values = part.compactMap { $0[2] }
                var value: Double? = overlay.isRate ? values.reduce(0, +) / max(length, 1) * 1e6 : values.max()
                if part[0].count > 3 {
                    let whole = part.compactMap { $0[3] }.reduce(0, +)
                    value = whole > 0 ? values.reduce(0, +) / whole : nil
                }
                return (start / 1e6, (start + length) / 1e6, value.map { $0 * overlay.factor })
            }
    }
}
