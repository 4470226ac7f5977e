import CEmbeddedFiles
import ExternalPrograms
internal import Foundation
import InputFiles

/// Draws the charts of a result directory with vl-convert, a Vega-Lite renderer that needs neither browser nor network.
struct ChartRenderer {
    /// The outcome of drawing.
    struct Outcome: Hashable, Sendable {
        /// SVG images by chart name.
        var pictures: [String: String] = [:]
        /// The missing part and its remedy; nil if every chart was drawn.
        var problem: String?
    }

    /// The program in Python that draws.
    static let script = String(cString: embedded_text("render_charts.py"))

    /// A larger picture is left out of a page [bytes].
    private static let largestPicture = 1 << 27

    /// Called with a line of text if something will take a while.
    let notify: (String) -> Void

    /// Draws charts.
    ///
    /// - Parameters:
    ///   - specifications: Files named `NAME.vl.json`.
    ///   - keeping: A directory for the images `NAME.svg` and `NAME.png`; it is created if needed.
    /// - Throws: An error if that directory cannot be written.
    func render(_ specifications: [String], keeping directory: String? = nil) throws(RunDirectoryError) -> Outcome {
        guard !specifications.isEmpty else { return Outcome() }
        let scratch = directory == nil ? PrivateDirectory("freshet-charts") : nil
        defer { scratch?.remove() }
        guard let output = directory ?? scratch?.path else {
            throw .refused(
                step: "making a directory in",
                path: FileManager.default.temporaryDirectory.path,
                reason: "check TMPDIR"
            )
        }
        try RunDirectory.attempt("making the directory", output) {
            try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        }
        let python: String
        do {
            python = try PythonEnvironment.rendering.executable(notify: notify)
        } catch {
            return Outcome(problem: "\(error)")
        }
        let paths = ([output] + specifications).map(PythonProgram.absolute)
        guard
            let process = PythonProgram(python, script: Self.script, (directory == nil ? [] : ["--png"]) + paths).run()
        else { return Outcome(problem: "\(python) cannot be run") }
        var outcome = Outcome()
        for name in specifications.map(ChartRenderer.name) {
            if let bytes = try? InputFile.bytes(of: "\(output)/\(name).svg", limit: Self.largestPicture) {
                outcome.pictures[name] = String(decoding: bytes, as: UTF8.self)
            }
        }
        if process.status != 0 {
            outcome.problem = process.text.split(separator: "\n").last.map(String.init) ?? "\(python) was stopped"
        }
        return outcome
    }

    /// Returns the name of a chart from the path of its specification.
    static func name(_ path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.hasSuffix(Chart.fileSuffix) ? String(file.dropLast(Chart.fileSuffix.count)) : file
    }
}
