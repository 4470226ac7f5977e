import Testing
import TextFormats

@Suite("JSON of requests")
struct JSONMembersTests {
    @Test("values of all kinds; objects stay unparsed")
    func values() throws {
        let text = #" {"a":"x\n\u00e9\ud83d\ude00","b":-1.5e3,"c":{ "d" : [1,{}] },"e":[true],"f":null,"g":false} "#
        let json = try JSONMembers(Array(text.utf8))
        #expect(json.members.map(\.name) == ["a", "b", "c", "e", "f", "g"])
        #expect(json["a"] == .string("x\n\u{e9}\u{1F600}"))
        #expect(json["b"] == .number("-1.5e3"))
        #expect(json["c"] == .object(Array(#"{ "d" : [1,{}] }"#.utf8)))
        #expect(json["e"] == .array([.bool(true)]))
        #expect(json["f"] == .null)
        #expect(json["g"] == .bool(false))
        #expect(json["h"] == nil)
    }

    @Test(
        "text that is not JSON is rejected with its place",
        arguments: [
            ("", 0), ("[]", 0), ("{", 1), (#"{"a"}"#, 4), (#"{"a":1,}"#, 7), (#"{"a":01}"#, 5), (#"{"a":1}x"#, 7),
            (#"{"a":1,"a":2}"#, 7), (#"{"a":tru}"#, 5), (#"{"a":"\x"}"#, 7), (#"{"a":1.}"#, 7),
            (#"{"a":"\ud800"}"#, 12),
            (#"{'a':1}"#, 1), ("{\"a\":\"\u{1}\"}", 6),
        ]
    )
    func refusals(text: String, offset: Int) {
        do {
            _ = try JSONMembers(Array(text.utf8))
            Issue.record("\(text) was taken")
        } catch {
            #expect(error.offset == offset, "\(text): \(error)")
        }
    }

    @Test("nesting is limited, bytes that are not UTF-8 are rejected")
    func limits() {
        let deep = #"{"a":"# + String(repeating: "[", count: 40) + String(repeating: "]", count: 40) + "}"
        #expect(throws: JSONMembers.Malformed.self) { try JSONMembers(Array(deep.utf8)) }
        #expect(throws: JSONMembers.Malformed.self) { try JSONMembers([0x7B, 0xFF, 0x7D]) }
    }
}
