import Testing
import TextFormats

@Suite("Foreign text in messages")
struct OneLineTests {
    @Test(
        "Control sequences for terminals and build systems are removed",
        arguments: [
            ("a b", "a b"), ("\u{1B}[2Jx", " [2Jx"), ("a\n::error::x", "a ::error::x"), ("::error::x", ": :error::x"),
            ("  ::stop-commands::t", "  : :stop-commands::t"), ("x ##[set-env name=a]b", "x ## [set-env name=a]b"),
            ("a\u{202E}b", "a b"), ("a\u{2028}b", "a b"), ("std::vector", "std::vector"), ("\u{9B}2J", " 2J"),
        ]
    )
    func text(_ text: String, _ expected: String) {
        #expect(OneLine.text(text) == expected)
        #expect(OneLine.isOne(text) == (text == expected))
    }

    @Test("Lines remain separate")
    func lines() {
        #expect(OneLine.lines("a\n\tb\u{1B}[2J\r\n ::warning::c") == "a\n\tb [2J \n : :warning::c")
        #expect(OneLine.lines("a: b\n  c: d") == "a: b\n  c: d")
    }

    @Test(
        "Spreadsheet formulas, and similar beginnings",
        arguments: [
            ("=1", true), ("@SUM(1)", true), ("\t=1", true), (#"+cmd|" /C calc"!A0"#, true), ("-->", true),
            ("==", false),
            ("-1.5", false), ("+1", false), ("-5%", false), ("-01:00", false), ("-1e-05", false), ("", false),
            ("-", false),
            ("a=1", false),
        ]
    )
    func formulas(_ text: String, _ isFormula: Bool) {
        #expect(OneLine.isFormula(text) == isFormula)
    }
}
