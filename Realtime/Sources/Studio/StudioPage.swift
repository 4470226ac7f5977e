import PageServer

/// The files of the page.
enum StudioPage {
    /// Returns all files; `charts` is the chart library, or `nil` if it is not available.
    static func files(charts: String?) -> [PageFile] {
        let own = [
            "studio.css", "studio.js", "keys.js", "tune.js", "tradeoff.js", "phones.js", "keep.js", "dots.js",
            "faults.js",
            "front.js", "player.js",
        ]
        return [PageFile(embedded: "studio.html", at: "")] + own.map { PageFile(embedded: $0) }
            + PageFile.shared(runtime: charts)
    }
}
