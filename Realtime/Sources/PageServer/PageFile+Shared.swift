import Reporting

extension PageFile {
    /// What every page of this kind loads: the reports' style sheet, charts and what draws them, elements and numbers.
    ///
    /// - Parameter runtime: What draws charts; nil where it could not be had.
    package static func shared(runtime: String?) -> [PageFile] {
        [("page.css", PageAssets.style), ("charts.js", PageAssets.charts), ("vega.js", runtime ?? "")]
            .map { PageFile($0, Array($1.utf8)) } + [PageFile("dom.js", PackageResources.dom_js)]
    }

    /// The program that draws charts; nil, and said why, where it could not be had.
    package static func chartRuntime() -> String? {
        do {
            return try VegaRuntime.javaScript { printError($0) }
        } catch {
            printError("charts will be missing: \(error)")
            return nil
        }
    }
}
