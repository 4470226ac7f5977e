import LiveActivityModel
public import Results
import Shell
import TextFormats

/// A comparison as a directory: `report.md`, a chart with both timelines, and `report.html`.
public struct ComparisonPage {
    private let comparison: ResultComparison
    private let report: ComparisonReport

    /// Creates the page of a comparison.
    public init(_ comparison: ResultComparison) {
        self.comparison = comparison
        report = ComparisonReport(comparison)
    }

    /// Writes the directory with its page in one step.
    ///
    /// If that fails, the previous contents stay.
    ///
    /// - Throws: The exit code if the directory holds something else, or an error about the files of the results.
    public func write(to directory: String, quiet: Bool = false) throws {
        let charts = try charts
        let mark: JSONValue = [
            "comparison_id": .string("\(report.sides.first.id)-\(report.sides.second.id)"), "schema_version": 1,
        ]
        let files = RunFiles(report: try blocks(charts), [("comparison.json", mark.text)], charts: charts)
        let place = RunDirectory(path: directory, content: .comparison)
        try orExit {
            var rendered: RenderedReport?
            try place.write(files) { (directory) throws(RunDirectoryError) in
                rendered = try RenderedReport.write(directory, quiet: quiet)
            }
            rendered?.tell(in: place.path, quiet: quiet)
        }
    }

    /// The timelines of both, in one chart.
    private var charts: [Chart] {
        get throws {
            let (first, second) = (comparison.first, comparison.second)
            // The charts of the run's own report are of all rides together.
            if report.isOfCohorts { return [] }
            if first.isSweep { return Chart.differences(comparison) }
            let names = comparison.options.names
            if first.isLoad { return try Chart.overlays(base: first, changed: second, names: names) }
            return [try Chart.overlay(base: first, changed: second, names: names)].compactMap(\.self)
        }
    }

    /// The headline numbers with their verdicts.
    private var tiles: [HeadlineTile] {
        get throws {
            if comparison.first.isSweep || report.isOfCohorts { return [] }
            if comparison.first.isLoad { return HeadlineTile.tiles(of: comparison) }
            return try HeadlineTile.tiles(
                of: comparison.second,
                against: comparison.first,
                options: comparison.options,
                as: comparison.metrics
            )
        }
    }

    /// Returns the page: the verdict, the two results, the headline numbers, the timelines and every
    /// metric.
    private func blocks(_ charts: [Chart]) throws -> [Block] {
        let names = [report.sides.first.name, report.sides.second.name]
        let title = names[0] == names[1] ? names[0] : "\(names[0]) and \(names[1])"
        let tiles = try tiles
        let listed = Set(report.listed.map(\.response))
        let others = tiles.filter { !listed.contains($0.metric) }
        return [Block](
            Block.heading(1, "Comparison of \(title)"),
            comparison.noteOnVersions,
            report.sentence(with: others),
            report.subject,
            tiles.isEmpty
                ? nil
                : "The headline of \(comparison.options.names.second), with the change from \(comparison.options.names.first):",
            HeadlineTile.tables(tiles) { "\($0.change) \(Self.said(of: $0))" },
            charts
        ) + .section("Every metric", report.verdictsFirst.details)
    }

    /// Returns the verdict of a number in the words of a tile, with the reason if there is no verdict.
    static func said(of tile: HeadlineTile) -> String {
        let verdict = (tile.verdict?.onTile ?? "") + (tile.mayBeChance ? ", may be chance" : "")
        if tile.verdict == .undefined, !tile.reason.isEmpty { return tile.reason }
        return tile.reason.isEmpty ? verdict : "\(verdict): \(tile.reason)"
    }
}

extension ComparisonReport {
    /// The comparison with the metrics that differ first.
    fileprivate var verdictsFirst: ComparisonReport {
        var report = self
        // Metrics of one verdict keep their order.
        report.listed = listed.enumerated().sorted { ($0.element.order, $0.offset) < ($1.element.order, $1.offset) }
            .map(\.element)
        return report
    }

    /// Returns the verdict in Markdown, including headline numbers that are not among the metrics.
    ///
    /// It begins with a tick for better and a cross for worse, or without a mark for a trade-off.
    func sentence(with tiles: [HeadlineTile]) -> String {
        func named(_ isOne: (HeadlineTile) -> Bool) -> [String] { tiles.filter(isOne).map(\.metric) }
        let lost = named { $0.verdict == .undefined && $0.reason == HeadlineTile.noData }
        let rest = lost.isEmpty ? "" : "; no data: \(lost.joined(separator: ", "))"
        let (better, worse) = (named { $0.verdict == .better }, named { $0.verdict == .worse })
        let hasBetter = !better.isEmpty || [.better, .trade].contains(comparison.verdict)
        let hasWorse = !worse.isEmpty || [.worse, .trade].contains(comparison.verdict)
        let mark = hasBetter == hasWorse ? "" : hasBetter ? "✓ " : "✗ "
        return
            "\(mark)**\(verdict(besides: better, worse: worse, mayBeChance: tiles.contains(where: \.mayBeChance)))\(rest).**"
    }
}

extension MetricComparison.Verdict {
    /// The verdict in the few words that fit on a tile.
    fileprivate var onTile: String {
        switch self {
        case .better: "better"
        case .worse: "worse"
        case .higher: "higher"
        case .lower: "lower"
        case .same: ""
        case .withinNoise: "within the noise"
        case .unsure: "not sure"
        case .otherBasis: "no verdict"
        case .notMeasured: "not measured"
        case .undefined: "no data"
        }
    }
}

extension MetricComparison {
    /// The rank of the verdict in a table that begins with the most important rows.
    fileprivate var order: Int {
        switch verdict {
        case .worse: 0
        case .better: 1
        case .higher, .lower: 2
        case .unsure: 3
        case .otherBasis, .notMeasured: 4
        case .withinNoise: 5
        case .same: 6
        case .undefined: 7
        }
    }
}
