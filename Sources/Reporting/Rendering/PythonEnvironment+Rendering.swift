package import ExternalPrograms

extension PythonEnvironment {
    /// The environment that draws charts: a Vega-Lite renderer that needs no browser.
    package static let rendering = PythonEnvironment(
        name: "rendering",
        requirements: String(decoding: PackageResources.rendering_requirements_txt, as: UTF8.self),
        module: "vl_convert"
    )
}
