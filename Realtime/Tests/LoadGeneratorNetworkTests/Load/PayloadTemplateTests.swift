import NIOCore
import Testing

@testable import LoadGenerator

@Suite struct PayloadTemplateTests {
    @Test(arguments: [200, 500, 4096])
    func isAsLongAsItShall(byteCount: Int) {
        let payload = PayloadTemplate.update(byteCount: byteCount).payload(unixSeconds: 1_700_000_000)
        #expect(payload.readableBytes == byteCount)
        #expect(String(buffer: payload).contains(#""timestamp":1700000000,"#))
    }

    private static func text(_ document: String, at second: Int64) throws -> String {
        let document = try PayloadDocument(document, now: 1000)
        return String(buffer: PayloadTemplate.document(document).payload(unixSeconds: second))
    }

    @Test(arguments: ["{}", #"{"a":{"timestamp":5}}"#, #"{"aps":[1]}"#])
    func aDocumentWithoutAPSStaysAsItIs(text: String) throws {
        #expect(try Self.text(text, at: 5) == text)
    }

    @Test("The timestamp is the push's; other dates keep their distance from it, and all else stays as it is")
    func dates() throws {
        let document =
            #"{ "aps" : {"stale-date": 160, "event":"update","content-state":{"timestamp":1},"#
            + #""timestamp" :100.5,"dismissal-date":90 } ,"x":[{"stale-date":1}]}"#
        let expected =
            #"{ "aps" : {"stale-date": 560, "event":"update","content-state":{"timestamp":1},"#
            + #""timestamp" :500,"dismissal-date":490 } ,"x":[{"stale-date":1}]}"#
        #expect(try Self.text(document, at: 500) == expected)
    }

    @Test("A document without a timestamp gets one, from which its dates count from the beginning on")
    func noTimestamp() throws {
        #expect(try Self.text(#"{"aps":{}}"#, at: 7) == #"{"aps":{"timestamp":7}}"#)
        #expect(
            try Self.text(#"{"aps":{"event":"end","stale-date":1060}}"#, at: 1010)
                == #"{"aps":{"timestamp":1010,"event":"end","stale-date":1070}}"#
        )
    }

    @Test("A document that is no JSON object is refused with its place")
    func malformed() {
        #expect(throws: PayloadDocument.Malformed(line: 2, column: 5, expected: "a value")) {
            _ = try PayloadDocument("{\n\"a\":,}", now: 0)
        }
        #expect(throws: PayloadDocument.Malformed(line: 1, column: 1, expected: "an object")) {
            _ = try PayloadDocument("[]", now: 0)
        }
    }
}
