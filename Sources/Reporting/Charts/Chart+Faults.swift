import Experiments
import LiveActivityModel
import Quantities
import TextFormats

/// Faults behind a course of time.
extension Chart {
    /// Shaded spans, cut to the charted part of the run.
    static func faultLayers(_ result: RunResult, _ steps: [TimeSteps.Step]) -> [JSONValue] {
        let faults = faultRows(result, steps)
        guard !faults.isEmpty else { return [] }
        let x = timeAxis(result, steps)
        return [
            shade(faults, opacity: 0.3, x: x),
            // An instant has no width to shade.
            layer(faults, ["type": "rule", "color": Colour.grey.json], ["x": x]),
        ]
    }

    /// The names of the faults; drawn last, on top of the lines.
    static func faultNames(_ result: RunResult, _ steps: [TimeSteps.Step]) -> [JSONValue] {
        let faults = faultRows(result, steps)
        guard !faults.isEmpty else { return [] }
        return textLayers(
            faults,
            mark: hanging("left", offset: 4),
            encoding: ["x": timeAxis(result, steps), "y": bottomTextLine, "text": ["field": "fault"]]
        )
    }

    private static func faultRows(_ result: RunResult, _ steps: [TimeSteps.Step]) -> [JSONValue] {
        let clock = ClockTime(result.scenario)
        guard let first = steps.first, let last = steps.last else { return [] }
        return result.scenario.faults
            .map { (kind: $0.kind, from: Instant.start + $0.at, until: Instant.start + $0.at + $0.duration) }
            .filter { $0.from < last.until && $0.until >= first.from }
            .enumerated()
            .map { index, fault in
                let from = max(fault.from, first.from)
                return [
                    "from": .integer(clock.axisMilliseconds(from)),
                    "until": .integer(clock.axisMilliseconds(max(from, min(fault.until, last.until)))),
                    "fault": .string(Wording.fault(fault.kind)),
                    // Names of neighbours stand below each other, in turn.
                    "line": .integer(Int64(index % 4)),
                ]
            }
    }
}
