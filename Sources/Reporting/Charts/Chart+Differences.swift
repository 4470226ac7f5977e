import Experiments
import LiveActivityModel
import TextFormats

/// The changes at each point of two sweeps.
extension Chart {
    /// Returns for each response, up to a limit, the differences with their intervals, by the levels of the point.
    static func differences(_ comparison: SweepComparison) -> [Chart] {
        let responses = comparison.metrics.prefix { $0.point == comparison.metrics.first?.point }
        let points = comparison.points.map { $0.joined(separator: ", ") }
        let x = axis(points, of: comparison.first.factors)
        return responses.prefix(4).enumerated()
            .map { index, first in
                let metrics = stride(from: index, to: comparison.metrics.count, by: responses.count)
                    .map { comparison.metrics[$0] }
                let scale = ResponseScale(first.response, first.unit, isShare: first.isShare)
                let rows = metrics.enumerated()
                    .compactMap { place, metric -> JSONValue? in
                        guard let difference = metric.difference else { return nil }
                        let interval = metric.interval
                            .map { $0.lowerBound * scale.factor...$0.upperBound * scale.factor }
                        let members: [String: JSONValue] = [
                            "point": points.count > mostNamedPoints ? .integer(Int64(place)) : .string(points[place]),
                            "levels": .string(metric.point ?? ""),
                            "value": .decimal(difference * scale.factor, places: 6),
                        ]
                        return .object(members.merging(Chart.bounds(interval)) { own, _ in own })
                    }
                let y = Chart.quantity("value", axis: ["title": .string("B − A, \(scale.title)"), "tickCount": 6])
                let spans = rows.filter { if case .object(let row) = $0 { row["low"] != nil } else { false } }
                let zero: JSONValue = [["value": 0]]
                return Chart(
                    name: "difference-\(index + 1)",
                    title: "Changes of \(first.response)",
                    subtitle: comparison.second.scenario.name + (spans.isEmpty ? "" : ", 95 % intervals"),
                    height: 220,
                    layers: [
                        [
                            "data": ["values": zero], "mark": ["type": "rule", "color": Colour.grey.json],
                            "encoding": ["y": y],
                        ],
                        layer(
                            spans,
                            ["type": "rule", "color": Colour.skyBlue.json, "strokeWidth": 2],
                            ["x": x, "y": Chart.quantity("low"), "y2": ["field": "high"]]
                        ),
                        layer(rows, ["type": "point", "filled": true, "color": Colour.blue.json], ["x": x, "y": y]),
                    ]
                )
            }
    }

    /// The number of points above which they are numbered, because their levels would be unreadable.
    private static let mostNamedPoints = 24

    /// Returns the axis of the points: by their levels, or by number if there are many.
    private static func axis(_ points: [String], of factors: [String]) -> JSONValue {
        guard points.count > mostNamedPoints else {
            return ordinal("point", factors.joined(separator: ", "), points, isSlanted: true)
        }
        return quantity(
            "point",
            axis: ["title": "design point, in the order of A", "tickCount": 10],
            scale: [
                "domain": [.decimal(-0.5, places: 1), .decimal(Double(points.count) - 0.5, places: 1)], "nice": false,
            ]
        )
    }
}
