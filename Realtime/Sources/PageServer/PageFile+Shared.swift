import Reporting
import Shell

extension PageFile {
    /// The files that every page loads: the reports' style sheet, charts with their library, elements and numbers.
    ///
    /// - Parameter runtime: The chart library; `nil` if it is not available.
    package static func shared(runtime: String?) -> [PageFile] {
        [("page.css", PageAssets.style), ("charts.js", PageAssets.charts), ("vega.js", runtime ?? "")]
            .map { PageFile($0, Array($1.utf8)) } + [PageFile(embedded: "dom.js")]
    }

    /// Returns the chart library; if it is not available, prints why and returns `nil`.
    package static func chartRuntime() -> String? {
        do {
            return try VegaRuntime.javaScript { printError($0) }
        } catch {
            printError("charts will be missing: \(error)")
            return nil
        }
    }
}
