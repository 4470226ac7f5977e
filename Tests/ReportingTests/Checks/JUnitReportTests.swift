import Foundation
import Testing

@testable import Reporting

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite("JUnit's XML")
struct JUnitReportTests {
    /// Text that could break a document.
    private static let hostile = "a<b>&\"'\u{0}\u{8}\n\r\t]]>é\u{1F600}\u{FFFF}"

    private static let report = JUnitReport.text(of: [
        TestSuite(
            name: hostile,
            cases: [
                TestCase(name: "holds", group: "g", output: "it is 5"),
                TestCase(name: hostile, group: "g", failure: hostile),
            ]
        ),
        TestSuite(name: "empty", cases: []),
    ])

    @Test("The document, byte for byte")
    func document() {
        let text = "a&lt;b&gt;&amp;&quot;'\u{FFFD}\u{FFFD}&#10;&#13;&#9;]]&gt;é\u{1F600}\u{FFFD}"
        #expect(
            Self.report == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="freshet" tests="2" failures="1" errors="0">
                  <testsuite name="\(text)" tests="2" failures="1" errors="0">
                    <testcase name="holds" classname="g">
                      <system-out>it is 5</system-out>
                    </testcase>
                    <testcase name="\(text)" classname="g">
                      <failure type="check" message="\(text)">\(text)</failure>
                    </testcase>
                  </testsuite>
                  <testsuite name="empty" tests="0" failures="0" errors="0">
                  </testsuite>
                </testsuites>

                """
        )
    }

    @Test("A parser recovers the same texts")
    func parses() throws {
        final class Reader: NSObject, XMLParserDelegate {
            var failures: [String] = []
            var names: [String] = []
            func parser(
                _ parser: XMLParser,
                didStartElement element: String,
                namespaceURI: String?,
                qualifiedName: String?,
                attributes: [String: String]
            ) {
                if element == "failure" { failures.append(attributes["message"] ?? "") }
                if element == "testcase" { names.append(attributes["name"] ?? "") }
            }
        }
        let parser = XMLParser(data: Data(Self.report.utf8))
        let reader = Reader()
        parser.delegate = reader
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        let read = Self.hostile.replacing("\u{0}\u{8}", with: "\u{FFFD}\u{FFFD}")
            .replacing("\u{FFFF}", with: "\u{FFFD}")
        #expect(reader.failures == [read])
        #expect(reader.names == ["holds", read])
    }
}
