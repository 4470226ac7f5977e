import CEmbeddedFiles
package import ExternalPrograms

extension PythonEnvironment {
    /// The environment that draws charts: a Vega-Lite renderer that needs no browser.
    package static let rendering = PythonEnvironment(
        name: "rendering",
        requirements: String(cString: embedded_text("rendering_requirements.txt")),
        module: "vl_convert"
    )
}
