import TextFormats

/// What each factor does by itself.
extension Chart {
    /// A factor's levels with the mean response at each, over all levels of the others.
    public struct MainEffect: Hashable, Sendable {
        /// A level.
        public struct Level: Hashable, Sendable {
            /// The level as it is written on the axis.
            public var label: String
            /// The mean response.
            public var mean: Double
            /// Its interval.
            public var interval: ClosedRange<Double>?

            /// A level with its response.
            public init(label: String, mean: Double, interval: ClosedRange<Double>? = nil) {
                self.label = label
                self.mean = mean
                self.interval = interval
            }
        }

        /// The factor.
        public var factor: String
        /// Its levels, ascending.
        public var levels: [Level]

        /// A factor with its levels.
        public init(factor: String, levels: [Level]) {
            self.factor = factor
            self.levels = levels
        }
    }

    /// Small plots beside each other, one for each factor, all with the same vertical axis: the steeper, the more it does.
    ///
    /// - Parameters:
    ///   - name: The file's name without its suffix.
    ///   - title: What is to be seen, in a sentence of some 70 characters.
    ///   - subtitle: Of what, and what the intervals are.
    ///   - response: The response's name with its unit.
    ///   - effects: One for each factor, in the order of showing.
    ///   - leastSpan: How far the vertical axis reaches at the least, in the response's unit: what chance alone may do.
    public static func mainEffects(
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
        // A response that nothing moves has no range to be drawn in.
        let margin = high > low ? (high - low) * 0.05 : 0.5
        let scale: JSONValue = [
            "domain": [.decimal(low - margin, places: 6), .decimal(high + margin, places: 6)], "nice": false,
            "zero": false,
        ]
        let columns = min(3, max(1, effects.count))
        let plots = effects.enumerated()
            .map { index, effect -> JSONValue in
                let rows = effect.levels.map { level -> JSONValue in
                    var row: [String: JSONValue] = [
                        "level": .string(level.label), "mean": .decimal(level.mean, places: 6),
                    ]
                    if let interval = level.interval {
                        row["low"] = .decimal(interval.lowerBound, places: 6)
                        row["high"] = .decimal(interval.upperBound, places: 6)
                    }
                    return .object(row)
                }
                let isFirst = index % columns == 0
                func y(_ field: String) -> JSONValue {
                    [
                        "field": .string(field), "type": "quantitative", "scale": scale,
                        "axis": isFirst
                            ? ["title": .string(response), "tickCount": 5]
                            : ["title": .null, "labels": false, "ticks": false, "tickCount": 5],
                    ]
                }
                let blue: JSONValue = .string(Colour.blue.rawValue)
                let plotWidth = (width - 20 * Int64(columns - 1)) / Int64(columns)
                let labels = effect.levels.map(\.label)
                // A letter takes some 7 px.
                let isCrowded = Int64(labels.reduce(0) { $0 + $1.count + 2 }) * 7 > plotWidth
                return [
                    "width": .integer(plotWidth),
                    "height": 180,
                    "data": ["values": .array(rows)],
                    "encoding": [
                        "x": ordinal("level", effect.factor, labels, isSlanted: isCrowded && labels.count <= 12)
                    ],
                    "layer": [
                        [
                            "transform": [["filter": "isValid(datum.low)"]],
                            "mark": ["type": "rule", "strokeWidth": 2, "color": blue],
                            "encoding": ["y": y("low"), "y2": ["field": "high"]],
                        ],
                        [
                            "mark": [
                                "type": "line", "color": blue, "point": ["filled": true, "size": 45, "color": blue],
                            ],
                            "encoding": ["y": y("mean")],
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
