import Experiments
import LiveActivityModel
import Quantities
import TextFormats

/// Faults behind a course of time.
extension Chart {
    /// Shaded spans, cut to the charted part of the run.
    static func faultLayers(_ result: RunResult, _ steps: [TimeSteps.Step]) -> [JSONValue] {
        let values = faultData(result, steps)
        guard values != .array([]) else { return [] }
        let data: JSONValue = ["values": values]
        let x = timeAxis(result, steps)
        return [
            [
                "data": data,
                "mark": ["type": "rect", "color": .string(Colour.grey.rawValue), "opacity": .decimal(0.3, places: 1)],
                "encoding": ["x": x, "x2": ["field": "until"]],
            ],
            // An instant has no width to shade.
            [
                "data": data,
                "mark": ["type": "rule", "color": .string(Colour.grey.rawValue)],
                "encoding": ["x": x],
            ],
        ]
    }

    /// The names of the faults; drawn last, on top of the lines.
    static func faultNames(_ result: RunResult, _ steps: [TimeSteps.Step]) -> [JSONValue] {
        let data = faultData(result, steps)
        guard data != .array([]) else { return [] }
        return textLayers(
            data: ["values": data],
            align: "left",
            offset: 4,
            encoding: ["x": timeAxis(result, steps), "y": bottomTextLine, "text": ["field": "fault"]]
        )
    }

    private static func faultData(_ result: RunResult, _ steps: [TimeSteps.Step]) -> JSONValue {
        let clock = ClockTime(result.scenario)
        guard let first = steps.first, let last = steps.last else { return [] }
        let visible = result.scenario.faults.filter { fault in
            Instant.start + fault.at < last.until && Instant.start + fault.at + fault.duration >= first.from
        }
        return .array(
            visible.enumerated()
                .map { index, fault in
                    let from = max(Instant.start + fault.at, first.from)
                    let until = min(Instant.start + fault.at + fault.duration, last.until)
                    return [
                        "from": .integer(clock.axisMilliseconds(from)),
                        "until": .integer(clock.axisMilliseconds(max(from, until))),
                        "fault": .string(Wording.fault(fault.kind)),
                        // Names of neighbours stand below each other, in turn.
                        "line": .integer(Int64(index % 4)),
                    ]
                }
        )
    }
}
