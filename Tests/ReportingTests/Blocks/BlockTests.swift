import Evaluation
import LiveActivityModel
import Testing

@testable import Reporting
@testable import Studies

struct BlockTests {
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

            [A chart](charts/a.vl.json)
            """
        #expect(
            Block.blocks(of: markdown) == [
                .heading(1, "Title"),
                .paragraph("Two lines\nof a paragraph.\n## Not a heading within one"),
                .heading(2, "Section"),
                .list(["one\nand more", "two"]),
                .code("## code, | not a table", language: "text"), .code("▁▂▃", language: Block.drawing),
                .table(TextTable(["a", "b:"], rows: [["x | y", "1"], ["", "2"]])),
                .chart(title: "A chart", path: "charts/a.vl.json"),
            ]
        )
    }

    @Test("A report reads back as the blocks that wrote it, so that its page is the same")
    func everyReport() async throws {
        let factors = """
            factors:
              vary: {content.ttl: [30s, 90s]}
              responses: [displayed_fresh_time_ratio]
              goal: {maximise: displayed_fresh_time_ratio, indifference: 1%, across_rulers: true}
            """
        let reports = [
            Report(try await RunResult.running(.oneRide)).blocks,
            RunFiles(try await SmallSweep.analysis(factors).result).report,
            TuningReport(try await SmallSweep.tuning(factors)).blocks,
            RunFiles(LoadReportTests.load(LoadCourseTests.ordinary)).report,
            RunFiles(try CalibrationTextTests.calibration()).report,
        ]
        for blocks in reports {
            let read = Block.blocks(of: blocks.markdown)
            #expect(read.markdown == blocks.markdown)
            #expect(read.map { $0.html() } == blocks.map { $0.html() })
        }
    }

    @Test("Cells may break within metric names, but not within marks")
    func cells() {
        #expect(
            Block.inlineOfCell("age_us{stage:on_trip}.p99") == "age_<wbr>us<wbr>{stage<wbr>:on_<wbr>trip}.p99"
        )
        #expect(Block.inlineOfCell("content.ttl") == "content<wbr>.ttl")
        #expect(Block.inlineOfCell("2.5 s") == "2.5 s")
        #expect(Block.inlineOfCell("00:00 to 01:05 day 2") == "00:00 to 01:05 day 2")
        #expect(Block.inlineOfCell("send_wait@worst:5m") == "send_<wbr>wait<wbr>@worst<wbr>:5m")
        #expect(Block.inlineOfCell("[a_b](c_d.csv)") == "<a href=\"c_d.csv\">a_b</a>")
        #expect(Block.inlineOfCell("a_b <= 1") == "a_b &lt;= 1")
    }

    @Test(arguments: [
        "", "\n\n", "|", "```", "```text\nunclosed", "#", "# ", "- ", "1.", "| a |", "| a |\n| - |", "[](", "**",
    ])
    func fragmentsAreNoTrouble(_ markdown: String) {
        let html = Block.blocks(of: markdown).compactMap { $0.html() }
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
        #expect(Block.inline(markdown) == html)
    }

    @Test
    func tableNamesItsRowsAndColumns() {
        let table = Block.table(TextTable(["", "n:"], rows: [["a", "1"]]))
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
    func theColumnThatDecidesIsMarked() throws {
        let table = Block.table(TextTable(["check", "is:", "verdict"], rows: [["a", "1", "holds"]]))
        let html = try #require(table.html())
        #expect(html.contains("<th scope=\"col\" class=\"deciding\">verdict</th>"), "\(html)")
        #expect(html.contains("<td class=\"number\">1</td><td class=\"deciding\">holds</td>"), "\(html)")
    }

    @Test
    func headerWithoutAWordIsLeftOut() {
        let table = Block.table(TextTable(["", ""], rows: [["a", "b"]]))
        #expect(table.html()?.contains("<thead>") == false)
    }
}
