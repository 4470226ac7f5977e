/// A report as one self-contained HTML file: styles and images are inside, nothing is loaded from a network.
///
/// It shows a `report.md`. A paragraph that consists of a link to a chart's specification,
/// `[title](charts/NAME.vl.json)`, becomes the chart. Charts that the text does not name follow at its end. If a chart
/// could not be drawn, the link stays.
struct HTMLReport {
    struct Figure {
        /// The file's name without its suffix.
        var name: String
        /// The statement of the chart in one sentence, also as its alternative text.
        var title: String
        /// The details: units, series, the scenario.
        var detail = ""
        /// The image as an `svg` element; nil if it could not be drawn.
        var svg: String?
        /// The specification, for pages that draw the chart themselves.
        var specification = ""
    }

    /// The report, in the subset of Markdown that reports use; its first heading becomes the page's title.
    var markdown: String
    /// The charts; the order applies to charts that the text does not name.
    var figures: [Figure]
    /// A notice about the page itself, for example that charts are missing and why.
    var notice: String?
    /// The script that draws charts in the browser; nil for a page of static images.
    var runtime: String?

    /// The HTML text of the file.
    ///
    /// - Complexity: Linear in the lengths of the text and the images.
    var text: String {
        let blocks = MarkdownBlock.blocks(of: markdown)
        return page(title: HTMLReport.title(blocks), main: main(blocks))
    }

    /// The content of the page's `main` element, for embedding in another page.
    var body: String { main(MarkdownBlock.blocks(of: markdown)).joined(separator: "\n") }

    private func main(_ blocks: [MarkdownBlock]) -> [String] {
        var body: [String] = []
        var contents: [(id: String, title: String)] = []
        var shown: Set<String> = []
        // The place is before the first section.
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

    /// Returns the chart that a paragraph links to.
    private func figure(linkedBy paragraph: String) -> Figure? {
        guard paragraph.hasPrefix("["), let link = MarkdownBlock.link(Substring(paragraph)), link.after.isEmpty,
            link.target.hasSuffix(Chart.fileSuffix)
        else { return nil }
        return figures.first { "charts/\($0.name)\(Chart.fileSuffix)" == link.target }
    }

    /// The content security policy: nothing from elsewhere, and no code except the page's own.
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

    /// The script that draws each chart once it comes near the visible part of the page.
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

    /// Returns the tone of a verdict, by its first character; nil for any other paragraph.
    private static func tone(of paragraph: String) -> String? {
        switch paragraph.prefix(2) {
        case "✗ ": "bad"
        case "✓ ": "good"
        case "? ": "unsure"
        default: nil
        }
    }

    /// Returns numbers under their labels, each in a frame of its own.
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

    /// Returns the text of the first heading.
    private static func title(_ blocks: [MarkdownBlock]) -> String {
        for case .heading(_, let text) in blocks {
            return text.filter { $0 != "`" && $0 != "*" }
        }
        return "Report"
    }

    /// Returns a chart with its texts; for a screen reader it is one image.
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
        // In a script, HTML still reacts to `</script>`, comments and nested scripts.
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
