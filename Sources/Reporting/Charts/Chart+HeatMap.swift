import TextFormats

/// Two factors and one response.
extension Chart {
    /// A heat map: one response over two factors, each value printed in its cell.
    ///
    /// The colours are those of Viridis, which rise in lightness, so that grey print and any colour vision keep the order. Where
    /// small values are better they are turned round, so that the lightest is the best.
    /// Levels of the vertical factor go down, as in the table that a map stands below. A cell without a value stays empty. Marks say
    /// where a check does not hold, and which values chance may keep from the best.
    /// Values that differ by no more than their intervals are all drawn in one colour: no reader shall see an order where there
    /// may be none.
    ///
    /// - Parameters:
    ///   - subtitle: Of what; what else was held fixed or averaged over.
    ///   - response: The response's name with its unit, for the legend.
    ///   - cells: The response by level of `y`, then of `x`.
    ///   - range: The values that the ends of the colours stand for, which maps beside each other share; nil for those
    ///     that occur.
    ///   - isLowBest: Whether small values are better than large ones.
    ///   - isFlat: Whether all differences may be chance, which colours would magnify: all cells have one colour.
    ///   - isCount: Whether the values are counts, which are printed without decimals.
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
            let isWhole = isCount && value.rounded() == value && value.magnitude < 0x1p53
            return isWhole ? Format.count(Int64(value)) : FixedPoint.text(value, places: 2)
        }
        var rows: [JSONValue] = []
        for (row, levels) in zip(y.labels, cells) {
            for (column, cell) in zip(x.labels, levels) {
                guard let cell, let text = text(cell.value) else { continue }
                // Viridis is dark up to about its middle.
                let isDark = isFlat || (isLowBest ? high - cell.value : cell.value - low) / (high - low) < 0.55
                rows.append([
                    "x": .string(column), "y": .string(row), "value": .decimal(cell.value, places: 6),
                    "label": .string(text + (cell.isLikeBest ? " ≈" : "") + (cell.fails ? " ✗" : "")),
                    "ground": isDark ? "dark" : "light",
                ])
            }
        }
        // A letter takes some 7 px.
        let room = Int(width - 40) / max(1, x.labels.count)
        let encodedX = ordinal("x", x.title, x.labels, isSlanted: x.labels.contains { ($0.count + 1) * 7 > room })
        // The title stands above the axis: along it, it would often be longer than the rows are high.
        let encodedY = ordinal(
            "y",
            y.title,
            y.labels,
            title: ["titleAngle": 0, "titleAlign": "left", "titleAnchor": "start", "titleX": -40, "titleY": -8]
        )
        let colours: JSONValue = [
            "field": "value", "type": "quantitative",
            "scale": [
                "scheme": "viridis", "reverse": .bool(isLowBest),
                "domain": [.decimal(low, places: 6), .decimal(high, places: 6)],
            ],
            "legend": [
                "title": .string(response), "orient": "bottom", "gradientLength": 240, "gradientThickness": 10,
                "titleLimit": 400,
            ],
        ]
        return Chart(
            name: name,
            title: title,
            subtitle: subtitle,
            body: [
                "width": .integer(width - 40), "height": ["step": 38], "data": ["values": .array(rows)],
                "encoding": ["x": encodedX, "y": encodedY],
                "layer": [
                    [
                        "mark": ["type": "rect", "stroke": "white", "strokeWidth": 1],
                        "encoding": ["color": isFlat ? ["value": .string(flatColour)] : colours],
                    ],
                    heatMapText(on: "dark", ink: "#ffffff"),
                    heatMapText(on: "light", ink: "#111111"),
                ],
            ]
        )
    }

    /// A cell of a map.
    struct MapCell {
        /// Its value, which is printed and gives the colour.
        let value: Double
        /// `true` if it is not the best, and chance may explain why.
        var isLikeBest = false
        /// `true` if a check of the response does not hold there.
        var fails = false
    }

    /// The colour of all cells where none differs: a dark one of Viridis, below its middle.
    private static let flatColour = "#3b528b"

    /// The values on dark or on light cells, in inks that are none of the page's, which the dark would change.
    private static func heatMapText(on ground: String, ink: String) -> JSONValue {
        [
            "transform": [["filter": .string("datum.ground == '\(ground)'")]],
            "mark": ["type": "text", "fontSize": 12, "color": .string(ink)],
            "encoding": ["text": ["field": "label", "type": "nominal"]],
        ]
    }

    /// An axis of levels in a given order.
    ///
    /// - Parameters:
    ///   - isSlanted: Whether long labels are written aslant, so that none is left out.
    ///   - place: Where the title stands, if not where it does by itself.
    static func ordinal(
        _ field: String,
        _ title: String,
        _ levels: [String],
        isSlanted: Bool = false,
        title place: [String: JSONValue] = [:]
    ) -> JSONValue {
        let axis: [String: JSONValue] = [
            "title": .string(title), "labelAngle": isSlanted ? -40 : 0, "labelLimit": 140,
            "labelOverlap": .bool(!isSlanted),
        ]
        let order = JSONValue.array(levels.map { .string($0) })
        return [
            "field": .string(field), "type": "ordinal", "sort": order, "scale": ["domain": order],
            "axis": .object(axis.merging(place) { $1 }),
        ]
    }
}
