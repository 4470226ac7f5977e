/// What is gained against what it costs.
extension Chart {
    /// A design point among others.
    public struct TradeOff: Hashable, Sendable {
        /// What stands beside the point, best the levels of its factors: `2m, 3 attempts`.
        public var label: String
        /// What it costs, along the horizontal axis; less is better.
        public var cost: Double
        /// What it brings, along the vertical axis; more is better.
        public var gain: Double
        /// The interval of the gain.
        public var gainInterval: ClosedRange<Double>?
        /// Whether no other point costs less and brings as much.
        public var isOnFront: Bool

        /// A point with its place.
        public init(
            label: String,
            cost: Double,
            gain: Double,
            gainInterval: ClosedRange<Double>? = nil,
            isOnFront: Bool
        ) {
            self.label = label
            self.cost = cost
            self.gain = gain
            self.gainInterval = gainInterval
            self.isOnFront = isOnFront
        }
    }

    /// More labels than this would hide each other.
    private static let mostLabels = 14

    /// The points of a sweep with those on the Pareto front marked, joined and labelled.
    ///
    /// Where the front has very many points every other one or fewer bear labels.
    ///
    /// - Parameters:
    ///   - name: The file's name without its suffix.
    ///   - title: What is to be seen, in a sentence of some 70 characters.
    ///   - subtitle: Of what, and what the intervals are.
    ///   - cost: The horizontal axis's title with its unit, say `pushes per activity`.
    ///   - gain: The vertical axis's title with its unit, say `fresh on phones [% of time]`.
    ///   - points: In any order; points whose numbers are not finite are left out.
    public static func pareto(
        name: String,
        title: String,
        subtitle: String,
        cost: String,
        gain: String,
        points: [TradeOff]
    ) -> Chart {
        let points = points.filter { $0.cost.isFinite && $0.gain.isFinite }
        let front = points.filter(\.isOnFront).sorted { ($0.cost, $0.gain, $0.label) < ($1.cost, $1.gain, $1.label) }
        let others = points.filter { !$0.isOnFront }
        let lowest = points.map(\.cost).min() ?? 0
        let highest = points.map(\.cost).max() ?? 1
        let stride = max(1, (front.count + mostLabels - 1) / mostLabels)
        func row(_ point: TradeOff, label: Bool) -> JSONValue {
            var row: [String: JSONValue] = [
                "cost": .decimal(point.cost, places: 6),
                "gain": .decimal(point.gain, places: 6),
                "series": point.isOnFront ? "on the Pareto front" : "dominated",
            ]
            if let interval = point.gainInterval {
                row["low"] = .decimal(interval.lowerBound, places: 6)
                row["high"] = .decimal(interval.upperBound, places: 6)
            }
            if label {
                // Labels of the right half stand to the left of their points, within the plot.
                let isRight = point.cost > (lowest + highest) / 2
                row[isRight ? "labelLeft" : "labelRight"] = .string(point.label)
            }
            return .object(row)
        }
        let frontRows = front.enumerated().map { index, point in row(point, label: index % stride == 0) }
        let rows = others.map { row($0, label: false) } + frontRows
        func axis(_ field: String, _ title: String) -> JSONValue {
            [
                "field": .string(field), "type": "quantitative", "scale": ["zero": false, "padding": 18],
                "axis": ["title": .string(title), "tickCount": 6],
            ]
        }
        let x = axis("cost", cost)
        let y = axis("gain", gain)
        let colour = colours([("on the Pareto front", .blue), ("dominated", .grey)])
        func labels(_ field: String, align: String, offset: Int64) -> [JSONValue] {
            let mark: [String: JSONValue] = [
                "type": "text", "align": .string(align), "baseline": "bottom", "dx": .integer(offset), "dy": -5,
                "fontSize": 11, "color": "#333333", "limit": 220,
            ]
            let halo: [String: JSONValue] = ["stroke": "white", "strokeWidth": 3, "strokeJoin": "round"]
            let encoding: JSONValue = ["x": x, "y": y, "text": ["field": .string(field), "type": "nominal"]]
            let data: JSONValue = ["values": .array(frontRows)]
            let known: JSONValue = [["filter": .string("isValid(datum.\(field))")]]
            return [
                ["data": data, "transform": known, "mark": .object(mark.merging(halo) { $1 }), "encoding": encoding],
                ["data": data, "transform": known, "mark": .object(mark), "encoding": encoding],
            ]
        }
        return Chart(
            name: name,
            title: title,
            subtitle: subtitle,
            height: 340,
            layers: [
                [
                    "data": ["values": .array(frontRows)],
                    "mark": [
                        "type": "line", "interpolate": "step-after", "color": .string(Colour.blue.rawValue),
                        "opacity": .decimal(0.5, places: 1),
                    ],
                    "encoding": ["x": x, "y": y],
                ],
                [
                    "data": ["values": .array(rows)],
                    "transform": [["filter": "isValid(datum.low)"]],
                    "mark": ["type": "rule", "strokeWidth": 1],
                    "encoding": ["x": x, "y": axis("low", gain), "y2": ["field": "high"], "color": colour],
                ],
                [
                    "data": ["values": .array(rows)],
                    "mark": ["type": "point", "filled": true, "size": 60, "opacity": 1],
                    "encoding": [
                        "x": x, "y": y, "color": colour,
                        // Told apart without colour too.
                        "shape": [
                            "field": "series", "type": "nominal",
                            "scale": [
                                "domain": ["on the Pareto front", "dominated"], "range": ["circle", "diamond"],
                            ],
                            "legend": ["title": .null, "orient": "top"],
                        ],
                    ],
                ],
            ] + labels("labelRight", align: "left", offset: 5) + labels("labelLeft", align: "right", offset: -5)
        )
    }
}
