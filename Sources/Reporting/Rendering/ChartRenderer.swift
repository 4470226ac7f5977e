import Experiments
import ExternalPrograms
internal import Foundation

/// Draws the charts of a result directory through vl-convert, a Vega-Lite that needs neither browser nor network.
struct ChartRenderer {
    /// What came of it.
    struct Outcome: Hashable, Sendable {
        /// Pictures as SVG, by the names of their charts.
        var pictures: [String: String] = [:]
        /// What is missing, and what would mend it; nil when every chart was drawn.
        var problem: String?
    }

    /// A larger picture is left out of a page [bytes].
    private static let largestPicture = 1 << 27

    /// Told, in a line, when something will take a while.
    let tell: (String) -> Void

    /// Draws charts.
    ///
    /// - Parameters:
    ///   - specifications: Files named `NAME.vl.json`.
    ///   - keeping: A directory that keeps the pictures as `NAME.svg` and `NAME.png`; it is made if need be.
    /// - Throws: When that directory cannot be written.
    func render(_ specifications: [String], keeping directory: String? = nil) throws(RunDirectoryError) -> Outcome {
        guard !specifications.isEmpty else { return Outcome() }
        let scratch = directory == nil ? PrivateDirectory("freshet-charts") : nil
        defer { scratch?.remove() }
        guard let output = directory ?? scratch?.path else {
            throw .refused(
                step: "making a directory in",
                path: FileManager.default.temporaryDirectory.path,
                reason: "TMPDIR names another place"
            )
        }
        try RunDirectory.attempt("making the directory", output) {
            try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        }
        let python: String
        do {
            python = try PythonEnvironment.rendering.executable(tell: tell)
        } catch {
            return Outcome(problem: "\(error)")
        }
        let script = String(decoding: PackageResources.render_charts_py, as: UTF8.self)
        let paths = ([output] + specifications).map(PythonProgram.absolute)
        guard let process = PythonProgram(python, script: script, (directory == nil ? [] : ["--png"]) + paths).run()
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

    /// The name of a chart, from the path of its specification.
    static func name(_ path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.hasSuffix(Chart.fileSuffix) ? String(file.dropLast(Chart.fileSuffix.count)) : file
    }
}
