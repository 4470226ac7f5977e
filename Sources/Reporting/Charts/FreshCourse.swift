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
    init(_ run: RecordedResults) throws(DataFileError) {
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
        let perStep = max(1, (windows.count + Chart.largestStepCount - 1) / Chart.largestStepCount)
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
}
