import PageServer
import Reporting

/// The files of the page.
enum StudioPage {
    /// All files; without the chart library if it is not available.
    static var files: [PageFile] {
        let own = [
            "studio.css", "studio.js", "capacity.js", "keys.js", "tune.js", "tradeoff.js", "phones.js", "export.js",
            "dots.js",
            "faults.js", "front.js", "goal.js", "player.js", "work.js",
        ]
        return [PageFile(embedded: "studio.html", at: "")] + own.map { PageFile(embedded: $0) }
            + PageFile.shared(PageAssets.served())
    }
}
