import Testing

@testable import InputFiles

@Suite("Numbers as text")
struct NumberTextTests {
    @Test(
        "Decimal numbers",
        arguments: [("1", 1), ("-1.5", -1.5), ("2e-3", 0.002), ("1E2", 100), ("-0", 0), ("007", 7)]
    )
    func numbers(text: String, number: Double) {
        #expect(NumberText.number(text) == number)
        #expect(NumberText.number(text)?.sign == number.sign)
    }

    @Test(
        "Other texts are not numbers",
        arguments: ["", "nan", ".inf", "inf", "0x10", "1e999", "1_000", " 1", "1.", ".5", "+1", "٣"]
    )
    func notNumbers(text: String) {
        #expect(NumberText.number(text) == nil)
    }

    @Test("Hundredths are rounded once", arguments: [("0.1", 0.001), ("99.9", 0.999), ("33.3", 0.333), ("100", 1)])
    func hundredths(text: String, number: Double) {
        #expect(NumberText.hundredths(text) == number)
    }

    @Test("Numbers are written in their shortest exact form", arguments: [("60", 60), ("0.1", 0.1), ("1e-07", 1e-7)])
    func texts(text: String, number: Double) {
        #expect(NumberText.text(number) == text)
        #expect(NumberText.number(text) == number)
    }
}
