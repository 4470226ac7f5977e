import Experiments

/// The points of a grid laid out along its factors: rows, columns and, with three factors, a sheet for each level of the
/// third.
///
/// Factors that are zipped count as one.
struct SweepGrid {
    /// A factor, or several that go together.
    struct Axis: Hashable {
        /// Its path; of several their paths.
        let title: String
        /// What its levels are called, in their order.
        let labels: [String]
    }

    let rows: Axis
    let columns: Axis
    /// The third factor; nil where there are two.
    let sheets: Axis?
    /// Where in the result the point of each combination of levels is: by row, column and sheet.
    private let places: [[Int]: Int]

    /// More sheets than these are too many to lay beside each other.
    private static let mostSheets = 6

    /// The grid of a result; nil for designs that are none, and for fewer than two or more than three factors.
    init?(_ result: SweepResult) {
        let groups = result.sweep.factors.groups
        guard result.sweep.factors.design == .grid, (2...3).contains(groups.count) else { return nil }
        let axes = groups.map(SweepGrid.axis)
        guard groups.count == 2 || axes[2].labels.count <= SweepGrid.mostSheets else { return nil }
        rows = axes[0]
        columns = axes[1]
        sheets = groups.count == 3 ? axes[2] : nil
        // The first factor of a group tells the level of all.
        let leaders = groups.map { group in
            (place: result.sweep.factors.vary.firstIndex { $0.path == group[0].path } ?? 0, labels: group[0].labels)
        }
        places = Dictionary(
            result.points.enumerated()
                .map { index, point in
                    (leaders.map { $0.labels.firstIndex(of: point.point.levels[$0.place].label) ?? 0 }, index)
                }
        ) { first, _ in first }
    }

    /// The place in the result of the point in a row and a column of a sheet; nil where a condition has left it out.
    func point(row: Int, column: Int, sheet: Int) -> Int? {
        places[sheets == nil ? [row, column] : [row, column, sheet]]
    }

    /// The sheets by number, with what is the same all over one: `sender.retry_budget = none`; empty for the only one.
    var sheetTitles: [String] {
        guard let sheets else { return [""] }
        return sheets.labels.map { "\(sheets.title) = \($0)" }
    }

    private static func axis(_ group: [Factor]) -> Axis {
        let labels = group.map(\.labels)
        return Axis(
            title: group.map(\.path).joined(separator: " + "),
            labels: labels[0].indices
                .map { level in
                    var names: [String] = []
                    for factor in labels where !names.contains(factor[level]) { names.append(factor[level]) }
                    return names.joined(separator: ", ")
                }
        )
    }
}
