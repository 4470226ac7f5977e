/// A report as one self-contained HTML file: styles and images are inside, nothing is loaded from a network.
///
/// Charts that its blocks do not name follow at its end. If a chart could not be drawn, the link to its specification
/// stays.
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

    /// The report; its first heading becomes the page's title.
    var blocks: [Block]
    /// The charts; the order applies to charts that the text does not name.
    var figures: [Figure]
    /// A notice about the page itself, for example that charts are missing and why.
    var notice: String?
    /// The script that draws charts in the browser; nil for a page of static images.
    var runtime: String?

    /// Further styles, after those of all pages.
    var style = ""
    /// `false` to leave out the list of sections.
    var hasNavigation = true

    /// The HTML text of the file.
    ///
    /// - Complexity: Linear in the lengths of the text and the images.
    var text: String { page }

    /// The content of the page's `main` element, for embedding in another page.
    var body: String { main.joined(separator: "\n") }

    private var main: [String] {
        var body: [String] = []
        var contents: [(id: String, title: String)] = []
        var shown: Set<String> = []
        // The place is before the first section.
        var placeOfNavigation = 0
        func beginSection(_ title: String) {
            if contents.isEmpty { placeOfNavigation = body.count }
            let id = "section-\(contents.count + 1)"
            contents.append((id, title))
            body += [Block.heading(2, title).html(id: id)].compactMap(\.self)
        }
        for block in blocks {
            if case .heading(2, let title) = block {
                beginSection(title)
            } else if case .chart(_, let path) = block,
                let figure = figures.first(where: { "charts/\($0.name)\(Chart.fileSuffix)" == path && $0.svg != nil })
            {
                shown.insert(figure.name)
                body.append(html(figure))
            } else {
                body += [(contents.isEmpty ? HTMLReport.opening(block) : nil) ?? block.html()].compactMap(\.self)
            }
        }
        let further = figures.filter { $0.svg != nil && !shown.contains($0.name) }
        if !further.isEmpty {
            beginSection("Further charts")
            body += further.map(html)
        }
        if hasNavigation, contents.count > 2 { body.insert(HTMLReport.navigation(contents), at: placeOfNavigation) }
        return body
    }

    /// Returns a verdict, or headline numbers, as they look before the first section; nil for any other block.
    private static func opening(_ block: Block) -> String? {
        switch block {
        case .paragraph(let text):
            tone(of: text).map { "<p class=\"verdict \($0)\">\(Block.inline(text))</p>" }
        case .table(let table) where table.columns.allSatisfy({ $0.alignment == .right && !$0.title.isEmpty }):
            tiles(table)
        default: nil
        }
    }

    /// The content security policy: nothing from elsewhere, and no code except the page's own.
    private static let policy =
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        + "form-action 'none'"

    private var page: String {
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
            \(PageAssets.style)\(style)
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
        case "? ", "≈ ": "unsure"
        default: nil
        }
    }

    /// Returns numbers under their labels, each in a frame of its own.
    private static func tiles(_ table: TextTable) -> String {
        let tiles = table.columns.enumerated()
            .map { index, column in
                let texts = table.cells.map { Block.inline($0[index]) }
                let rest = texts.dropFirst().filter { !$0.isEmpty }.map { "<span class=\"interval\">\($0)</span>" }
                return "<li class=\"tile\"><span class=\"label\">\(Block.inlineOfCell(column.title))</span>"
                    + "<span class=\"value\">\(texts.first ?? "")</span>\(rest.joined())</li>"
            }
        return "<ul class=\"tiles\">\n\(tiles.joined(separator: "\n"))\n</ul>"
    }

    private static func navigation(_ contents: [(id: String, title: String)]) -> String {
        let items = contents.map { "<li><a href=\"#\($0.id)\">\(Block.inline($0.title))</a></li>" }
        return "<nav aria-label=\"Sections\">\n<ul>\n\(items.joined(separator: "\n"))\n</ul>\n</nav>"
    }

    /// The text of the first heading.
    private var title: String {
        for case .heading(_, let text) in blocks { return text.filter { $0 != "`" && $0 != "*" } }
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
