import Testing

@testable import Reporting

struct MarkdownBlockTests {
    @Test
    func blocksOfEveryKind() {
        let markdown = """
            # Title

            Two lines
            of a paragraph.
            ## Not a heading within one

            ## Section
            - one
              and more
            - two

            ```text
            ## code, | not a table
            ```

            ```text drawing
            ▁▂▃
            ```

            | a | b |
            | --- | ---: |
            | x \\| y | 1 |
            |  | 2 |
            """
        #expect(
            MarkdownBlock.blocks(of: markdown) == [
                .heading(level: 1, text: "Title"),
                .paragraph("Two lines\nof a paragraph.\n## Not a heading within one"),
                .heading(level: 2, text: "Section"),
                .list(["one\nand more", "two"]),
                .code("## code, | not a table"),
                .table(header: ["a", "b"], isRightAligned: [false, true], rows: [["x | y", "1"], ["", "2"]]),
            ]
        )
    }

    @Test("Cells may break within metric names, but not within marks")
    func cells() {
        #expect(
            MarkdownBlock.inlineOfCell("age_us{stage:on_trip}.p99") == "age_<wbr>us<wbr>{stage<wbr>:on_<wbr>trip}.p99"
        )
        #expect(MarkdownBlock.inlineOfCell("content.ttl") == "content<wbr>.ttl")
        #expect(MarkdownBlock.inlineOfCell("2.5 s") == "2.5 s")
        #expect(MarkdownBlock.inlineOfCell("[a_b](c_d.csv)") == "<a href=\"c_d.csv\">a_b</a>")
        #expect(MarkdownBlock.inlineOfCell("a_b <= 1") == "a_b &lt;= 1")
    }

    @Test(arguments: [
        "", "\n\n", "|", "```", "```text\nunclosed", "#", "# ", "- ", "1.", "| a |", "| a |\n| - |", "[](", "**",
    ])
    func fragmentsAreNoTrouble(_ markdown: String) {
        let html = MarkdownBlock.blocks(of: markdown).map { $0.html() }
        #expect(html.allSatisfy { !$0.isEmpty })
    }

    @Test(arguments: [
        ("a **b** c", "a <strong>b</strong> c"),
        ("*a* and 2 * 3 * 4", "<em>a</em> and 2 * 3 * 4"),
        ("`a < b` & \"c\"", "<code>a &lt; b</code> &amp; &quot;c&quot;"),
        ("[a](b.csv), [c](https://d.org/e)", "<a href=\"b.csv\">a</a>, <a href=\"https://d.org/e\">c</a>"),
        ("[a](javascript:b)", "[a](javascript:b)"),
        ("**a", "**a"),
        ("<script>", "&lt;script&gt;"),
        ("&lt;script> &amp;amp; &copy;", "&lt;script&gt; &amp;amp; &amp;copy;"),
        // To Swift a combining mark makes it another character; to a browser it does not.
        ("<\u{338}b> \"\u{301}", "&lt;\u{338}b&gt; &quot;\u{301}"),
    ])
    func withinALine(_ markdown: String, _ html: String) {
        #expect(MarkdownBlock.inline(markdown) == html)
    }

    @Test
    func tableNamesItsRowsAndColumns() {
        let table = MarkdownBlock.table(header: ["", "n"], isRightAligned: [false, true], rows: [["a", "1"]])
        #expect(
            table.html() == """
                <div class="table" tabindex="0">
                <table>
                <thead><tr><td></td><th scope="col" class="number">n</th></tr></thead>
                <tbody>
                <tr><th scope="row">a</th><td class="number">1</td></tr>
                </tbody>
                </table>
                </div>
                """
        )
    }

    @Test
    func theColumnThatDecidesIsMarked() {
        let table = MarkdownBlock.table(
            header: ["check", "is", "verdict"],
            isRightAligned: [false, true, false],
            rows: [["a", "1", "holds"]]
        )
        let html = table.html()
        #expect(html.contains("<th scope=\"col\" class=\"deciding\">verdict</th>"), "\(html)")
        #expect(html.contains("<td class=\"number\">1</td><td class=\"deciding\">holds</td>"), "\(html)")
    }

    @Test
    func headerWithoutAWordIsLeftOut() {
        let table = MarkdownBlock.table(header: ["", ""], isRightAligned: [false, false], rows: [["a", "b"]])
        #expect(!table.html().contains("<thead>"))
    }
}
