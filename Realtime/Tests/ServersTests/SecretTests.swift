import Servers
import Testing

@Suite("Secrets")
struct SecretTests {
    @Test(
        "Only the secret itself is the secret",
        arguments: [
            ("ab", "ab", true), ("ab", "a", false), ("ab", "abab", false), ("ab", "ac", false), ("ab", "", false),
            ("", "", true), ("", "a", false),
        ]
    )
    func isSame(secret: String, text: String, isSame: Bool) {
        #expect(Secret(secret).isSame(as: text) == isSame)
    }
}
