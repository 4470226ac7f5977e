import TextFormats

/// Which factor matters.
extension Chart {
    /// A factor's share of a response's variance, by Sobol's indices.
    public struct SensitivityBar: Hashable, Sendable {
        /// An estimate with its interval.
        public struct Index: Hashable, Sendable {
            /// The estimate, as a part of 1; estimates may lie a little outside of 0 to 1.
            public var estimate: Double
            /// Its interval.
            public var interval: ClosedRange<Double>?

            /// An estimate with its interval.
            public init(_ estimate: Double, interval: ClosedRange<Double>? = nil) {
                self.estimate = estimate
                self.interval = interval
            }
        }

        /// The factor.
        public var factor: String
        /// What it does alone.
        public var firstOrder: Index
        /// What it does alone and with others.
        public var total: Index

        /// A factor with its indices.
        public init(factor: String, firstOrder: Index, total: Index) {
            self.factor = factor
            self.firstOrder = firstOrder
            self.total = total
        }
    }

    /// Bars of first-order and total sensitivity indices with their intervals, the most important factor on top.
    ///
    /// Factors of equal total keep the order in which they are given.
    ///
    /// - Parameters:
    ///   - name: The file's name without its suffix.
    ///   - title: What is to be seen, in a sentence of some 70 characters.
    ///   - subtitle: Of which response, from how many evaluations, what the intervals are.
    ///   - bars: One for each factor.
    public static func sensitivity(name: String, title: String, subtitle: String, bars: [SensitivityBar]) -> Chart {
        let sorted = bars.enumerated()
            .sorted { ($1.element.total.estimate, $0.offset) < ($0.element.total.estimate, $1.offset) }
            .map(\.element)
        let kinds = [("first order: alone", Colour.skyBlue), ("total: with others too", Colour.blue)]
        let rows = sorted.flatMap { bar in
            zip(kinds, [bar.firstOrder, bar.total])
                .map { kind, index -> JSONValue in
                    var row: [String: JSONValue] = [
                        "factor": .string(bar.factor), "series": .string(kind.0),
                        "index": .decimal(index.estimate, places: 6),
                    ]
                    if let interval = index.interval {
                        row["low"] = .decimal(interval.lowerBound, places: 6)
                        row["high"] = .decimal(interval.upperBound, places: 6)
                    }
                    return .object(row)
                }
        }
        let y: JSONValue = [
            "field": "factor", "type": "nominal", "sort": .array(sorted.map { .string($0.factor) }),
            "axis": ["title": .null, "labelLimit": 300, "ticks": false],
            "scale": ["paddingInner": .decimal(0.3, places: 1)],
        ]
        let offset: JSONValue = [
            "field": "series", "type": "nominal", "sort": .array(kinds.map { .string($0.0) }),
        ]
        let axis: JSONValue = ["title": "share of the response's variance", "tickCount": 6]
        return Chart(
            name: name,
            title: title,
            subtitle: subtitle,
            titleFrame: "bounds",
            body: [
                "width": .integer(width - 220),
                "height": .integer(Int64(max(1, sorted.count)) * 52),
                "data": ["values": .array(rows)],
                "encoding": ["y": y, "yOffset": offset],
                "layer": [
                    [
                        "mark": ["type": "bar"],
                        "encoding": [
                            "x": ["field": "index", "type": "quantitative", "axis": axis],
                            "color": colours(kinds.map { ($0.0, $0.1) }),
                        ],
                    ],
                    [
                        "transform": [["filter": "isValid(datum.low)"]],
                        "mark": ["type": "rule", "strokeWidth": 2, "color": "#333333"],
                        "encoding": [
                            "x": ["field": "low", "type": "quantitative", "axis": axis], "x2": ["field": "high"],
                        ],
                    ],
                ],
            ]
        )
    }
}
