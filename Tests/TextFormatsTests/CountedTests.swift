import Testing
import TextFormats

@Suite("Numbers with nouns")
struct CountedTests {
    @Test("A number agrees with its noun", arguments: [(0, "0 retries"), (1, "1 retry"), (2, "2 retries")])
    func counted(number: Int, text: String) {
        #expect(number.counted("retry", "retries") == text)
    }
}
