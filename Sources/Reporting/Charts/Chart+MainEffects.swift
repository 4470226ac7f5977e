import TextFormats

/// The main effects of factors.
extension Chart {
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
        /// `true` if the levels have an order, so that a line may join them.
        var isOrdered = true
    }

    /// Returns small plots beside each other, one per factor, with the same vertical axis: a steeper line means a
    /// larger effect.
    ///
    /// Categories have points alone.
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
        let columns = min(3, max(1, effects.count))
        // Without a unit, a space keeps the room of the title.
        let plots = effects.enumerated()
            .map { index, effect -> JSONValue in
                let rows = effect.levels.map { level -> JSONValue in
                    let row: [String: JSONValue] = [
                        "level": .string(level.label), "mean": .decimal(level.mean, places: 6),
                    ]
                    return .object(row.merging(bounds(level.interval)) { $1 })
                }
                let plotWidth = (width - 20 * Int64(columns - 1)) / Int64(columns)
                let labels = effect.levels.map(\.label)
                // A character is about 7 px wide.
                let isCrowded = Int64(labels.reduce(0) { $0 + $1.count + 2 }) * 7 > plotWidth
                let axis = levels(labels, title: effect.factor, isSlanted: isCrowded && labels.count <= 12)
                let plot: Values = [
                    "rows": .array(rows), "plotWidth": .integer(plotWidth),
                    "axis": index % columns == 0 ? "first" : "further", "mark": effect.isOrdered ? "line" : "points",
                ]
                return .object(plot.merging(axis) { $1 })
            }
        return Chart(
            template: "main-effects",
            name: name,
            title: title,
            subtitle: subtitle,
            [
                "plots": .array(plots), "columns": .integer(Int64(columns)),
                // Without a unit, a space keeps the room of the title.
                "response": .string(response.isEmpty ? "\u{A0}" : response),
                "domain": domain(low - margin, high + margin),
            ]
        )
    }
}
