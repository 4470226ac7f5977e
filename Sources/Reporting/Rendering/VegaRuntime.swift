import ExternalPrograms
internal import Foundation

/// The JavaScript that draws charts in a browser: Vega, Vega-Lite and Vega-Embed as one file, built without a network.
///
/// It is a classic script of about 0.9 MB that sets `window.vegaEmbed`. It contains no `</script>`, so it can be
/// embedded in a page.
public enum VegaRuntime {
    /// The reason why the script is missing.
    public struct Missing: Error, CustomStringConvertible {
        /// The error and its remedy.
        public let description: String
    }

    /// The script.
    ///
    /// It is generated once, beside the Python environment that generates it.
    ///
    /// - Parameter notify: Called with a line of text if something will take a while.
    public static func javaScript(notify: (String) -> Void) throws(Missing) -> String {
        let (python, file): (String, String)
        do {
            python = try PythonEnvironment.rendering.executable(notify: notify)
            file = try PythonEnvironment.rendering.place() + ".js"
        } catch {
            throw Missing(description: error.description)
        }
        if let script = try? String(contentsOfFile: file, encoding: .utf8) { return script }
        // With the user's own Python, the directory may not exist yet.
        let folder = URL(filePath: file).deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard let outcome = PythonProgram(python, script: ChartRenderer.script, ["--runtime", file]).run(),
            outcome.status == 0,
            let script = try? String(contentsOfFile: file, encoding: .utf8)
        else { throw Missing(description: "\(python) could not make \(file)") }
        return script
    }
}
