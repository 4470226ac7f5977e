import Foundation
import Testing

@testable import Reporting

#if canImport(FoundationXML)
import FoundationXML
#endif

struct HTMLReportTests {
    private static let markdown = """
        # a & b

        ## First

        [What it shows](charts/one.vl.json)

        ## Second

        [Not drawn](charts/three.vl.json)

        Words, and [a chart](charts/one.vl.json) named within them.
        """

    private static let report = HTMLReport(
        blocks: Block.blocks(of: markdown),
        figures: [
            .init(
                name: "one",
                title: "What it <shows>",
                detail: "Of a & b.",
                svg: "<svg width=\"1\"><g id=\"one-1\"/></svg>\n"
            ),
            .init(name: "two", title: "Second", svg: "<svg></svg>"),
            .init(name: "three", title: "Third", svg: nil),
        ],
        notice: "Something is missing."
    )

    @Test
    func chartsStandWhereTheTextLinksToThem() throws {
        let text = Self.report.text
        let picture = """
            <figure>
            <svg role="img" aria-labelledby="chart-one-title" aria-describedby="chart-one-detail" width="1">\
            <title id="chart-one-title">What it &lt;shows&gt;</title>\
            <desc id="chart-one-detail">Of a &amp; b.</desc><g id="one-1"/></svg>
            </figure>
            """
        let first = try #require(text.firstRange(of: "<h2 id=\"section-1\">First</h2>"))
        let chart = try #require(text.firstRange(of: picture))
        let second = try #require(text.firstRange(of: "<h2 id=\"section-2\">Second</h2>"))
        #expect(first.upperBound < chart.lowerBound && chart.upperBound < second.lowerBound)
        #expect(text.ranges(of: "<figure>").count == 2, "each drawn chart once")
        #expect(
            text.contains("<p><a href=\"charts/three.vl.json\">Not drawn</a></p>"),
            "a link where there is no picture"
        )
        #expect(text.contains("<h2 id=\"section-3\">Further charts</h2>"))
        #expect(text.contains("<p class=\"notice\" role=\"note\">Something is missing.</p>"))
        #expect(text.contains("<title>a &amp; b</title>"))
        #expect(text.contains("<li><a href=\"#section-3\">Further charts</a></li>"))
    }

    @Test
    func fileNeedsNothingElse() {
        let text = Self.report.text
        #expect(!text.contains("src="))
        #expect(!text.contains("<script"))
        #expect(!text.contains("@import") && !text.contains("url("))
    }

    @Test("No external resources and no generated code are allowed")
    func policy() throws {
        let policy = try #require(Self.report.text.firstMatch(of: /Content-Security-Policy" content="([^"]*)"/)?.1)
        #expect(policy.hasPrefix("default-src 'none'; script-src 'unsafe-inline';"))
        #expect(!policy.contains("http") && !policy.contains("unsafe-eval") && !policy.contains("*"))
    }

    @Test
    func elementsAreClosedInTheRightOrder() {
        // Apart from void elements the page is XML, so a parser can check it.
        let text = Self.report.text.replacing("<!DOCTYPE html>", with: "").replacing(/<meta [^>]*>/, with: "")
        let parser = XMLParser(data: Data(text.utf8))
        #expect(parser.parse(), "\(String(describing: parser.parserError)) in line \(parser.lineNumber)")
    }

    @Test
    func chartsAreDrawnByThePageWhereItHasTheRuntime() {
        let specification = "{\"title\": \"</script><!--<script> and more\"}"
        var report = HTMLReport(
            blocks: Block.blocks(of: Self.markdown),
            figures: [.init(name: "one", title: "What it shows", svg: "<svg></svg>", specification: specification)]
        )
        report.runtime = "window.vegaEmbed = 1;"
        let text = report.text
        #expect(text.contains("<script>window.vegaEmbed = 1;</script>"))
        #expect(
            text.contains(
                #"<script type="application/json">{"title": "\u003c/script>\u003c!--\u003cscript> and more"}</script>"#
            )
        )
        #expect(
            text.contains("<div class=\"picture\">\n<svg"),
            "the picture stays for paper and for readers without scripts"
        )
        #expect(text.contains("export function mountChart"))
        #expect(!text.contains("src=") && !text.contains("https://") || !text.contains("fetch("))
    }

    @Test
    func verdictAndTilesStandOnTop() {
        let blocks = Block.blocks(
            of: """
                # run

                ✗ **2 checks: 1 holds, 1 does not.** cards: 12, must be < 3.

                | fresh | pushes |
                |---:|---:|
                | 82 % | 37 |
                | 81 – 83 % | |

                ## Section

                | a | b |
                |---:|---:|
                | 1 | 2 |

                ✓ is a mark like any other here.
                """
        )
        let text = HTMLReport(blocks: blocks, figures: []).text
        #expect(text.contains("<p class=\"verdict bad\">✗ <strong>2 checks: 1 holds, 1 does not.</strong>"))
        #expect(
            text.contains(
                "<li class=\"tile\"><span class=\"label\">fresh</span><span class=\"value\">82 %</span>"
                    + "<span class=\"interval\">81 – 83 %</span></li>"
            )
        )
        #expect(
            text.contains("<li class=\"tile\"><span class=\"label\">pushes</span><span class=\"value\">37</span></li>")
        )
        #expect(text.ranges(of: "<table>").count == 1 && !text.contains("verdict good"))
    }

    @Test
    func textWithoutASection() {
        let text = HTMLReport(blocks: [.paragraph("Only words.")], figures: []).text
        #expect(text.contains("<title>Report</title>"))
        #expect(!text.contains("<nav"))
    }

    @Test
    func everyReportOfARunIsUnderstoodWhole() throws {
        let blocks = Block.blocks(of: try Fixture.text("one-ride.report.md"))
        for case .paragraph(let text) in blocks {
            #expect(!text.contains("|---") && !text.hasPrefix("#") && !text.hasPrefix("|"))
        }
        let tables = blocks.filter { if case .table = $0 { true } else { false } }
        #expect(tables.count > 10)
    }
}
