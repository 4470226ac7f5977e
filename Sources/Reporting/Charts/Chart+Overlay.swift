public import Experiments
import LiveActivityModel
import Quantities
import TextFormats

/// The courses of two runs, one over the other.
extension Chart {
    /// What screens showed fresh over the day: the base dashed, the changed world in one line, with the faults of the latter.
    ///
    /// - Parameters:
    ///   - base: The run that the other is held against.
    ///   - changed: A run of the same clock; nil for the base alone.
    public static func overlay(base: RunResult, changed: RunResult?) -> Chart {
        let shown = changed ?? base
        let steps = TimeSteps(shown, atMost: overlaySteps).whileRidesArrive
        let courses = [("base", base)] + (changed.map { [("changed", $0)] } ?? [])
        return overlay(
            courses.map { name, result in
                let points = TimeSteps(result, atMost: overlaySteps).whileRidesArrive
                    .map { step in
                        // A share belongs to a whole step; a mark at its middle says so.
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

    /// What screens showed fresh over the day in two recorded runs, A dashed, with the faults of B.
    ///
    /// - Returns: Nil where neither run kept a course of time in which something was on a screen.
    static func overlay(base: RecordedRun, changed: RecordedRun) throws(DataFileError) -> Chart? {
        let (before, after) = (try FreshCourse(base), try FreshCourse(changed))
        let stretches = [before.stretch, after.stretch].compactMap(\.self)
        guard let first = stretches.map(\.lowerBound).min(), let last = stretches.map(\.upperBound).max() else {
            return nil
        }
        let changes = ScenarioChange.changes(from: base.scenario, to: changed.scenario).map(\.path)
        let bases = Response(metric: "displayed_fresh_time_ratio").rulers.map(\.rawValue).filter(changes.contains)
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

    /// One or two courses, the first dashed.
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
            // Not what the first tile counts, which is the time of rides alone.
            title: "Fresh on phones, of all time on screens, cards after rides among it",
            subtitle: subtitle,
            height: 240,
            layers: faultLayers(scenario, stretch) + [lines] + faults.layers,
            resolve: ["scale": ["y": "independent"]]
        )
    }

    /// No more steps than these: a course that is held against another needs its shape, not every window.
    static let overlaySteps = 120
}
