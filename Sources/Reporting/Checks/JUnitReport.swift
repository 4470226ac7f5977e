/// A test case for systems that read JUnit's format.
public struct TestCase: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// What it belongs to, in the place of a class: words with dots between them.
    public var group: String
    /// What it said; empty for nothing.
    public var output = ""
    /// Why it failed; nil when it did not.
    public var failure: String?
    /// Why it was neither passed nor failed; nil when it was one of these.
    public var skipped: String?
}

extension TestCase {
    /// The test case of a check, about which there is one sentence to say.
    init(name: String, group: String, sentence: String, holds: Bool) {
        self.init(name: name, group: group, output: holds ? sentence : "", failure: holds ? nil : sentence)
    }
}

/// Test cases under one name.
public struct TestSuite: Hashable, Sendable {
    /// The suite's name.
    public var name: String
    /// Its cases, in order.
    public var cases: [TestCase]
}

/// JUnit's XML, as build systems read it.
///
/// It follows the schema of Jenkins' xunit plugin (`junit-10.xsd`), which GitLab and GitHub's readers take too. There are
/// no times in it: the same results give the same bytes.
public enum JUnitReport {
    /// The document about some suites, in order; ends with a newline.
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

    /// Suites have this count, the whole document has not.
    private static func skipped(of cases: [TestCase]) -> String {
        let count = cases.count { $0.skipped != nil }
        return count == 0 ? "" : " skipped=\"\(count)\""
    }

    private static func attribute(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// A text for an element or an attribute; what XML 1.0 has no way to say becomes U+FFFD.
    static func escaped(_ text: String) -> String {
        text.replacingScalars { scalar in
            switch scalar {
            // In an attribute these would be read as blanks.
            case "\n": "&#10;"
            case "\r": "&#13;"
            case "\t": "&#9;"
            case "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"...: HTMLText.entities[scalar]
            default: "\u{FFFD}"
            }
        }
    }
}
