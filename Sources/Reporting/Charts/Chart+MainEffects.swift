import TextFormats

/// The main effects of factors.
extension Chart {
    /// The minimum width of the vertical axis' labels [px], which gives all charts of a report the same width.
    private static let axisExtent: JSONValue = 52

    /// The levels of a factor with the mean response at each, over all levels of the other factors.
    struct MainEffect {
        /// A level as shown on the axis, with its mean response.
        struct Level {
            var label: String
            var mean: Double
            var interval: ClosedRange<Double>?
        }

        var factor: String
        /// The levels, in ascending order.
        var levels: [Level]
    }

    /// Returns small plots beside each other, one per factor, with the same vertical axis: a steeper line means a
    /// larger effect.
    ///
    /// - Parameters:
    ///   - response: The response's unit, for the axis.
    ///   - leastSpan: The minimum range of the vertical axis, in the response's unit: the range that chance alone may
    ///     explain.
    static func mainEffects(
        name: String,
        title: String,
        subtitle: String,
        response: String,
        effects: [MainEffect],
        leastSpan: Double = 0
    ) -> Chart {
        let ends = effects.flatMap(\.levels)
            .flatMap { [$0.mean, $0.interval?.lowerBound ?? $0.mean, $0.interval?.upperBound ?? $0.mean] }
            .filter(\.isFinite)
        let (least, largest) = (ends.min() ?? 0, ends.max() ?? 1)
        let missing = max(0, leastSpan - (largest - least)) / 2
        let (low, high) = (least - missing, largest + missing)
        // A constant response has no range to be drawn in.
        let margin = high > low ? (high - low) * 0.05 : 0.5
        let scale: JSONValue = [
            "domain": [.decimal(low - margin, places: 6), .decimal(high + margin, places: 6)], "nice": false,
            "zero": false,
        ]
        let columns = min(3, max(1, effects.count))
        // Without a unit, a space keeps the room of the title.
        let axisTitle: JSONValue = .string(response.isEmpty ? "\u{A0}" : response)
        let plots = effects.enumerated()
            .map { index, effect -> JSONValue in
                let rows = effect.levels.map { level -> JSONValue in
                    let row: [String: JSONValue] = [
                        "level": .string(level.label), "mean": .decimal(level.mean, places: 6),
                    ]
                    return .object(row.merging(bounds(level.interval)) { $1 })
                }
                let axis: JSONValue =
                    index % columns == 0
                    ? ["title": axisTitle, "tickCount": 5, "minExtent": axisExtent]
                    : ["title": .null, "labels": false, "ticks": false, "tickCount": 5]
                let blue = Colour.blue.json
                let plotWidth = (width - 20 * Int64(columns - 1)) / Int64(columns)
                let labels = effect.levels.map(\.label)
                // A character is about 7 px wide.
                let isCrowded = Int64(labels.reduce(0) { $0 + $1.count + 2 }) * 7 > plotWidth
                return [
                    "width": .integer(plotWidth), "height": 180, "data": ["values": .array(rows)],
                    "encoding": [
                        "x": ordinal("level", effect.factor, labels, isSlanted: isCrowded && labels.count <= 12)
                    ],
                    "layer": [
                        [
                            "transform": [["filter": "isValid(datum.low)"]],
                            "mark": ["type": "rule", "strokeWidth": 2, "color": blue],
                            "encoding": ["y": quantity("low", axis: axis, scale: scale), "y2": ["field": "high"]],
                        ],
                        [
                            "mark": [
                                "type": "line", "color": blue, "point": ["filled": true, "size": 45, "color": blue],
                            ],
                            "encoding": ["y": quantity("mean", axis: axis, scale: scale)],
                        ],
                    ],
                ]
            }
        return Chart(
            name: name,
            title: title,
            subtitle: subtitle,
            body: ["columns": .integer(Int64(columns)), "spacing": 20, "concat": .array(plots)]
        )
    }
}
