import Quantities
import Testing
import Wire

@Suite struct PhonesLineTests {
    private static let id = RequestID(ride: 5, drawIndex: 6)

    private static func read<Line>(_ text: String, _ read: (UnsafeRawBufferPointer) -> Line) -> Line {
        Array(text.utf8).withUnsafeBytes { read($0) }
    }

    @Test(
        arguments: [
            (
                "push \(id.canonical) 0aff 1234 10",
                .push(
                    id: id,
                    token: DeviceToken(bytes: [10, 255]),
                    at: Instant(microseconds: 1234),
                    priority: 10,
                    payload: nil
                )
            ),
            (
                "push \(id.canonical) 0aff 0 5 eyJhIjoxfQ==",
                .push(
                    id: id,
                    token: DeviceToken(bytes: [10, 255]),
                    at: .start,
                    priority: 5,
                    payload: Array(#"{"a":1}"#.utf8)
                )
            ),
            ("lost \(id.canonical)", .lost(id)), ("void \(id.canonical)", .void(id)), ("begun", nil), ("", nil),
            ("lost x", nil), ("push \(id.canonical) 0aff 1", nil), ("push \(id.canonical) 0a 1 10 *", nil),
            ("void \(id.canonical) more", nil),
            ("sent \(id.canonical) 7 18446744073709551615", .sentOn(id, to: [7, .max])),
            ("sent \(id.canonical)", .sentOn(id, to: [])), ("missed \(id.canonical) 7", .missed(id, ride: 7)),
            (
                "copy \(id.canonical) 7 5 10",
                .copy(id, ride: 7, at: Instant(microseconds: 5), priority: 10, payload: nil)
            ),
            ("sent \(id.canonical) 7 ", nil), ("sent \(id.canonical) -7", nil),
            ("sent \(id.canonical) 18446744073709551616", nil), ("missed \(id.canonical)", nil),
            ("missed \(id.canonical) 7 8", nil), ("copy \(id.canonical) 7 5", nil),
            ("copy \(id.canonical) 7 5 10 *", nil),
        ] as [(String, PhoneNews?)]
    )
    func readsNews(line: String, news: PhoneNews?) {
        #expect(Self.read(line) { PhoneNews(line: $0) } == news)
    }

    @Test(arguments: 0..<5)
    func newsAreReadAsTheyAreWritten(byteCount: Int) throws {
        let payload = (0..<byteCount).map { UInt8(truncatingIfNeeded: 251 * $0 + 7) }
        var lines: [UInt8] = []
        payload.withUnsafeBytes { bytes in
            PhoneNews.appendPush(
                id: Self.id,
                token: "0aff",
                at: Instant(microseconds: -5),
                priority: 5,
                payload: bytes,
                to: &lines
            )
        }
        PhoneNews.appendLost(id: Self.id, to: &lines)
        PhoneNews.appendVoid(id: Self.id, to: &lines)
        PhoneNews.appendSentOn(id: Self.id, to: [7, 12], lines: &lines)
        payload.withUnsafeBytes { bytes in
            PhoneNews.appendCopy(id: Self.id, ride: 12, at: .start, priority: 10, payload: bytes, to: &lines)
        }
        PhoneNews.appendMissed(id: Self.id, ride: 7, to: &lines)
        let text = String(decoding: lines, as: UTF8.self)
        #expect(text.hasSuffix("\n"))
        let news = text.split(separator: "\n").map { Self.read(String($0)) { PhoneNews(line: $0) } }
        let token = DeviceToken(bytes: [10, 255])
        #expect(
            news == [
                .push(id: Self.id, token: token, at: Instant(microseconds: -5), priority: 5, payload: payload),
                .lost(Self.id), .void(Self.id), .sentOn(Self.id, to: [7, 12]),
                .copy(Self.id, ride: 12, at: .start, priority: 10, payload: payload), .missed(Self.id, ride: 7),
            ]
        )
    }

    @Test(
        arguments: [
            .begin(speed: 0.5, withPayloads: true),
            .begin(speed: 100, withPayloads: false),
            .dead(TokenDigest(ride: 7, number: 3), since: Instant(microseconds: -1)), .end,
            .follows(channel: "AbC+/=", ride: 7), .leaves(channel: "AbC+/=", ride: .max),
        ] as [PhoneReport]
    )
    func reportsAreReadAsTheyAreWritten(report: PhoneReport) {
        #expect(report.line.hasSuffix("\n"))
        #expect(Self.read(String(report.line.dropLast())) { PhoneReport(line: $0) } == report)
    }

    @Test(
        arguments: [
            "", "begin", "begin 1", "begin 1 2", "begin 0 1", "begin nan 1", "begin 1e9 1", "begin x 1", "begin 1 1 1",
            "dead 0a", "dead 0 5", "dead 0a 9000000000000000000", "end now", "start",
            "follow a", "follow  7", "follow a b", "leave a -1", "leave a 7 8",
            "follow \(String(repeating: "a", count: 257)) 7",
        ]
    )
    func refusesOtherReports(line: String) {
        #expect(Self.read(line) { PhoneReport(line: $0) } == nil)
    }

    @Test func repliesAreReadAsTheyAreWritten() {
        for reply in PhoneLineReply.allCases {
            #expect(Self.read(String(reply.line.dropLast())) { PhoneLineReply(line: $0) } == reply)
        }
        #expect(Self.read("begun ") { PhoneLineReply(line: $0) } == nil)
    }
}
