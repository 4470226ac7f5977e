import Testing
import TextFormats

@Suite("Did you mean")
struct SuggestionTests {
    private static let keys = ["duration", "drain", "warm_up", "at", "fresh_limit", "max_attempts"]

    @Test(
        "The nearest key within one error in three letters",
        arguments: [
            ("duraton", "duration"), ("druation", "duration"), ("durationn", "duration"), ("DRAIN", nil),
            ("warmup", "warm_up"), ("warm-up", "warm_up"), ("fresh_limt", "fresh_limit"),
            ("max_atempts", "max_attempts"),
            ("ta", nil), ("color", nil), ("", nil), (String(repeating: "drain", count: 20), nil),
        ]
    )
    func nearest(word: String, expected: String?) {
        #expect(Suggestion.nearest(to: word, among: Self.keys) == expected)
    }

    @Test("Among equally near words the first wins")
    func ties() {
        #expect(Suggestion.nearest(to: "cat", among: ["bat", "rat"]) == "bat")
    }
}
