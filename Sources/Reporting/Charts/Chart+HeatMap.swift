import TextFormats

/// Heat maps of one response over two factors.
extension Chart {
    /// Returns a heat map: one response over two factors, with each value printed in its cell.
    ///
    /// The colours are those of Viridis. Their lightness increases, so grey print and any colour vision preserve the
    /// order. If small values are better, the colours are reversed, so that the lightest is the best. Levels of the
    /// vertical factor go down, as in the table below a map. A cell without a value stays empty. Marks show where a
    /// check does not hold, and which values are statistically tied with the best. Values that differ by no more than
    /// their intervals all have one colour, so that no reader sees an order that may not exist.
    ///
    /// - Parameters:
    ///   - subtitle: The subject, and the factors that were held fixed or averaged over.
    ///   - response: The response's name with its unit, for the legend.
    ///   - cells: The response by level of `y`, then of `x`.
    ///   - range: The values at the ends of the colour scale, shared by maps beside each other; nil for the range of
    ///     the cells.
    ///   - isLowBest: `true` if small values are better.
    ///   - isFlat: `true` if all differences may be due to chance, which colours would exaggerate: all cells have one
    ///     colour.
    ///   - isCount: `true` if the values are counts, which are printed without decimals.
    /// - Precondition: `cells` has a row for each level of `y`, with a cell for each level of `x`.
    static func heatMap(
        name: String,
        title: String,
        subtitle: String,
        x: SweepGrid.Axis,
        y: SweepGrid.Axis,
        response: String,
        cells: [[MapCell?]],
        range: ClosedRange<Double>? = nil,
        isLowBest: Bool = false,
        isFlat: Bool = false,
        isCount: Bool = false
    ) -> Chart {
        precondition(cells.count == y.labels.count, "a heat map has a row for each level of its vertical factor")
        precondition(
            cells.allSatisfy { $0.count == x.labels.count },
            "a heat map has a value for each level of its horizontal factor"
        )
        let known = cells.joined().compactMap { $0?.value }
        let low = range?.lowerBound ?? known.min() ?? 0
        let high = range?.upperBound ?? known.max() ?? 1
        let isFlat = isFlat || high <= low
        func text(_ value: Double) -> String? {
            isCount ? Format.count(mean: value) : FixedPoint.text(value, places: 2)
        }
        var rows: [JSONValue] = []
        for (row, levels) in zip(y.labels, cells) {
            for (column, cell) in zip(x.labels, levels) {
                guard let cell, let text = text(cell.value) else { continue }
                // The lower half of Viridis is dark.
                let isDark = isFlat || (isLowBest ? high - cell.value : cell.value - low) / (high - low) < 0.55
                rows.append([
                    "x": .string(column), "y": .string(row), "value": .decimal(cell.value, places: 6),
                    "label": .string(text + (cell.isLikeBest ? " ≈" : "") + cell.mark),
                    "ground": isDark ? "dark" : "light",
                ])
            }
        }
        // A character is about 7 px wide.
        let room = Int(width - 40) / max(1, x.labels.count)
        return Chart(
            template: "heat-map",
            name: name,
            title: title,
            subtitle: subtitle,
            [
                "rows": .array(rows), "colour": isFlat ? "flat" : "scaled", "response": .string(response),
                "isLowBest": .bool(isLowBest), "domain": domain(low, high), "rowTitle": .string(y.title),
                "rowLevels": .strings(y.labels),
            ],
            levels(x.labels, title: x.title, isSlanted: x.labels.contains { ($0.count + 1) * 7 > room })
        )
    }

    /// A cell of a map.
    struct MapCell {
        /// The value, which is printed and determines the colour.
        let value: Double
        /// `true` if it is statistically tied with the best.
        var isLikeBest = false
        /// The mark of the response's checks there; empty if they hold.
        var mark = ""
    }
}
