import LiveActivityModel
import Results
import TextFormats

/// The changes at each point of two sweeps.
extension Chart {
    /// Returns for each response, up to a limit, the differences with their intervals, by the levels of the point.
    static func differences(_ comparison: ResultComparison) -> [Chart] {
        let responses = comparison.metrics.prefix { $0.point == comparison.metrics.first?.point }
        let points = comparison.points.map { $0.joined(separator: ", ") }
        let isNumbered = points.count > mostNamedPoints
        let axis = levels(points, title: comparison.first.factors.joined(separator: ", "), isSlanted: true)
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
                            "point": isNumbered ? .integer(Int64(place)) : .string(points[place]),
                            "levels": .string(metric.point ?? ""),
                            "value": .decimal(difference * scale.factor, places: 6),
                        ]
                        return .object(members.merging(Chart.bounds(interval)) { own, _ in own })
                    }
                let spans = rows.filter { $0.members["low"] != nil }
                return Chart(
                    template: "differences",
                    name: "difference-\(index + 1)",
                    title: "Changes of \(first.response)",
                    subtitle: comparison.second.scenario.name + (spans.isEmpty ? "" : ", 95 % intervals"),
                    [
                        "label": .string("B − A, \(scale.title)"), "spans": .array(spans), "rows": .array(rows),
                        "axis": isNumbered ? "numbered" : "ordinal", "field": "point",
                        "domain": domain(-0.5, Double(points.count) - 0.5, places: 1),
                    ],
                    axis
                )
            }
    }

    /// The number of points above which they are numbered, because their levels would be unreadable.
    private static let mostNamedPoints = 24
}
