import ScenarioLanguage
import Studies
import TextFormats

/// The points of a grid laid out along its factors: rows, columns and, with three factors, a sheet for each level of
/// the third.
///
/// Zipped factors count as one.
struct SweepGrid {
    /// A factor, or a group of zipped factors.
    struct Axis: Hashable {
        /// The path of the factor, or the paths of the group.
        let title: String
        /// The labels of its levels, in order.
        let labels: [String]
    }

    let rows: Axis
    let columns: Axis
    /// The third factor; nil if there are two.
    let sheets: Axis?
    /// The index in the result of each combination's point, by row, column and sheet.
    private let places: [[Int]: Int]

    /// The largest number of sheets that fit beside each other.
    private static let mostSheets = 6

    /// Creates the grid of a result; nil for designs that are not grids, and for fewer than two or more than three
    /// factors.
    init?(_ result: SweepResult) {
        let groups = result.sweep.factors.groups
        guard result.sweep.factors.design == .grid, (2...3).contains(groups.count) else { return nil }
        let axes = groups.map(SweepGrid.axis)
        guard groups.count == 2 || axes[2].labels.count <= SweepGrid.mostSheets else { return nil }
        rows = axes[0]
        columns = axes[1]
        sheets = groups.count == 3 ? axes[2] : nil
        // The first factor of a group determines the level of all.
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

    /// Returns the index in the result of the point in a row and a column of a sheet; nil if a condition left it out.
    func point(row: Int, column: Int, sheet: Int) -> Int? {
        places[sheets == nil ? [row, column] : [row, column, sheet]]
    }

    /// The titles of the sheets, in order, with their common level: `sender.retry_budget = none`; empty for a single
    /// sheet.
    var sheetTitles: [String] {
        guard let sheets else { return [""] }
        return sheets.labels.map { "\(sheets.title) = \($0)" }
    }

    private static func axis(_ group: [Factor]) -> Axis {
        let labels = group.map(\.labels)
        return Axis(
            title: group.map(\.path).joined(separator: " + "),
            labels: labels[0].indices
                .map { level in labels.map { $0[level] }.unique.joined(separator: ", ") }
        )
    }
}
