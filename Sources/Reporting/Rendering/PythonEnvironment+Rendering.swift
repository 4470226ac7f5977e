package import ExternalPrograms

extension PythonEnvironment {
    /// What draws charts: a Vega-Lite that needs no browser.
    package static let rendering = PythonEnvironment(
        name: "rendering",
        requirements: String(decoding: PackageResources.rendering_requirements_txt, as: UTF8.self),
        module: "vl_convert"
    )
}
