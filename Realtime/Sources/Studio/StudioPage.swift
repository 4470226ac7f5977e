import PageServer

/// The files of the page.
enum StudioPage {
    /// Returns all files; `charts` is the chart library, or `nil` if it is not available.
    static func files(charts: String?) -> [PageFile] {
        let own = [
            ("", PackageResources.studio_html),
            ("studio.css", PackageResources.studio_css),
            ("studio.js", PackageResources.studio_js),
            ("keys.js", PackageResources.keys_js),
            ("tune.js", PackageResources.tune_js),
            ("tradeoff.js", PackageResources.tradeoff_js),
            ("phones.js", PackageResources.phones_js),
            ("keep.js", PackageResources.keep_js),
            ("dots.js", PackageResources.dots_js),
            ("faults.js", PackageResources.faults_js),
            ("front.js", PackageResources.front_js),
            ("player.js", PackageResources.player_js),
        ]
        return own.map { PageFile($0, $1) } + PageFile.shared(runtime: charts)
    }
}
