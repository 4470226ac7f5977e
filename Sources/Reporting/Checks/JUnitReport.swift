/// A test case for systems that read JUnit's format.
public struct TestCase: Hashable, Sendable {
    public var name: String
    /// The group, which JUnit calls a class: words separated by dots.
    public var group: String
    /// The output; empty for none.
    public var output = ""
    /// The reason of the failure; nil if it did not fail.
    public var failure: String?
    /// The reason why it was skipped; nil if it passed or failed.
    public var skipped: String?
}

extension TestCase {
    /// Creates the test case of a check from its one sentence.
    init(name: String, group: String, sentence: String, holds: Bool) {
        self.init(name: name, group: group, output: holds ? sentence : "", failure: holds ? nil : sentence)
    }
}

/// A named list of test cases.
public struct TestSuite: Hashable, Sendable {
    /// The suite's name.
    public var name: String
    /// The cases, in order.
    public var cases: [TestCase]
}

/// JUnit's XML for build systems.
///
/// It follows the schema of Jenkins' xunit plugin (`junit-10.xsd`), which GitLab and GitHub's readers also accept. It
/// has no times, so the same results give the same bytes.
public enum JUnitReport {
    /// Returns the document of some suites, in order; ends with a newline.
    public static func text(of suites: [TestSuite]) -> String {
        let cases = suites.flatMap(\.cases)
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            "<testsuites name=\"freshet\" \(counts(of: cases))>",
        ]
        for suite in suites {
            lines.append(
                "  <testsuite name=\(attribute(suite.name)) \(counts(of: suite.cases))\(skipped(of: suite.cases))>"
            )
            for test in suite.cases {
                let head = "    <testcase name=\(attribute(test.name)) classname=\(attribute(test.group))"
                var inner: [String] = []
                if let failure = test.failure {
                    inner.append(
                        "      <failure type=\"check\" message=\(attribute(failure))>\(escaped(failure))</failure>"
                    )
                }
                if let skipped = test.skipped {
                    inner.append("      <skipped message=\(attribute(skipped))/>")
                }
                if !test.output.isEmpty {
                    inner.append("      <system-out>\(escaped(test.output))</system-out>")
                }
                lines += inner.isEmpty ? [head + "/>"] : [head + ">"] + inner + ["    </testcase>"]
            }
            lines.append("  </testsuite>")
        }
        return (lines + ["</testsuites>"]).joined(separator: "\n") + "\n"
    }

    private static func counts(of cases: [TestCase]) -> String {
        "tests=\"\(cases.count)\" failures=\"\(cases.count { $0.failure != nil })\" errors=\"0\""
    }

    /// The attribute exists for suites only, not for the whole document.
    private static func skipped(of cases: [TestCase]) -> String {
        let count = cases.count { $0.skipped != nil }
        return count == 0 ? "" : " skipped=\"\(count)\""
    }

    private static func attribute(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// Escapes a text for an element or an attribute.
    ///
    /// Characters that XML 1.0 cannot represent become U+FFFD.
    static func escaped(_ text: String) -> String {
        text.replacingScalars { scalar in
            switch scalar {
            // XML readers turn these into blanks in attributes.
            case "\n": "&#10;"
            case "\r": "&#13;"
            case "\t": "&#9;"
            case "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"...: HTMLText.entities[scalar]
            default: "\u{FFFD}"
            }
        }
    }
}
