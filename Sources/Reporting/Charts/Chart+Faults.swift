import Experiments
import LiveActivityModel
import Quantities
import TextFormats

/// Faults behind a time series.
extension Chart {
    /// Returns shaded spans, cut to the charted part of the run.
    static func faultLayers(_ result: RunResult, _ steps: [TimeSteps.Step]) -> [JSONValue] {
        faultLayers(result.scenario, charted(steps))
    }

    /// Returns shaded spans, cut to an interval of a run.
    static func faultLayers(_ scenario: Scenario, _ stretch: Range<Instant>) -> [JSONValue] {
        faultLayers(faultRows(scenario, stretch), x: timeAxis(scenario, stretch))
    }

    /// Returns shaded spans on any time axis.
    static func faultLayers(_ faults: [JSONValue], x: JSONValue) -> [JSONValue] {
        guard !faults.isEmpty else { return [] }
        return [
            shade(faults, opacity: 0.3, x: x),
            // An instant has no width to shade.
            layer(faults, ["type": "rule", "color": Colour.grey.json], ["x": x]),
        ]
    }

    /// Returns the names of the faults, which are drawn last, on top of the lines.
    static func faultNames(_ result: RunResult, _ steps: [TimeSteps.Step]) -> [JSONValue] {
        faultNames(result.scenario, charted(steps))
    }

    /// Returns the names of the faults within an interval of a run.
    static func faultNames(_ scenario: Scenario, _ stretch: Range<Instant>) -> [JSONValue] {
        faultNames(faultRows(scenario, stretch), x: timeAxis(scenario, stretch))
    }

    /// Returns the names of faults on any time axis.
    static func faultNames(_ faults: [JSONValue], x: JSONValue) -> [JSONValue] {
        faultNames(faults, x: x, mark: hanging("left", offset: 4), y: bottomTextLine)
    }

    /// Returns the names above the plot, where no line crosses them, and their height in pixels.
    static func faultNamesAbove(
        _ scenario: Scenario,
        _ stretch: Range<Instant>
    ) -> (layers: [JSONValue], height: Int64) {
        let faults = faultRows(scenario, stretch)
        let lines = Int64(min(faultLines, faults.count))
        let y = quantity(
            "line",
            axis: .null,
            scale: ["domain": [0, .integer(Int64(faultLines))], "range": [-4, .integer(-4 - 14 * Int64(faultLines))]]
        )
        // A zoomable page clips everything outside of the plot unless `clip` is false.
        let mark: [String: JSONValue] = ["align": "left", "baseline": "bottom", "clip": false]
        return (faultNames(faults, x: timeAxis(scenario, stretch), mark: mark, y: y), 14 * lines)
    }

    private static func faultNames(
        _ faults: [JSONValue],
        x: JSONValue,
        mark: [String: JSONValue],
        y: JSONValue
    ) -> [JSONValue] {
        guard !faults.isEmpty else { return [] }
        return textLayers(faults, mark: mark, encoding: ["x": x, "y": y, "text": ["field": "fault"]])
    }

    /// The number of lines on which the names of neighbours alternate.
    private static let faultLines = 4

    private static func faultRows(_ scenario: Scenario, _ stretch: Range<Instant>) -> [JSONValue] {
        let clock = ClockTime(scenario)
        let charted = stretch.lowerBound.microseconds..<stretch.upperBound.microseconds
        return faultRows(FaultSpan.all(of: scenario), within: charted) { instant in
            .integer(clock.axisMilliseconds(Instant(microseconds: instant)))
        }
    }

    /// Returns rows of faults, cut to a time interval [µs].
    ///
    /// - Parameters:
    ///   - firstLine: The line of the first name, from the bottom.
    ///   - time: Converts an instant to the unit of the axis.
    static func faultRows(
        _ faults: [FaultSpan],
        within stretch: Range<Int64>,
        firstLine: Int = 0,
        time: (Int64) -> JSONValue
    ) -> [JSONValue] {
        faults.filter { $0.from < stretch.upperBound && $0.until >= stretch.lowerBound }
            .enumerated()
            .map { index, fault in
                let from = max(fault.from, stretch.lowerBound)
                return [
                    "from": time(from), "until": time(max(from, min(fault.until, stretch.upperBound))),
                    "fault": .string(fault.name), "line": .integer(Int64(firstLine + index % faultLines)),
                ]
            }
    }
}
