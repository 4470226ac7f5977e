import PageServer
import Reporting

/// The files of the page.
enum StudioPage {
    /// All files; `charts` is what draws charts, nil where it could not be had.
    static func files(charts: String?) -> [PageFile] {
        [
            PageFile("", PackageResources.studio_html),
            PageFile("studio.css", PackageResources.studio_css),
            PageFile("studio.js", PackageResources.studio_js),
            PageFile("keys.js", PackageResources.keys_js),
            PageFile("tune.js", PackageResources.tune_js),
            PageFile("tradeoff.js", PackageResources.tradeoff_js),
            PageFile("phones.js", PackageResources.phones_js),
            PageFile("keep.js", PackageResources.keep_js),
            PageFile("dom.js", PackageResources.dom_js),
            PageFile("dots.js", PackageResources.dots_js),
            PageFile("faults.js", PackageResources.faults_js),
            PageFile("front.js", PackageResources.front_js),
            PageFile("player.js", PackageResources.player_js),
            PageFile("page.css", Array(PageAssets.style.utf8)),
            PageFile("charts.js", Array(PageAssets.charts.utf8)),
            PageFile("vega.js", Array((charts ?? "").utf8)),
        ]
    }
}
