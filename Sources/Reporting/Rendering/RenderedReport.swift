internal import Foundation
import InputFiles
import Shell
import TextFormats

/// `report.html` of a result directory: its `report.md` with every chart drawn.
///
/// It works for all results with a `report.md` and specifications in `charts/`. It is rendered from the other files, so
/// it is never compared.
struct RenderedReport: Hashable, Sendable {
    /// The file's name.
    static let fileName = "report.html"

    /// The reason why charts are missing, with a remedy; nil if all are present.
    let problem: String?

    /// Renders the report of a result directory into it.
    ///
    /// Without Python or a network the report has only its tables, and a notice says so.
    ///
    /// - Parameters:
    ///   - directory: The directory with `report.md` and `charts`.
    ///   - isStatic: `true` for static images; otherwise the page draws its charts if possible.
    ///   - pictures: A directory for each chart as `NAME.svg` and `NAME.png`; nil for none.
    ///   - notify: Called with a line of text if something will take a while.
    /// - Throws: ``RunDirectoryError/missing(path:)`` if there is no `report.md`.
    static func write(
        _ directory: String,
        isStatic: Bool,
        pictures: String? = nil,
        notify: @escaping (String) -> Void = { _ in }
    ) throws(RunDirectoryError) -> RenderedReport {
        let bytes = try RunDirectory.contents(of: directory + "/report.md")
        let blocks = Block.blocks(of: String(decoding: bytes, as: UTF8.self))
        let charts = directory + "/charts"
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: charts)) ?? [])
            .filter { $0.hasSuffix(Chart.fileSuffix) }.sorted()
        let paths = names.map { charts + "/" + $0 }.filter { (try? InputFile($0)) != nil }
        let path = directory + "/" + fileName
        let outcome = try ChartRenderer(notify: notify).render(paths, keeping: pictures)
        let report = HTMLReport(
            blocks: blocks,
            figures: paths.map { figure(path: $0, svg: outcome.pictures[ChartRenderer.name($0)]) },
            notice: outcome.problem.map { "Charts are missing from this page: \($0). \(remedy)" },
            // Without the script the page has images; if these are missing too, the notice says why.
            runtime: isStatic || paths.isEmpty ? nil : try? VegaRuntime.javaScript(notify: notify)
        )
        try RunDirectory.attempt("writing", path) {
            try Data(report.text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        }
        let linked = blocks.compactMap { if case .chart(_, let path) = $0 { path } else { nil } }
        let absent = Set(linked).subtracting(names.map { "charts/\($0)" }).count
        let lack =
            "\(charts) lacks \(absent.counted("chart file", "chart files")); repeat the command that wrote the "
            + "results, such as `freshet run`"
        return RenderedReport(problem: outcome.problem ?? (absent > 0 ? lack : nil))
    }

    /// Renders the report, and prints a line on standard error if something will take a while.
    static func write(
        _ directory: String,
        isStatic: Bool = false,
        pictures: String? = nil,
        quiet: Bool
    ) throws(RunDirectoryError) -> RenderedReport {
        try write(directory, isStatic: isStatic, pictures: pictures) { line in if !quiet { printError(line) } }
    }

    /// Prints the report's path, and what is missing on standard error.
    ///
    /// - Parameter directory: The final directory of the report.
    func tell(in directory: String, quiet: Bool) {
        let path = directory + "/" + Self.fileName
        if let problem { printError("\(path): charts are missing: \(problem)") }
        if !quiet { print("Report: \(path)") }
    }

    /// The remedy for missing charts.
    private static let remedy =
        "Run `freshet report` again on this directory with Python 3 and, the first time, network access; "
        + "or set FRESHET_PYTHON to a Python that has vl-convert-python."

    /// Returns the texts of a chart from its specification.
    static func figure(path: String, svg: String?) -> HTMLReport.Figure {
        let name = ChartRenderer.name(path)
        let bytes = (try? RunDirectory.contents(of: path)) ?? []
        let specification = try? JSONMembers(bytes)
        let title = specification?["title"]?.members
        return HTMLReport.Figure(
            name: name,
            title: text(title?["text"]) ?? name,
            detail: specification?["description"]?.text ?? text(title?["subtitle"]) ?? "",
            svg: svg,
            specification: String(decoding: bytes, as: UTF8.self)
        )
    }

    /// Returns a text that its specification has on one line or on several.
    private static func text(_ value: JSONMembers.Value?) -> String? {
        value?.text ?? value?.elements?.compactMap(\.text).joined(separator: " ")
    }
}

extension RunFiles {
    /// The report as HTML for embedding in a page, its charts as specifications for the page to draw.
    public var reportBody: String {
        let figures = files.filter { $0.path.hasSuffix(Chart.fileSuffix) }
            .map { file in
                HTMLReport.Figure(
                    name: ChartRenderer.name(file.path),
                    title: ChartRenderer.name(file.path),
                    svg: "",
                    specification: file.text
                )
            }
        return HTMLReport(blocks: report, figures: figures, runtime: "").body
    }
}

/// Renders a report and prints its path; prints what is missing on standard error.
///
/// - Parameter isStatic: `true` for a page with static images and without a script.
public func renderReport(_ directory: String, isStatic: Bool = false, pictures: String? = nil, quiet: Bool) throws {
    let report = try orExit {
        try RenderedReport.write(directory, isStatic: isStatic, pictures: pictures, quiet: quiet)
    }
    report.tell(in: directory, quiet: quiet)
}
