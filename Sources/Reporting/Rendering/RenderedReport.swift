import Experiments
internal import Foundation
import TextFormats

/// `report.html` of a result directory: its `report.md` with every chart drawn.
///
/// It works alike for all results with a `report.md` and specifications in `charts/`. It is rendered from the rest, so
/// nothing compares it.
struct RenderedReport: Hashable, Sendable {
    /// The file's name.
    static let fileName = "report.html"

    /// Why charts are missing, and what would mend it; nil when all are there.
    let problem: String?

    /// Renders the report of a result directory into it.
    ///
    /// Without Python or a network the report is written with its tables alone, and says so.
    ///
    /// - Parameters:
    ///   - directory: Where `report.md` and `charts` are.
    ///   - isStatic: Whether charts stay pictures; else the page draws them itself, where it can.
    ///   - pictures: A directory that is to keep each chart as `NAME.svg` and `NAME.png` too.
    ///   - tell: Told, in a line, when something will take a while.
    /// - Throws: ``RunDirectoryError/missing(path:)`` when there is no `report.md`.
    static func write(
        _ directory: String,
        isStatic: Bool,
        pictures: String? = nil,
        tell: @escaping (String) -> Void = { _ in }
    ) throws(RunDirectoryError) -> RenderedReport {
        let source = directory + "/report.md"
        let bytes = try RunDirectory.contents(of: source)
        let charts = directory + "/charts"
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: charts)) ?? [])
            .filter { $0.hasSuffix(Chart.fileSuffix) }.sorted()
        let paths = names.map { charts + "/" + $0 }.filter { (try? InputFile($0)) != nil }
        let path = directory + "/" + fileName
        let outcome = try ChartRenderer(tell: tell).render(paths, keeping: pictures)
        let report = HTMLReport(
            markdown: String(decoding: bytes, as: UTF8.self),
            figures: paths.map { figure(path: $0, svg: outcome.pictures[ChartRenderer.name($0)]) },
            notice: outcome.problem.map { "Charts are missing from this page: \($0). \(remedy)" },
            // Without it there are pictures, or else the notice says why not.
            runtime: isStatic || paths.isEmpty ? nil : try? VegaRuntime.javaScript(tell: tell)
        )
        try RunDirectory.attempt("writing", path) {
            try Data(report.text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        }
        return RenderedReport(problem: outcome.problem)
    }

    /// Renders the report, and says on standard error when something will take a while.
    static func write(
        _ directory: String,
        isStatic: Bool = false,
        pictures: String? = nil,
        quiet: Bool
    ) throws(RunDirectoryError) -> RenderedReport {
        try write(directory, isStatic: isStatic, pictures: pictures) { line in if !quiet { printError(line) } }
    }

    /// Says where it is, and on standard error what is missing from it.
    ///
    /// - Parameter directory: Where it is by now.
    func tell(in directory: String, quiet: Bool) {
        let path = directory + "/" + Self.fileName
        if let problem { printError("\(path): charts are missing: \(problem)") }
        if !quiet { print("Report: \(path)") }
    }

    /// What mends a report without charts.
    private static let remedy =
        "Run `freshet report` again on this directory with Python 3 and, the first time, a network; "
        + "or set FRESHET_PYTHON to a Python that has vl-convert-python."

    /// The texts of a chart, from its specification.
    private static func figure(path: String, svg: String?) -> HTMLReport.Figure {
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

    /// A text that stands on one line, or on several.
    private static func text(_ value: JSONMembers.Value?) -> String? {
        value?.text ?? value?.elements?.compactMap(\.text).joined(separator: " ")
    }
}

extension RunFiles {
    /// The report as HTML that stands within a page, its charts as specifications that the page draws; empty without one.
    public var reportBody: String {
        guard let report = files.first(where: { $0.path == "report.md" }) else { return "" }
        let figures = files.filter { $0.path.hasSuffix(Chart.fileSuffix) }
            .map { file in
                HTMLReport.Figure(
                    name: ChartRenderer.name(file.path),
                    title: ChartRenderer.name(file.path),
                    svg: "",
                    specification: file.text
                )
            }
        return HTMLReport(markdown: report.text, figures: figures, runtime: "").body
    }
}

/// Renders a report and says where it is; tells on standard error what is missing from it.
///
/// - Parameter isStatic: Whether charts stay pictures, and the page holds no script.
public func renderReport(_ directory: String, isStatic: Bool = false, pictures: String? = nil, quiet: Bool) throws {
    let report = try orExit {
        try RenderedReport.write(directory, isStatic: isStatic, pictures: pictures, quiet: quiet)
    }
    report.tell(in: directory, quiet: quiet)
}
