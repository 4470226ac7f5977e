import Testing

@testable import Reporting

@Suite("Scalars of a text")
struct StringProtocolScalarsTests {
    @Test(
        "Each scalar is checked, also one inside a character",
        arguments: [("a\r\nb", "a\r|b"), ("\"\u{301}", "\"\u{301}"), ("\n\n", "||"), ("", "")]
    )
    func replaced(text: String, expected: String) {
        let replaced = text.replacingScalars { $0 == "\n" ? "|" : nil }
        #expect(Array(replaced.unicodeScalars) == Array(expected.unicodeScalars))
    }
}
