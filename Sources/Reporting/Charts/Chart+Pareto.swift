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
        /// `true` for the present settings: today's.
        var isPresent = false
        /// The half-width of the cost's interval, in its unit; 0 for none.
        var costSpread = 0.0
    }

    /// The limits of a trade-off, drawn as dashed lines, in the units of its axes.
    struct TradeOffLimits {
        var gain: [Double] = []
        var cost: [Double] = []
    }

    /// The maximum number of labels for readability.
    private static let mostLabels = 14

    /// The height of the plot [px].
    private static let paretoHeight = 340.0

    /// Returns the points of a sweep, with limits, today's point and the Pareto front marked, joined and labelled.
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
        points: [TradeOff],
        limits: TradeOffLimits = TradeOffLimits()
    ) -> Chart {
        let points = points.filter { $0.cost.isFinite && $0.gain.isFinite }
        let front = points.filter(\.isOnFront).sorted { ($0.cost, $0.gain, $0.label) < ($1.cost, $1.gain, $1.label) }
        let named = merged(front + points.filter { $0.isPresent && !$0.isOnFront })
        // Costs whose differences may be due to chance are not drawn far apart.
        let costs = points.map(\.cost)
        let middle = ((costs.min() ?? 0) + (costs.max() ?? 0)) / 2
        let spread = (points.map(\.costSpread).max() ?? 0) / 2
        let x = PlotScale(
            costs + (spread > 0 ? [middle - spread, middle + spread] : []) + limits.cost,
            length: Double(width)
        )
        let y = PlotScale(
            points.flatMap { [$0.gain, $0.gainInterval?.lowerBound, $0.gainInterval?.upperBound].compactMap(\.self) }
                + limits.gain,
            length: paretoHeight
        )
        let places = labelPlaces(named, among: points, x, y)
        // The page of a phone has its own places.
        let narrowPlaces = labelPlaces(
            named,
            among: points,
            x.resized(to: Double(narrowWidth)),
            y
        )
        func row(_ point: TradeOff, label: String? = nil, isNarrow: Bool = false) -> JSONValue {
            var row: [String: JSONValue] = [
                "cost": .decimal(point.cost, places: 6), "gain": .decimal(point.gain, places: 6),
                "series": point.isPresent ? "today" : point.isOnFront ? "on the Pareto front" : "dominated",
            ]
            row["label"] = label.map { .string($0) }
            if isNarrow { row["narrow"] = true }
            return .object(row.merging(bounds(point.gainInterval)) { $1 })
        }
        let frontRows = front.map { row($0) }
        let rows = points.filter { !$0.isOnFront }.map { row($0) } + frontRows
        func labels(_ place: PointLabels.Place) -> JSONValue {
            .array(
                zip(named, places).filter { $1 == place }.map { row($0.0, label: text($0.0)) }
                    + zip(named, narrowPlaces).filter { $1 == place }
                    .map { row($0.0, label: text($0.0), isNarrow: true) }
            )
        }
        let hasPresent = points.contains { $0.isPresent }
        let shapes = ["circle", "diamond"] + (hasPresent ? ["square"] : [])
        return Chart(
            template: "pareto",
            name: name,
            title: title,
            subtitle: subtitle,
            [
                "cost": .string(cost), "costs": x.domain, "gain": .string(gain), "gains": y.domain,
                "front": .array(frontRows), "rows": .array(rows), "shapes": .strings(shapes),
                "gainLimits": .array(limits.gain.map { ["gain": .decimal($0, places: 6)] }),
                "costLimits": .array(limits.cost.map { ["cost": .decimal($0, places: 6)] }),
            ],
            series(
                [("on the Pareto front", .blue), ("dominated", .grey)] + (hasPresent ? [("today", .vermillion)] : [])
            ),
            Dictionary(PointLabels.Place.allCases.map { ($0.rawValue, labels($0)) }) { $1 }
        )
    }

    /// The width of the plot on a phone [px].
    private static let narrowWidth = 270

    /// Returns points with those of the same values as one, whose label states their number.
    private static func merged(_ points: [TradeOff]) -> [TradeOff] {
        var merged: [(point: TradeOff, others: Int)] = []
        for point in points {
            if let last = merged.indices.last, merged[last].point.cost == point.cost,
                merged[last].point.gain == point.gain
            {
                if point.isPresent { merged[last].point = point }
                merged[last].others += 1
            } else {
                merged.append((point, 0))
            }
        }
        return merged.map { point, others in
            var point = point
            if others > 0 { point.label += " and \(others) equal" }
            return point
        }
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
        func priority(_ index: Int) -> Int { front[index].isPresent ? -1 : rank(index) }
        let order = front.indices.sorted { (priority($0), $0) < (priority($1), $1) }
        let found = PointLabels.places(
            of: order.map { (text(front[$0]), place(front[$0])) },
            among: points.map(place),
            width: x.length,
            height: y.length,
            atMost: mostLabels
        )
        var places = [PointLabels.Place?](repeating: nil, count: front.count)
        for (index, place) in zip(order, found) { places[index] = place }
        return places
    }

    private static func text(_ point: TradeOff) -> String {
        shortened(point.isPresent ? "today: \(point.label)" : point.label)
    }

    /// Shortens a label to 35 characters, which are about 220 pixels.
    private static func shortened(_ label: String) -> String {
        label.count <= 35 ? label : label.prefix(34) + "…"
    }
}
