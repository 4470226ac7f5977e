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
public struct JUnitReport: Hashable, Sendable {
    /// The suites, in order.
    public var suites: [TestSuite]

    /// A report of suites.
    public init(_ suites: [TestSuite]) {
        self.suites = suites
    }

    /// The document; ends with a newline.
    public var text: String {
        let cases = suites.flatMap(\.cases)
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            "<testsuites name=\"freshet\" \(Self.counts(of: cases))>",
        ]
        for suite in suites {
            lines.append(
                "  <testsuite name=\(Self.attribute(suite.name)) \(Self.counts(of: suite.cases))\(Self.skipped(of: suite.cases))>"
            )
            for test in suite.cases {
                let head = "    <testcase name=\(Self.attribute(test.name)) classname=\(Self.attribute(test.group))"
                var inner: [String] = []
                if let failure = test.failure {
                    inner.append(
                        "      <failure type=\"check\" message=\(Self.attribute(failure))>\(Self.escaped(failure))</failure>"
                    )
                }
                if let skipped = test.skipped {
                    inner.append("      <skipped message=\(Self.attribute(skipped))/>")
                }
                if !test.output.isEmpty {
                    inner.append("      <system-out>\(Self.escaped(test.output))</system-out>")
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
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // In an attribute these would be read as blanks.
            case "\n": escaped += "&#10;"
            case "\r": escaped += "&#13;"
            case "\t": escaped += "&#9;"
            case "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"...: escaped.unicodeScalars.append(scalar)
            default: escaped += "\u{FFFD}"
            }
        }
        return escaped
    }
}
