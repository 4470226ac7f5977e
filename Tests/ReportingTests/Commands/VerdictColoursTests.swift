import Testing

@testable import Reporting

struct VerdictColoursTests {
    @Test(arguments: [
        ("fresh  >= 88%  50.13 %  failed", "fresh  >= 88%  50.13 %  \u{1B}[31mfailed\u{1B}[0m"),
        ("a_ratio  worse   1  2", "a_ratio  \u{1B}[31mworse\u{1B}[0m   1  2"),
        ("a_ratio  not sure: few", "a_ratio  \u{1B}[33mnot sure\u{1B}[0m: few"),
        ("a  <= 0  –  not measured: x is off", "a  <= 0  –  \u{1B}[33mnot measured\u{1B}[0m: x is off"),
        ("a_ratio  not comparable because x differs", "a_ratio  \u{1B}[33mnot comparable\u{1B}[0m because x differs"),
        ("x  passed", "x  \u{1B}[32mpassed\u{1B}[0m"),
        // Sentences are not tables.
        ("B is worse: a_ratio", "B is worse: a_ratio"),
        ("", ""),
    ])
    func lines(plain: String, coloured: String) {
        #expect(VerdictColours.coloured(plain) == coloured)
        #expect(VerdictColours.coloured("\(plain)\nx\n") == "\(coloured)\nx\n")
    }
}
