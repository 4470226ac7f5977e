import Experiments
import LiveActivityModel
import Quantities
import TextFormats

/// Faults behind a course of time.
extension Chart {
    /// Shaded spans, cut to the charted part of the run.
    static func faultLayers(_ result: RunResult, _ steps: [TimeSteps.Step]) -> [JSONValue] {
        faultLayers(result.scenario, charted(steps))
    }

    /// Shaded spans, cut to a stretch of a run.
    static func faultLayers(_ scenario: Scenario, _ stretch: Range<Instant>) -> [JSONValue] {
        let faults = faultRows(scenario, stretch)
        guard !faults.isEmpty else { return [] }
        let x = timeAxis(scenario, stretch)
        return [
            shade(faults, opacity: 0.3, x: x),
            // An instant has no width to shade.
            layer(faults, ["type": "rule", "color": Colour.grey.json], ["x": x]),
        ]
    }

    /// The names of the faults; drawn last, on top of the lines.
    static func faultNames(_ result: RunResult, _ steps: [TimeSteps.Step]) -> [JSONValue] {
        faultNames(result.scenario, charted(steps))
    }

    /// The names of the faults within a stretch of a run.
    static func faultNames(_ scenario: Scenario, _ stretch: Range<Instant>) -> [JSONValue] {
        faultNames(scenario, stretch, mark: hanging("left", offset: 4), y: bottomTextLine)
    }

    /// The same above the plot, where no course runs through them, and how many pixels they take there.
    static func faultNamesAbove(
        _ scenario: Scenario,
        _ stretch: Range<Instant>
    ) -> (layers: [JSONValue], height: Int64) {
        let lines = Int64(min(faultLines, faultRows(scenario, stretch).count))
        let y = quantity(
            "line",
            axis: .null,
            scale: ["domain": [0, .integer(Int64(faultLines))], "range": [-4, .integer(-4 - 14 * Int64(faultLines))]]
        )
        // A page that zooms cuts off what is outside of the plot, unless it is told not to.
        let mark: [String: JSONValue] = ["align": "left", "baseline": "bottom", "clip": false]
        return (faultNames(scenario, stretch, mark: mark, y: y), 14 * lines)
    }

    private static func faultNames(
        _ scenario: Scenario,
        _ stretch: Range<Instant>,
        mark: [String: JSONValue],
        y: JSONValue
    ) -> [JSONValue] {
        let faults = faultRows(scenario, stretch)
        guard !faults.isEmpty else { return [] }
        return textLayers(
            faults,
            mark: mark,
            encoding: ["x": timeAxis(scenario, stretch), "y": y, "text": ["field": "fault"]]
        )
    }

    /// In how many lines the names of neighbours stand below each other, in turn.
    private static let faultLines = 4

    private static func faultRows(_ scenario: Scenario, _ stretch: Range<Instant>) -> [JSONValue] {
        let clock = ClockTime(scenario)
        return scenario.faults
            .map { (kind: $0.kind, from: Instant.start + $0.at, until: Instant.start + $0.at + $0.duration) }
            .filter { $0.from < stretch.upperBound && $0.until >= stretch.lowerBound }
            .enumerated()
            .map { index, fault in
                let from = max(fault.from, stretch.lowerBound)
                return [
                    "from": .integer(clock.axisMilliseconds(from)),
                    "until": .integer(clock.axisMilliseconds(max(from, min(fault.until, stretch.upperBound)))),
                    "fault": .string(Wording.fault(fault.kind)),
                    "line": .integer(Int64(index % faultLines)),
                ]
            }
    }
}
