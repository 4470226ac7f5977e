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
        markdown: markdown,
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

    @Test
    func elementsAreClosedInTheRightOrder() {
        // Void elements aside, the page is XML, which a parser can judge.
        let text = Self.report.text.replacing("<!DOCTYPE html>", with: "").replacing(/<meta [^>]*>/, with: "")
        let parser = XMLParser(data: Data(text.utf8))
        #expect(parser.parse(), "\(String(describing: parser.parserError)) in line \(parser.lineNumber)")
    }

    @Test
    func textWithoutASection() {
        let text = HTMLReport(markdown: "Only words.", figures: []).text
        #expect(text.contains("<title>Report</title>"))
        #expect(!text.contains("<nav"))
    }

    @Test
    func everyReportOfARunIsUnderstoodWhole() throws {
        let blocks = MarkdownBlock.blocks(of: try Fixture.text("one-ride.report.md"))
        for case .paragraph(let text) in blocks {
            #expect(!text.contains("|---") && !text.hasPrefix("#") && !text.hasPrefix("|"))
        }
        let tables = blocks.filter { if case .table = $0 { true } else { false } }
        #expect(tables.count > 10)
    }
}
