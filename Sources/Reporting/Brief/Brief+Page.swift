import CEmbeddedFiles
internal import Foundation

extension Brief {
    /// Writes the page, which needs no network and prints on one sheet.
    ///
    /// - Parameter notify: Called with a line of text if something will take a while.
    /// - Returns: The reason why the chart is missing, with a remedy; nil if it is there.
    /// - Throws: ``RunDirectoryError`` if the file cannot be written.
    public func write(
        _ path: String,
        _ options: Options,
        notify: @escaping (String) -> Void = { _ in }
    ) throws(RunDirectoryError) -> String? {
        var figures: [HTMLReport.Figure] = []
        var problem: String?
        if let chart {
            let (figure, reason) = try chart.figure(notify: notify)
            figures = [figure]
            problem = reason
        }
        let report = HTMLReport(
            blocks: blocks(options),
            figures: figures,
            notice: problem.map { "The chart is missing from this page: \($0)." },
            style: String(cString: embedded_text("brief.css")),
            hasNavigation: false
        )
        let text = report.text
        try RunDirectory.attempt("writing", path) {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        }
        return problem
    }
}

extension Chart {
    /// A chart of results, with its place in a report.
    struct Recorded: Sendable {
        /// The chart's statement.
        let title: String
        /// The path that the report links to.
        let path: String
        /// The specification.
        let text: String

        /// Reads the first of some charts that a directory has; nil if it has none.
        ///
        /// - Parameter names: Prefixes of names, the preferred one first.
        init?(in directory: String, preferring names: [String]) {
            let folder = directory + "/charts"
            let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
                .filter { $0.hasSuffix(Chart.fileSuffix) }.sorted()
            let found = names.lazy.compactMap { name in files.first { $0.hasPrefix(name) } }.first
            guard let found, let bytes = try? RunDirectory.contents(of: "\(folder)/\(found)") else { return nil }
            title = ChartRenderer.name(found)
            path = "charts/\(found)"
            text = String(decoding: bytes, as: UTF8.self)
        }

        init(_ chart: Chart) {
            (title, path, text) = (chart.name, chart.path, chart.text)
        }

        /// Draws the chart.
        func figure(notify: @escaping (String) -> Void) throws(RunDirectoryError) -> (HTMLReport.Figure, String?) {
            let scratch = FileManager.default.temporaryDirectory.path + "/freshet-brief-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: scratch) }
            let file = "\(scratch)/\(ChartRenderer.name(path))\(Chart.fileSuffix)"
            let specification = text
            try RunDirectory.attempt("writing", file) {
                try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
                try Data(specification.utf8).write(to: URL(fileURLWithPath: file))
            }
            let outcome = try ChartRenderer(notify: notify).render([file])
            let svg = outcome.pictures[ChartRenderer.name(file)]
            return (RenderedReport.figure(path: file, svg: svg), outcome.problem)
        }
    }
}
