import Testing
import Wire

@testable import LoadGenerator

@Suite("Files of device tokens")
struct TokensFileTests {
    @Test("A line has one token; empty lines and spaces around tokens do not count")
    func reads() {
        let (tokens, problems) = TokensFile.read(Array("ABcd\r\n\n  0102 \n".utf8), named: "t")
        #expect(tokens == [DeviceToken(bytes: [0xAB, 0xCD]), DeviceToken(bytes: [1, 2])])
        #expect(problems.isEmpty)
        #expect(TokensFile.read([], named: "t").tokens.isEmpty)
    }

    @Test("Messages about wrong lines state the place and the length, and never the token")
    func refuses() {
        let long = String(repeating: "ab", count: 513)
        let text = "abcd\nab cd\nabc\n\(long)\nä1\n"
        let problems = TokensFile.read(Array(text.utf8), named: "t.txt").problems
        let words = "must be a device token, an even number of hexadecimal digits up to 1024, got"
        #expect(
            problems == [
                "t.txt:2:3: \(words) 5 characters", "t.txt:3:4: \(words) 3 characters",
                "t.txt:4:1027: \(words) 1026 characters", "t.txt:5:1: \(words) 3 characters",
            ]
        )
    }
}
