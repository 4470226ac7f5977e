import CEmbeddedFiles
import Shell

/// The files shared by pages: reports, the studio and the page of a running load.
public enum PageAssets {
    /// The style sheet, light or dark as set in the reader's system, also for print.
    ///
    /// Charts are drawn for white paper. In dark mode the style sheet replaces their few greys, as ``Chart`` sets them,
    /// and the one series colour that is too dark.
    public static let style = String(cString: embedded_text("page.css"))

    /// An ES module that draws charts with ``VegaRuntime`` and exports `mountChart(element, specification)`.
    public static let charts = String(cString: embedded_text("charts.js"))

    /// Returns the files that a live page loads: style sheet, charts and the chart library.
    ///
    /// If the library is not available, this prints why, and its file is empty.
    public static func served() -> [(path: String, text: String)] {
        var runtime = ""
        do {
            runtime = try VegaRuntime.javaScript { printError($0) }
        } catch {
            printError("charts will be missing: \(error)")
        }
        return [("page.css", style), ("charts.js", charts), ("vega.js", runtime)]
    }
}
