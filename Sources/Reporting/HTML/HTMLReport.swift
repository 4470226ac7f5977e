/// A report as one HTML file that needs nothing else: styles and pictures are inside, nothing comes from a network.
///
/// It shows a `report.md`. A paragraph that is nothing but a link to a chart's specification,
/// `[title](charts/NAME.vl.json)`, becomes the chart; charts that the text does not name follow at its end. Where a chart
/// could not be drawn, the link stays.
struct HTMLReport {
    struct Figure {
        /// Its file's name without its suffix.
        var name: String
        /// What it shows, in a sentence: its text for those who do not see it.
        var title: String
        /// How it is to be read: units, series, the scenario.
        var detail = ""
        /// The picture, an `svg` element; nil when it could not be drawn.
        var svg: String?
        /// Its specification, for pages that draw it themselves.
        var specification = ""
    }

    /// The report in the part of Markdown that reports use; its first heading is the page's title.
    var markdown: String
    /// The charts, in the order in which those that the text does not name are to stand.
    var figures: [Figure]
    /// What a reader must know of the page itself, say that charts are missing and why.
    var notice: String?
    /// What draws charts in the browser; nil for a page of pictures alone.
    var runtime: String?

    /// The file.
    ///
    /// - Complexity: Linear in the lengths of text and pictures.
    var text: String {
        let blocks = MarkdownBlock.blocks(of: markdown)
        return page(title: HTMLReport.title(blocks), main: main(blocks))
    }

    /// What stands within the page, for pages that have the rest already.
    var body: String { main(MarkdownBlock.blocks(of: markdown)).joined(separator: "\n") }

    private func main(_ blocks: [MarkdownBlock]) -> [String] {
        var body: [String] = []
        var contents: [(id: String, title: String)] = []
        var shown: Set<String> = []
        // Before the first section.
        var placeOfNavigation = 0
        func beginSection(_ title: String) {
            if contents.isEmpty { placeOfNavigation = body.count }
            let id = "section-\(contents.count + 1)"
            contents.append((id, title))
            body.append(MarkdownBlock.heading(level: 2, text: title).html(id: id))
        }
        for block in blocks {
            switch block {
            case .heading(2, let title):
                beginSection(title)
            case .paragraph(let text):
                if let figure = figure(linkedBy: text), figure.svg != nil {
                    shown.insert(figure.name)
                    body.append(html(figure))
                } else if contents.isEmpty, let tone = HTMLReport.tone(of: text) {
                    body.append("<p class=\"verdict \(tone)\">\(MarkdownBlock.inline(text))</p>")
                } else {
                    body.append(block.html())
                }
            case .table(let labels, let isRightAligned, let rows)
            where contents.isEmpty && !isRightAligned.contains(false) && !labels.contains(""):
                body.append(HTMLReport.tiles(labels, rows))
            case .heading, .code, .list, .table:
                body.append(block.html())
            }
        }
        let further = figures.filter { $0.svg != nil && !shown.contains($0.name) }
        if !further.isEmpty {
            beginSection("Further charts")
            body += further.map(html)
        }
        if contents.count > 2 { body.insert(HTMLReport.navigation(contents), at: placeOfNavigation) }
        return body
    }

    /// The chart that a paragraph stands for.
    private func figure(linkedBy paragraph: String) -> Figure? {
        guard paragraph.hasPrefix("["), let link = MarkdownBlock.link(Substring(paragraph)), link.after.isEmpty,
            link.target.hasSuffix(Chart.fileSuffix)
        else { return nil }
        return figures.first { "charts/\($0.name)\(Chart.fileSuffix)" == link.target }
    }

    /// What a page may do: nothing from elsewhere, and no code but what it carries itself.
    private static let policy =
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        + "form-action 'none'"

