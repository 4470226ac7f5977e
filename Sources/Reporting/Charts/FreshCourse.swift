import InputFiles
import LiveActivityModel
import Quantities
import Results

/// The freshness of screens over a recorded run, while rides arrive, in few enough steps for a chart.
struct FreshCourse {
    /// The share of a step, at its middle; nil if nothing was on a screen.
    struct Point {
        let at: Instant
        let share: Double?
    }

    /// The points, in order of time.
    let points: [Point]
    /// The interval that the steps cover; nil without steps.
    let stretch: Range<Instant>?
    let step: TimeSpan

    /// Reads `timeseries.csv`.
    ///
    /// - Parameter most: The largest number of steps.
    init(_ run: RecordedResults, atMost most: Int = Chart.largestStepCount) throws(DataFileError) {
        let columns = ["window_start_us", "scope", "displayed_time_us", "displayed_fresh_time_us"]
        let contents = try CSVContents(path: "\(run.path)/timeseries.csv", columns: columns) { $0[1] == "all" }
        let end = run.scenario.clock.duration
        let windows = contents.rows
            .compactMap { row -> (start: Int64, shown: Double, fresh: Double)? in
                guard let start = Int64(row.fields[0]), let shown = Double(row.fields[2]),
                    let fresh = Double(row.fields[3]), (0..<end.microseconds).contains(start)
                else { return nil }
                return (start, shown, fresh)
            }
        let window = run.scenario.clock.window
        let perStep = max(1, (windows.count + most - 1) / most)
        step = TimeSpan(microseconds: window.microseconds * Int64(perStep))
        points = stride(from: 0, to: windows.count, by: perStep)
            .map { index in
                let part = windows[index..<min(index + perStep, windows.count)]
                let shown = part.reduce(0) { $0 + $1.shown }
                let middle = windows[index].start + window.microseconds * Int64(part.count) / 2
                return Point(
                    at: Instant(microseconds: middle),
                    share: shown > 0 ? part.reduce(0) { $0 + $1.fresh } / shown : nil
                )
            }
        stretch = windows.first.flatMap { first in
            windows.last.map { last in
                Instant(microseconds: first.start)..<Instant(microseconds: last.start + window.microseconds)
            }
        }
    }

    /// Returns the freshness of screens in two runs as bars of text, with the faults of the second; nil if a run has no
    /// time series, or if their steps differ.
    ///
    /// A comment on a pull request can show no other picture that is not stored elsewhere.
    static func drawing(_ comparison: ResultComparison) -> Block? {
        let (first, second) = (comparison.first, comparison.second)
        guard !first.isLoad, !first.isSweep, let before = try? FreshCourse(first, atMost: 60),
            let after = try? FreshCourse(second, atMost: 60), let stretch = after.stretch, before.stretch == stretch,
            before.step == after.step
        else { return nil }
        let (old, new) = (before.points.map(\.share), after.points.map(\.share))
        let scale = Sparkline.ShareScale(old + new)
        let half = after.step.microseconds / 2
        let faults = after.points.map { point in
            let from = Instant(microseconds: point.at.microseconds - half)
            return second.scenario.faults(from: from, until: from + after.step).isEmpty ? "·" : "x"
        }
        let titles = comparison.options.names.titles
        var lines = [
            (titles.first, Sparkline.text(old, scale: scale.range)),
            (titles.second, Sparkline.text(new, scale: scale.range)),
        ]
        if faults.contains("x") { lines.append(("faults", faults.joined())) }
        let width = lines.map(\.0.count).max() ?? 0
        let bars = lines.map { $0.0 + String(repeating: " ", count: width - $0.0.count) + "  " + $0.1 }
        let time = ClockTime(second.scenario)
        let range = time.stretch(from: stretch.lowerBound, until: stretch.upperBound)
        return .code(
            "Fresh, of screen time, from \(range). Bars: \(scale.bottom) to 100 %, each \(Format.span(after.step.microseconds))."
                + "\n\n\(bars.joined(separator: "\n"))",
            language: "text"
        )
    }
}
