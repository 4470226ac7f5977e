import PageServer

/// The files of the page.
enum StudioPage {
    /// All files; `charts` is what draws charts, nil where it could not be had.
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
