import TextFormats

/// Benefits against costs.
extension Chart {
    /// A design point among others.
    struct TradeOff {
        /// The label beside the point, ideally the levels of its factors: `2m, 3 attempts`.
        var label: String
        /// The cost, on the horizontal axis; less is better.
        var cost: Double
        /// The gain, on the vertical axis; more is better.
        var gain: Double
        var gainInterval: ClosedRange<Double>?
        /// `true` if no other point has at least the same gain at a lower cost.
        var isOnFront: Bool
        /// The half-width of the cost's interval, in its unit; 0 for none.
        var costSpread = 0.0
    }

    /// The maximum number of labels for readability.
    private static let mostLabels = 14

    /// The height of the plot [px].
    private static let paretoHeight = 340.0

    /// Returns the points of a sweep, with the Pareto front marked, joined and labelled.
    ///
    /// Labels that would cover a point or another label are left out; the ends of the front have priority.
    ///
    /// - Parameters:
    ///   - cost: The horizontal axis's title with its unit, such as `pushes per activity`.
    ///   - gain: The vertical axis's title with its unit, such as `fresh on phones [% of time]`.
    ///   - points: In any order; points whose numbers are not finite are left out.
    static func pareto(
        name: String,
        title: String,
        subtitle: String,
        cost: String,
        gain: String,
        points: [TradeOff]
    ) -> Chart {
        let points = points.filter { $0.cost.isFinite && $0.gain.isFinite }
        let front = points.filter(\.isOnFront).sorted { ($0.cost, $0.gain, $0.label) < ($1.cost, $1.gain, $1.label) }
        // Costs whose differences may be due to chance are not drawn far apart.
        let costs = points.map(\.cost)
        let middle = ((costs.min() ?? 0) + (costs.max() ?? 0)) / 2
        let spread = (points.map(\.costSpread).max() ?? 0) / 2
        let x = PlotScale(costs + (spread > 0 ? [middle - spread, middle + spread] : []), length: Double(width))
        let y = PlotScale(
            points.flatMap { [$0.gain, $0.gainInterval?.lowerBound, $0.gainInterval?.upperBound].compactMap(\.self) },
            length: paretoHeight
        )
        let places = labelPlaces(front, among: points, x, y)
        func row(_ point: TradeOff, label: String? = nil) -> JSONValue {
            var row: [String: JSONValue] = [
                "cost": .decimal(point.cost, places: 6), "gain": .decimal(point.gain, places: 6),
                "series": point.isOnFront ? "on the Pareto front" : "dominated",
            ]
            row["label"] = label.map { .string($0) }
            return .object(row.merging(bounds(point.gainInterval)) { $1 })
        }
        let frontRows = front.map { row($0) }
        let rows = points.filter { !$0.isOnFront }.map { row($0) } + frontRows
        func axis(_ field: String, _ title: String, _ scale: PlotScale) -> JSONValue {
            quantity(
                field,
                axis: ["title": .string(title), "tickCount": 6],
                scale: ["zero": false, "nice": false, "domain": scale.domain]
            )
        }
        let xAxis = axis("cost", cost, x)
        let yAxis = axis("gain", gain, y)
        let colour = colours([("on the Pareto front", .blue), ("dominated", .grey)])
        func labels(_ place: PointLabels.Place) -> [JSONValue] {
            let labelled = zip(front, places).filter { $1 == place }
                .map { point, _ in row(point, label: shortened(point.label)) }
            guard !labelled.isEmpty else { return [] }
            let distance = PointLabels.distance
            return textLayers(
                labelled,
                mark: [
                    "align": place.isLeft ? "right" : "left", "baseline": place.isAbove ? "bottom" : "top",
                    "dx": .integer(place.isLeft ? -distance.across : distance.across),
                    "dy": .integer(place.isAbove ? -distance.along : distance.along),
                    "fontSize": .integer(PointLabels.fontSize),
                ],
                halo: 3,
                encoding: ["x": xAxis, "y": yAxis, "text": ["field": "label", "type": "nominal"]]
            )
        }
        return Chart(
            name: name,
            title: title,
            subtitle: subtitle,
            height: Int64(paretoHeight),
            layers: [
                layer(
                    frontRows,
                    [
                        "type": "line", "interpolate": "step-after", "color": Colour.blue.json,
                        "opacity": .decimal(0.5, places: 1),
                    ],
                    ["x": xAxis, "y": yAxis]
                ),
                [
                    "data": ["values": .array(rows)],
                    "transform": [["filter": "isValid(datum.low)"]],
                    "mark": ["type": "rule", "strokeWidth": 1],
                    "encoding": ["x": xAxis, "y": axis("low", gain, y), "y2": ["field": "high"], "color": colour],
                ],
                layer(
                    rows,
                    ["type": "point", "filled": true, "size": 60, "opacity": 1],
                    [
                        "x": xAxis, "y": yAxis, "color": colour,
                        // Series are distinguished without colour too.
                        "shape": series([("on the Pareto front", "circle"), ("dominated", "diamond")]),
                    ]
                ),
            ] + PointLabels.Place.allCases.flatMap(labels)
        )
    }

    /// Returns the places of a front's labels.
    ///
    /// On a long front, labels at equal distances come first, including the ends.
    private static func labelPlaces(
        _ front: [TradeOff],
        among points: [TradeOff],
        _ x: PlotScale,
        _ y: PlotScale
    ) -> [PointLabels.Place?] {
        func place(_ point: TradeOff) -> PointLabels.Point {
            PointLabels.Point(x: x.pixel(point.cost), y: paretoHeight - y.pixel(point.gain))
        }
        let stride = max(1, (front.count + mostLabels - 1) / mostLabels)
        func rank(_ index: Int) -> Int { index == 0 || index == front.count - 1 ? 0 : index % stride == 0 ? 1 : 2 }
        let order = front.indices.sorted { (rank($0), $0) < (rank($1), $1) }
        let found = PointLabels.places(
            of: order.map { (shortened(front[$0].label), place(front[$0])) },
            among: points.map(place),
            width: x.length,
            height: y.length,
            atMost: mostLabels
        )
        var places = [PointLabels.Place?](repeating: nil, count: front.count)
        for (index, place) in zip(order, found) { places[index] = place }
        return places
    }

    /// Shortens a label to 35 characters, which are about 220 pixels.
    private static func shortened(_ label: String) -> String {
        label.count <= 35 ? label : label.prefix(34) + "…"
    }
}
