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
        let rows = sorted.flatMap { bar in
            [("first order: alone", bar.firstOrder), ("total: with interactions", bar.total)]
                .map { kind, index -> JSONValue in
                    let row: Values = [
                        "factor": .string(bar.factor), "series": .string(kind),
                        "index": .decimal(index.estimate, places: 6),
                    ]
                    return .object(row.merging(bounds(index.interval)) { $1 })
                }
        }
        return Chart(
            template: "sensitivity",
            name: name,
            title: title,
            subtitle: subtitle,
            [
                "rows": .array(rows), "factors": .strings(sorted.map(\.factor)),
                "height": .integer(Int64(max(1, sorted.count)) * 52),
            ]
        )
    }
}
