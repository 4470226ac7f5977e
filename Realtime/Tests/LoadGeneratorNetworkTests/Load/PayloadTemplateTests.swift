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

    @Test("Each push has its timestamp, other dates keep their distance from it, and all else stays unchanged")
    func dates() throws {
        let document =
            #"{ "aps" : {"stale-date": 160, "event":"update","content-state":{"timestamp":1},"#
            + #""timestamp" :100.5,"dismissal-date":90 } ,"x":[{"stale-date":1}]}"#
        let expected =
            #"{ "aps" : {"stale-date": 560, "event":"update","content-state":{"timestamp":1},"#
            + #""timestamp" :500,"dismissal-date":490 } ,"x":[{"stale-date":1}]}"#
        #expect(try Self.text(document, at: 500) == expected)
    }

    @Test("A document without a timestamp gets one, and its dates count from the beginning of the load")
    func noTimestamp() throws {
        #expect(try Self.text(#"{"aps":{}}"#, at: 7) == #"{"aps":{"timestamp":7}}"#)
        #expect(
            try Self.text(#"{"aps":{"event":"end","stale-date":1060}}"#, at: 1010)
                == #"{"aps":{"timestamp":1010,"event":"end","stale-date":1070}}"#
        )
    }

    @Test(
        "A document that is not a JSON object, or has a name twice, is rejected with the place",
        arguments: [
            ("{\n\"a\":,}", 2, 5, "a value"), ("[]", 1, 1, "an object"),
            (#"{"aps":{},"aps":{}}"#, 1, 11, "each name once"),
            ("{\"aps\":\n {\"timestamp\":1,\"timestamp\":2}}", 2, 17, "each name once"),
        ]
    )
    func malformed(text: String, line: Int, column: Int, expected: String) {
        let problem = "must be a JSON object; expected \(expected)"
        #expect(throws: PayloadDocument.Malformed(line: line, column: column, problem: problem)) {
            _ = try PayloadDocument(text, now: 0)
        }
    }

    @Test(
        "A date that is not in seconds is rejected with the place",
        arguments: [
            ("timestamp", "1700000000000", "1700000000000, which are milliseconds"),
            ("stale-date", "1700000000000", "1700000000000, which are milliseconds"),
            ("dismissal-date", "1.7e12", "1.7e12, which are milliseconds"), ("timestamp", "1e10", "1e10"),
            ("timestamp", "-1", "-1"), ("stale-date", "1700000000000000", "1700000000000000"),
            ("timestamp", #""1700000000""#, "a string of 10 bytes"), ("stale-date", #""soon""#, "a string of 4 bytes"),
            ("timestamp", "null", "null"), ("timestamp", "[1]", "an array"), ("dismissal-date", "true", "true"),
        ]
    )
    func dates(name: String, value: String, got: String) {
        let problem = "aps.\(name) must be a number of seconds since 1970 within 0...9999999999, got \(got)"
        let malformed = PayloadDocument.Malformed(line: 2, column: name.count + 4, problem: problem)
        #expect(throws: malformed) { _ = try PayloadDocument("{\"aps\":{\n\"\(name)\":\(value)}}", now: 0) }
    }

    @Test("An optional date may be null")
    func nullDate() throws {
        #expect(
            try Self.text(#"{"aps":{"timestamp":1,"stale-date":null}}"#, at: 7)
                == #"{"aps":{"timestamp":7,"stale-date":null}}"#
        )
    }

    @Test(
        "A start that names a channel and asks for a token is refused with both places"
    )
    func twoInputs() throws {
        let problem =
            "aps.input-push-channel must not be beside aps.input-push-token (2:20), got both; allowed: one of them, because a "
            + "card follows its token or a channel"
        #expect(throws: PayloadDocument.Malformed(line: 3, column: 22, problem: problem)) {
            _ = try PayloadDocument("{\"aps\":{\n\"input-push-token\":1,\n\"input-push-channel\":\"AA==\"}}", now: 0)
        }
        for aps in [#""input-push-token":1"#, #""input-push-channel":"AA==","input-push-token":null"#] {
            _ = try PayloadDocument("{\"aps\":{\(aps)}}", now: 0)
        }
    }
}
