import Experiments
import LiveActivityModel
import Quantities

/// Faults behind a course of time.
extension Chart {
    /// Shaded spans with their names, cut to the charted part of the run.
    static func faultLayers(_ result: RunResult, _ steps: [TimeSteps.Step]) -> [JSONValue] {
        let clock = ClockTime(result.scenario)
        guard let first = steps.first, let last = steps.last else { return [] }
        let visible = result.scenario.faults.filter { fault in
            Instant.start + fault.at < last.until && Instant.start + fault.at + fault.duration >= first.from
        }
        guard !visible.isEmpty else { return [] }
        let rows = visible.enumerated()
            .map { index, fault -> JSONValue in
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
        let data: JSONValue = ["values": .array(rows)]
        let span: [String: JSONValue] = [
            "x": timeAxis(result, steps),
            "x2": ["field": "until"],
        ]
        let name: JSONValue = [
            "x": timeAxis(result, steps),
            "y": [
                "field": "line",
                "type": "quantitative",
                "scale": ["domain": [0, 20], "reverse": true],
                "axis": .null,
            ],
            "text": ["field": "fault"],
        ]
        return [
            [
                "data": data,
                "mark": ["type": "rect", "color": .string(Colour.grey.rawValue), "opacity": .decimal(0.3, places: 1)],
                "encoding": .object(span),
            ],
            [
                "data": data,
                "mark": ["type": "rule", "color": .string(Colour.grey.rawValue)],
                "encoding": ["x": timeAxis(result, steps)],
            ],
            [
                "data": data,
                "mark": [
                    "type": "text", "align": "left", "baseline": "top", "dx": 4, "dy": 4, "fontSize": 11,
                    "color": "#444444",
                ],
                "encoding": name,
            ],
        ]
    }
}
