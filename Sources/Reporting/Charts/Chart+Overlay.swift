public import Experiments
import LiveActivityModel
import Quantities
import TextFormats

/// The time series of two runs in one plot.
extension Chart {
    /// Returns the freshness of screens over the day: the base dashed, the changed world as a solid line, with the
    /// latter's faults.
    ///
    /// - Parameters:
    ///   - base: The run to compare with.
    ///   - changed: A run with the same clock; nil for the base alone.
    public static func overlay(base: RunResult, changed: RunResult?) -> Chart {
        let shown = changed ?? base
        let steps = TimeSteps(shown, atMost: overlaySteps).whileRidesArrive
        let courses = [("base", base)] + (changed.map { [("changed", $0)] } ?? [])
        return overlay(
            courses.map { name, result in
                let points = TimeSteps(result, atMost: overlaySteps).whileRidesArrive
                    .map { step in
                        // A share belongs to a whole step, so its mark is in the middle.
                        let middle = Instant(microseconds: step.from.microseconds + step.length.microseconds / 2)
                        return FreshCourse.Point(at: middle, share: step.share(.displayedFreshTime, of: .displayedTime))
                    }
                return (name, points)
            },
            of: shown.scenario,
            over: (steps.first?.from ?? .start)..<(steps.last?.until ?? .start),
            subtitle: (changed == nil ? "base" : "dashed: base; blue: changed, on the same random world")
                + (steps.first.map { "; in steps of \(Format.span($0.length.microseconds))" } ?? "")
        )
    }

    /// Returns the freshness of screens over the day in two recorded runs, A dashed, with the faults of B.
    ///
    /// - Returns: The chart; nil if neither run has a time series with activities on screens.
    static func overlay(base: RecordedRun, changed: RecordedRun) throws(DataFileError) -> Chart? {
        let (before, after) = (try FreshCourse(base), try FreshCourse(changed))
        let stretches = [before.stretch, after.stretch].compactMap(\.self)
        guard let first = stretches.map(\.lowerBound).min(), let last = stretches.map(\.upperBound).max() else {
            return nil
        }
        let changes = ScenarioChange.changes(from: base.scenario, to: changed.scenario).map(\.path)
        let bases = Response(metric: "displayed_fresh_time_ratio").bases.map(\.rawValue).filter(changes.contains)
        return overlay(
            [("A", before.points), ("B", after.points)],
            of: changed.scenario,
            over: first..<last,
            subtitle: (base.scenario.name == changed.scenario.name
                ? "\(base.scenario.name), A dashed" : "A dashed: \(base.scenario.name); B: \(changed.scenario.name)")
                + "; in steps of "
                + Format.span(after.step.microseconds)
                + (bases.first.map { "; not comparable because \($0) differs" } ?? "")
        )
    }

    /// Returns one or two time series, the first dashed.
    private static func overlay(
        _ courses: [(name: String, points: [FreshCourse.Point])],
        of scenario: Scenario,
        over stretch: Range<Instant>,
        subtitle: String
    ) -> Chart {
        let clock = ClockTime(scenario)
        let rows = courses.flatMap { name, points in
            points.map { point -> JSONValue in
                [
                    "from": .integer(clock.axisMilliseconds(point.at)), "series": .string(name),
                    "percent": point.share.map { .decimal($0 * 100, places: 3) } ?? .null,
                ]
            }
        }
        let dashes: [JSONValue] = [[5, 4], [1, 0]]
        let names = courses.map(\.name)
        let faults = faultNamesAbove(scenario, stretch)
        let lines = layer(
            rows,
            ["type": "line", "interpolate": "step", "strokeWidth": 2],
            [
                "x": timeAxis(scenario, stretch),
                "y": quantity(
                    "percent",
                    axis: ["title": "fresh, share of time on screens [%]", "tickCount": 6],
                    scale: ["zero": false, "nice": true]
                ),
                "color": series(
                    zip(names, [Colour.grey, .blue]).map { (name: $0, look: $1.json) },
                    legend: ["title": .null, "orient": "top", "offset": .integer(6 + faults.height)]
                ),
                "strokeDash": [
                    "field": "series", "type": "nominal", "legend": .null,
                    "scale": [
                        "domain": .array(names.map { .string($0) }), "range": .array(Array(dashes.prefix(names.count))),
                    ],
                ],
            ]
        )
        return Chart(
            name: "overlay",
            // This is not the headline tile's share, which covers only the time of rides.
            title: "Fresh on phones, as a share of all time on screens, including cards after rides",
            subtitle: subtitle,
            height: 240,
            layers: faultLayers(scenario, stretch) + [lines] + faults.layers,
            resolve: ["scale": ["y": "independent"]]
        )
    }

    /// The maximum number of steps: a comparison needs the shape of a time series, not every window.
    static let overlaySteps = 120
}
