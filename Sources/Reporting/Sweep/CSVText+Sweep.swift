import Experiments

/// The result files of a sweep.
extension CSVText {
    /// `points.csv`: a row for each design point: its levels, then each response with its interval.
    static func points(_ result: SweepResult) -> String {
        var csv = CSVText(
            header: ["point"] + result.sweep.factors.vary.map(\.path) + ["replications"]
                + result.responses.flatMap { [$0, "\($0)_ci_low", "\($0)_ci_high"] }
        )
        for point in result.points {
            csv.add(
                ["\(point.point.number)"] + point.point.levels.map(\.label) + ["\(result.sweep.replications)"]
                    + point.rows.flatMap { row in
                        [field(row?.value), field(row?.interval?.lowerBound), field(row?.interval?.upperBound)]
                    }
            )
        }
        return csv.text
    }

    /// `results.csv`: a row for each design point, replication and response.
    ///
    /// Equal replications of two points saw the same random world, so their difference is that of the levels.
    static func results(_ result: SweepResult) -> String {
        var csv = CSVText(header: ["point", "replication", "response", "unit", "value"])
        for point in result.points {
            for (replication, values) in point.replications.enumerated() {
                for (index, value) in values.enumerated() {
                    csv.add(
                        [
                            "\(point.point.number)", "\(replication)", result.responses[index], result.units[index],
                            field(value.told),
                        ]
                    )
                }
            }
        }
        return csv.text
    }
}
