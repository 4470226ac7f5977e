import Testing

@testable import TextFormats

@Suite("A row of NDJSON")
struct JSONRowTests {
    /// The members of a line as `name=value`; nil if it is not valid.
    private static func members(_ line: String) -> [String]? {
        let bytes = Array(line.utf8)
        var row = JSONRow()
        guard row.read(bytes) else { return nil }
        return row.members.map { member in
            let value = member.hasEscapes ? JSONRow.unescaped(bytes[member.value]) : Array(bytes[member.value])
            return String(decoding: row.names[member.name], as: UTF8.self) + "="
                + String(decoding: value, as: UTF8.self)
        }
    }

    @Test("Members have their places, nested ones a path, and lists are skipped")
    func members() {
        #expect(Self.members(#"{"a":1,"b":"x"}"#) == ["a=1", "b=x"])
        #expect(
            Self.members(#" { "p" : { "id" : -2.5e3 , "q": {"r": true} }, "l": [1, {"m": 2}], "z": "" } "#) == [
                "p.id=-2.5e3", "p.q.r=true", "z=",
            ]
        )
        #expect(Self.members("{}") == [])
        #expect(Self.members(#"{"a":null}"#) == ["a="])
    }

    @Test("Escapes are replaced")
    func escapes() {
        #expect(Self.members(#"{"a":"x\"y\u0041\\"}"#) == [#"a=x"yA\"#])
    }

    @Test(
        "Anything else is no row",
        arguments: [
            "", "1", "[]", "{", #"{"a"}"#, #"{"a":}"#, #"{"a":1"#, #"{"a":1}x"#, #"{"a":tru}"#, #"{"a":"b}"#,
            #"{"a":1,}"#, "{a:1}",
        ]
    )
    func malformed(line: String) {
        #expect(Self.members(line) == nil)
    }

    @Test("Deep nesting is refused")
    func deep() {
        let line = String(repeating: #"{"a":"#, count: 1000) + "1" + String(repeating: "}", count: 1000)
        #expect(Self.members(line) == nil)
    }

    @Test("Whole numbers of bytes, and hashes that differ")
    func plain() {
        func number(_ text: String) -> Int64? { PlainBytes.integer(Array(text.utf8)[...]) }
        #expect(number("57620769721") == 57_620_769_721)
        #expect(number("-7") == -7)
        #expect(number("") == nil && number("1.5") == nil && number("12345678901234567890") == nil)
        #expect(PlainBytes.hash(Array("a".utf8)[...]) != PlainBytes.hash(Array("b".utf8)[...]))
    }
}
