import Experiments
import LiveActivityModel
import Quantities
import TextFormats

/// The courses of two recorded runs, one over the other.
extension Chart {
    /// What screens showed fresh over the day: the base dashed, the other in one line, with the other's faults.
    ///
    /// - Returns: Nil where neither run kept a course of time in which something was on a screen.
    static func overlay(base: RecordedRun, changed: RecordedRun) throws(DataFileError) -> Chart? {
        let (before, after) = (try FreshCourse(base), try FreshCourse(changed))
        guard let first = [before.stretch, after.stretch].compactMap(\.self).map(\.lowerBound).min(),
            let last = [before.stretch, after.stretch].compactMap(\.self).map(\.upperBound).max()
        else { return nil }
        let (stretch, scenario) = (first..<last, changed.scenario)
        let clock = ClockTime(scenario)
        let names = ["A", "B"]
        let rows = zip(names, [before, after])
            .flatMap { name, course in
                course.points.map { point -> JSONValue in
                    [
                        "from": .integer(clock.axisMilliseconds(point.at)), "series": .string(name),
                        "percent": point.share.map { .decimal($0 * 100, places: 3) } ?? .null,
                    ]
                }
            }
        let lines = layer(
            rows,
            ["type": "line", "strokeWidth": 2],
            [
                "x": timeAxis(scenario, stretch),
                "y": quantity(
                    "percent",
                    axis: ["title": "fresh, share of live time [%]", "tickCount": 6],
                    scale: ["zero": false, "nice": true]
                ),
                "color": colours([("A", .grey), ("B", .blue)]),
                "strokeDash": [
                    "field": "series", "type": "nominal", "legend": .null,
                    "scale": ["domain": .array(names.map { .string($0) }), "range": [[5, 4], [1, 0]]],
                ],
            ]
        )
        return Chart(
            name: "overlay",
            title: "Fresh on phones over the day",
            subtitle: "A dashed: \(base.scenario.name); B: \(scenario.name); in steps of "
                + Format.span(after.step.microseconds),
            height: 240,
            layers: faultLayers(scenario, stretch) + [lines] + faultNames(scenario, stretch),
            resolve: ["scale": ["y": "independent"]]
        )
    }
}

/// What screens showed fresh over a recorded run, while rides arrive, in few enough steps for a chart.
private struct FreshCourse {
    /// The share of a step, at its middle; nil where nothing was on a screen.
    let points: [(at: Instant, share: Double?)]
    /// What the steps cover; nil without any.
    let stretch: Range<Instant>?
    let step: TimeSpan

    /// Reads `timeseries.csv`.
    init(_ run: RecordedRun) throws(DataFileError) {
        let columns = ["window_start_us", "scope", "displayed_time_us", "displayed_fresh_time_us"]
        let contents = try CSVContents(path: "\(run.path)/timeseries.csv", columns: columns)
        let end = run.scenario.clock.duration
        let windows = contents.rows
            .filter { $0.fields[1] == "all" }
            .compactMap { row -> (start: Int64, shown: Double, fresh: Double)? in
                guard let start = Int64(row.fields[0]), let shown = Double(row.fields[2]),
                    let fresh = Double(row.fields[3]), (0..<end.microseconds).contains(start)
                else { return nil }
                return (start, shown, fresh)
            }
        let window = run.scenario.clock.window
        let perStep = max(1, (windows.count + Chart.overlaySteps - 1) / Chart.overlaySteps)
        step = TimeSpan(microseconds: window.microseconds * Int64(perStep))
        points = stride(from: 0, to: windows.count, by: perStep)
            .map { index in
                let part = windows[index..<min(index + perStep, windows.count)]
                let shown = part.reduce(0) { $0 + $1.shown }
                let middle = windows[index].start + window.microseconds * Int64(part.count) / 2
                return (
                    Instant(microseconds: middle), shown > 0 ? part.reduce(0) { $0 + $1.fresh } / shown : nil
                )
            }
        stretch = windows.first.flatMap { first in
            windows.last.map { last in
                Instant(microseconds: first.start)..<Instant(microseconds: last.start + window.microseconds)
            }
        }
    }
}
