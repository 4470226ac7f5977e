import TextFormats

/// The importance of factors.
extension Chart {
    /// A factor's share of a response's variance, by Sobol's indices.
    struct SensitivityBar {
        /// A share of 1; estimates may be slightly outside of 0 to 1.
        typealias Index = (estimate: Double, interval: ClosedRange<Double>)

        var factor: String
        /// The effect of the factor alone.
        var firstOrder: Index
        /// The effect including interactions.
        var total: Index
    }

    /// Returns bars of first-order and total sensitivity indices with their intervals, the most important factor on
    /// top.
    ///
    /// Factors with equal totals keep the given order.
    ///
    /// - Parameter subtitle: The response, the number of evaluations, and the kind of intervals.
    static func sensitivity(name: String, title: String, subtitle: String, bars: [SensitivityBar]) -> Chart {
        let sorted = bars.enumerated()
            .sorted { ($1.element.total.estimate, $0.offset) < ($0.element.total.estimate, $1.offset) }
            .map(\.element)
        let kinds: [(name: String, colour: Colour)] = [
            ("first order: alone", .skyBlue), ("total: with interactions", .blue),
        ]
        let rows = sorted.flatMap { bar in
            zip(kinds, [bar.firstOrder, bar.total])
                .map { kind, index -> JSONValue in
                    let row: [String: JSONValue] = [
                        "factor": .string(bar.factor), "series": .string(kind.name),
                        "index": .decimal(index.estimate, places: 6),
                    ]
                    return .object(row.merging(bounds(index.interval)) { $1 })
                }
        }
        let y: JSONValue = [
            "field": "factor", "type": "nominal", "sort": .array(sorted.map { .string($0.factor) }),
            "axis": ["title": .null, "labelLimit": 300, "ticks": false],
            "scale": ["paddingInner": .decimal(0.3, places: 1)],
        ]
        let offset: JSONValue = [
            "field": "series", "type": "nominal", "sort": .array(kinds.map { .string($0.name) }),
        ]
        let axis: JSONValue = ["title": "share of the response's variance", "tickCount": 6]
        return Chart(
            name: name,
            title: title,
            subtitle: subtitle,
            titleFrame: "bounds",
            body: [
                "width": .integer(width - 220), "height": .integer(Int64(max(1, sorted.count)) * 52),
                "data": ["values": .array(rows)], "encoding": ["y": y, "yOffset": offset],
                "layer": [
                    [
                        "mark": ["type": "bar"],
                        "encoding": ["x": quantity("index", axis: axis), "color": colours(kinds)],
                    ],
                    [
                        "transform": [["filter": "isValid(datum.low)"]],
                        "mark": ["type": "rule", "strokeWidth": 2, "color": "#333333"],
                        "encoding": ["x": quantity("low", axis: axis), "x2": ["field": "high"]],
                    ],
                ],
            ]
        )
    }
}
