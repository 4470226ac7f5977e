import Testing

@testable import InputFiles
@testable import ScenarioLanguage

@Suite("Texts of plain characters")
struct PlainCharactersTests {
    @Test(
        arguments: [
            ("12", true, true), ("-12", false, true), ("", false, false), ("-", false, false), ("--1", false, false),
            ("1.5", false, false), ("١", false, false), ("1\u{301}", false, false), (" 1", false, false),
        ]
    )
    func wholeNumbers(text: String, isDigits: Bool, isWhole: Bool) {
        #expect(text.isDigits == isDigits && text.isWholeNumber == isWhole)
    }

    @Test(arguments: [
        ("a-Z_9", true), ("", false), ("a b", false), ("é", false), ("abcdef", false), ("@", false), ("[", false),
    ])
    func names(text: String, isPlain: Bool) {
        #expect(text.isPlain(1...5, also: "-_") == isPlain)
    }

    @Test(arguments: [("12:34", true), ("+2:34", false), ("12-34", false), ("12:3", false), ("12:345", false)])
    func forms(text: String, hasForm: Bool) {
        #expect(text.hasForm("00:00") == hasForm)
    }
}
