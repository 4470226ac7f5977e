/// The files that pages share: reports, the studio, and the page of a load that runs.
public enum PageAssets {
    /// The style sheet: light or dark as the reader's system is, on paper too.
    ///
    /// Pictures are drawn for white paper. In the dark their few greys are replaced by name, as ``Chart`` sets them, and the
    /// one colour of series that is too dark for it.
    public static let style = String(decoding: PackageResources.page_css, as: UTF8.self)

    /// An ES module that draws charts by ``VegaRuntime`` and exports `mountChart(element, specification)`.
    public static let charts = String(decoding: PackageResources.charts_js, as: UTF8.self)
}
