import ExternalPrograms
internal import Foundation

/// The JavaScript that draws charts in a browser: Vega, Vega-Lite and Vega-Embed as one file, made without a network.
///
/// It is a classic script that sets `window.vegaEmbed`, of some 0.9 MB. It carries no `</script>`, so it can stand within a
/// page.
public enum VegaRuntime {
    /// Why there is none.
    public struct Missing: Error, CustomStringConvertible {
        /// What went wrong, and what would mend it.
        public let description: String
    }

    /// The script.
    ///
    /// It lies beside the Python that makes it, and is made once.
    ///
    /// - Parameter tell: Told, in a line, when something will take a while.
    public static func javaScript(tell: (String) -> Void) throws(Missing) -> String {
        let (python, file): (String, String)
        do {
            python = try PythonEnvironment.rendering.executable(tell: tell)
            file = try PythonEnvironment.rendering.place() + ".js"
        } catch {
            throw Missing(description: error.description)
        }
        if let script = try? String(contentsOfFile: file, encoding: .utf8) { return script }
        // With a Python of the user's own there may be no place for it yet.
        let folder = URL(filePath: file).deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let program = String(decoding: PackageResources.render_charts_py, as: UTF8.self)
        guard let outcome = PythonProgram(python, script: program, ["--runtime", file]).run(), outcome.status == 0,
            let script = try? String(contentsOfFile: file, encoding: .utf8)
        else { throw Missing(description: "\(python) could not make \(file)") }
        return script
    }
}
