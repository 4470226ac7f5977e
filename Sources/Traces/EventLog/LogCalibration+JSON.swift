import LiveActivityModel
public import TextFormats

extension LogCalibration {
    /// The values with their intervals, the incidents, and the assumptions.
    ///
    /// Durations of values are in microseconds, times of incidents in seconds since the start of the scenario's run.
    public var json: JSONValue {
        func seconds(_ time: Int64) -> JSONValue { .number(Double(time - digest.origin) / 1e6) }
        func bounds(_ range: ClosedRange<Int64>) -> JSONValue {
            .array([seconds(range.lowerBound), seconds(range.upperBound)])
        }
        func pair(_ range: ClosedRange<Double>?) -> JSONValue {
            range.map { .array([.number($0.lowerBound), .number($0.upperBound)]) } ?? .null
        }
        return [
            "log": .array(notes.map { .string($0) }),
            "values": .array(
                values.map { value in
                    [
                        "key": .string(value.key), "estimate": .number(value.estimate),
                        "interval": pair(value.interval),
                        "count": .integer(Int64(value.count)),
                    ]
                }
            ),
            "incidents": .array(
                incidents.incidents.map { incident in
                    [
                        "kind": .string(incident.kind.rawValue), "from_s": seconds(incident.from),
                        "until_s": seconds(incident.until),
                        "from_interval_s": bounds(incident.beginning), "until_interval_s": bounds(incident.ending),
                        "size": incident.size.map { .number($0) } ?? .null,
                        "size_interval": pair(incident.sizeInterval),
                        "count": .integer(Int64(incident.count)),
                    ]
                }
            ),
            "assumptions": .array(
                assumptions.map { assumption in
                    .string(assumption.sentence + (assumption.effect.map { "; \($0)" } ?? ""))
                }
            ),
        ]
    }
}