    private func page(title: String, main: [String]) -> String {
        let notice = notice.map { ["<p class=\"notice\" role=\"note\">\(HTMLText.escaped($0))</p>"] } ?? []
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="Content-Security-Policy" content="\(HTMLReport.policy)">
            <title>\(HTMLText.escaped(title))</title>
            <style>
            \(PageAssets.style)
            </style>
            </head>
            <body>
            <main>
            \((notice + main).joined(separator: "\n"))
            </main>
            \(script)
            </body>
            </html>

            """
    }

    /// What draws the charts, and draws each once it is near the reader's eyes.
    private var script: String {
        guard let runtime else { return "" }
        return """
            <script>\(runtime)</script>
            <script type="module">
            \(PageAssets.charts)
            const near = new IntersectionObserver((entries) => {
              for (const entry of entries.filter((entry) => entry.isIntersecting)) {
                near.unobserve(entry.target);
                mountChart(entry.target, JSON.parse(entry.target.querySelector("script").textContent));
              }
            }, { rootMargin: "400px" });
            for (const figure of document.querySelectorAll("figure.chart")) near.observe(figure);
            </script>
            """
    }

    /// How a verdict looks, by the mark that it begins with; nil for any other paragraph.
    private static func tone(of paragraph: String) -> String? {
        switch paragraph.prefix(2) {
        case "✗ ": "bad"
        case "✓ ": "good"
        case "? ": "unsure"
        default: nil
        }
    }

    /// Numbers under their labels, each in a frame of its own.
    private static func tiles(_ labels: [String], _ rows: [[String]]) -> String {
        let tiles = labels.indices.map { column in
            let texts = rows.map { $0.indices.contains(column) ? MarkdownBlock.inline($0[column]) : "" }
            let rest = texts.dropFirst().filter { !$0.isEmpty }.map { "<span class=\"interval\">\($0)</span>" }
            return "<li class=\"tile\"><span class=\"label\">\(MarkdownBlock.inlineOfCell(labels[column]))</span>"
                + "<span class=\"value\">\(texts.first ?? "")</span>\(rest.joined())</li>"
        }
        return "<ul class=\"tiles\">\n\(tiles.joined(separator: "\n"))\n</ul>"
    }

    private static func navigation(_ contents: [(id: String, title: String)]) -> String {
        let items = contents.map { "<li><a href=\"#\($0.id)\">\(MarkdownBlock.inline($0.title))</a></li>" }
        return "<nav aria-label=\"Sections\">\n<ul>\n\(items.joined(separator: "\n"))\n</ul>\n</nav>"
    }

    /// The first heading, without its marks.
    private static func title(_ blocks: [MarkdownBlock]) -> String {
        for case .heading(_, let text) in blocks {
            return text.filter { $0 != "`" && $0 != "*" }
        }
        return "Report"
    }

    /// A chart with its texts; to a screen reader the picture is one image.
    private func html(_ figure: Figure) -> String {
        let id = "chart-" + figure.name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        let texts =
            "<title id=\"\(id)-title\">\(HTMLText.escaped(figure.title))</title>"
            + "<desc id=\"\(id)-detail\">\(HTMLText.escaped(figure.detail))</desc>"
        var svg = figure.svg ?? ""
        if let open = svg.firstRange(of: "<svg"), let end = svg[open.upperBound...].firstIndex(of: ">") {
            let attributes = svg[open.upperBound..<end]
            svg =
                "<svg role=\"img\" aria-labelledby=\"\(id)-title\" aria-describedby=\"\(id)-detail\"\(attributes)>"
                + texts + svg[svg.index(after: end)...]
        }
        while svg.last?.isWhitespace == true { svg.removeLast() }
        guard runtime != nil, !figure.specification.isEmpty else { return "<figure>\n\(svg)\n</figure>" }
        // Within a script, HTML reads on for its end and for the beginnings of comments and other scripts.
        let specification = figure.specification.replacing("<", with: "\\u003c")
        return """
            <figure class="chart" role="group">
            <div class="picture">
            \(svg)
            </div>
            <script type="application/json">\(specification)</script>
            </figure>
            """
    }
}
