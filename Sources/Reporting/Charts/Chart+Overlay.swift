public import Experiments
import LiveActivityModel
import Quantities
import TextFormats

/// The courses of two runs, one over the other.
extension Chart {
    /// What screens showed fresh over the day: the base dashed, the changed world in one line.
    ///
    /// - Parameters:
    ///   - base: The run that the other is held against.
    ///   - changed: A run of the same clock; nil for the base alone.
    public static func overlay(base: RunResult, changed: RunResult?) -> Chart {
        let shown = changed ?? base
        let steps = TimeSteps(shown, atMost: overlaySteps).whileRidesArrive
        let clock = ClockTime(shown.scenario)
        func rows(_ result: RunResult, _ series: String) -> [JSONValue] {
            TimeSteps(result, atMost: overlaySteps).whileRidesArrive
                .map { step in
                    // A share belongs to a whole step; a mark at its middle says so.
                    let middle = Instant(microseconds: step.from.microseconds + step.length.microseconds / 2)
                    let share = step.share(.displayedFreshTime, of: .displayedTime)
                    return [
                        "from": .integer(clock.axisMilliseconds(middle)), "series": .string(series),
                        "percent": share.map { .decimal($0 * 100, places: 3) } ?? .null,
                    ]
                }
        }
        let lines = layer(
            rows(base, "base") + (changed.map { rows($0, "changed") } ?? []),
            ["type": "line", "strokeWidth": 2],
            [
                "x": timeAxis(shown, steps),
                "y": quantity(
                    "percent",
                    axis: ["title": "fresh, share of live time [%]", "tickCount": 6],
                    scale: ["zero": false, "nice": true]
                ),
                "color": colours([("base", .grey), ("changed", .blue)]),
                "strokeDash": [
                    "field": "series", "type": "nominal", "legend": .null,
                    "scale": ["domain": ["base", "changed"], "range": [[5, 4], [1, 0]]],
                ],
            ]
        )
        return Chart(
            name: "overlay",
            title: "Fresh on phones over the day",
            subtitle: changed == nil ? "base" : "dashed: base; blue: changed, on the same random world",
            height: 240,
            layers: faultLayers(shown, steps) + [lines] + faultNames(shown, steps),
            resolve: ["scale": ["y": "independent"]]
        )
    }

    /// No more steps than these: a course that is held against another needs its shape, not every window.
    static let overlaySteps = 120
}
