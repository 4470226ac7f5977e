import CommandTestSupport
import Foundation
import FreshnessCore
import NIOCore
import TestSupport
import Testing
import TextFormats
import Wire

@testable import APNsStandIn

@Suite("The log of requests")
struct RequestLogTests {
    private let scratch = Scratch()

    private static let token = "0A0a"

    private func request(
        _ number: UInt64 = 1,
        token: String = token,
        more: [(name: String, value: String)] = [],
        payload: [UInt8] = Array("{}".utf8)
    ) -> LoggedRequest {
        let fields: [(name: String, value: String)] = [
            (":method", "POST"), (":scheme", "https"), (":path", "/3/device/\(token)"), ("apns-topic", "a.b"),
        ]
        return LoggedRequest(
            time: 1_700_000_000_250_000,
            head: LoggedHead(fields + more),
            id: .made(RequestID(high: 0xABCD, low: number)),
            bodyBytes: payload.count,
            payload: ByteBuffer(bytes: payload)
        )
    }

    /// Returns the members of a text that must be one line.
    private func members(_ line: String) throws -> JSONMembers {
        #expect(!line.contains("\n") && !line.contains("\r"))
        return try JSONMembers(Array(line.utf8))
    }

    @Test("A line has all known data")
    func line() {
        var request = request(0xEF)
        request.answered(status: 200, reason: nil)
        request.settled("shown")
        #expect(request.isClosed)
        #expect(
            request.line
                == #"{"time":"2023-11-14T22:13:20.250Z","method":"POST","path":"/3/device/0A0a","token":"0A0a","#
                + #""apns_id":"00000000-0000-ABCD-0000-0000000000EF","headers":{"apns-topic":"a.b"},"payload_bytes":2,"#
                + #""payload":"{}","status":200,"effect":"shown"}"#
        )
    }

    @Test("A refusal closes a request, and so does a known fate without an answer")
    func outcomes() {
        var refused = request()
        refused.answered(status: 403, reason: .wire(.invalidProviderToken))
        #expect(refused.isClosed)
        #expect(refused.line.hasSuffix(#""status":403,"reason":"InvalidProviderToken"}"#))
        var unanswered = request()
        unanswered.unanswered()
        #expect(!unanswered.isClosed)
        unanswered.settled("lost")
        #expect(unanswered.isClosed)
        #expect(unanswered.line.hasSuffix(#""payload":"{}","effect":"lost"}"#))
    }

    @Test("No input of a provider adds a second line or member, and no signature is written")
    func injection() throws {
        let tally = HostileTally("request log injection", checks: 6)
        let evil = "x\n{\"status\":200}\r\u{2028}\u{0}\u{1b}[2J\""
        let line = request(
            token: "ab\",\"effect\":\"shown",
            more: [
                ("authorization", "bearer aGVhZA.Y2xhaW0.c2lnbmF0dXJl"), ("x-evil", evil), ("x-twice", "1"),
                ("x-twice", "2"), ("effect", "shown"), ("evil\"name", "y"),
            ],
            payload: Array(evil.utf8)
        )
        .line
        let members = try members(line)
        #expect(tally.counts(members["effect"] == nil && members["status"] == nil))
        #expect(tally.counts(members["payload"]?.text == evil))
        let headers = try #require(members["headers"]?.members)
        #expect(tally.counts(headers["x-evil"]?.text == evil && headers["evil\"name"]?.text == "y"))
        #expect(tally.counts(headers["x-twice"]?.text == "1, 2"))
        #expect(tally.counts(headers["authorization"]?.text == "bearer aGVhZA.Y2xhaW0.…"))
        #expect(tally.counts(members["token"]?.text == "ab\",\"effect\":\"shown"))
    }

    @Test(
        "An authorization that is not a token is not written at all",
        arguments: ["basic secret", "bearer secret", "a.b"]
    )
    func otherAuthorizations(value: String) throws {
        let headers = try members(request(more: [("authorization", value)]).line)["headers"]?.members
        #expect(headers?["authorization"]?.text == "…")
    }

    @Test("A payload that is not text is in base64; a payload that is too long is omitted")
    func payloads() throws {
        #expect(try members(request(payload: [0xFF, 0x00]).line)["payload_base64"]?.text == "/wA=")
        let long = LoggedRequest(
            time: 0,
            head: LoggedHead([(":path", "/")]),
            id: .made(RequestID(high: 0, low: 0)),
            bodyBytes: 9000,
            payload: nil
        )
        let members = try members(long.line)
        #expect(members["payload"] == nil && members["payload_bytes"]?.integer() == 9000 && members["token"] == nil)
    }

    @Test("The newest requests are kept, and found by their token in either case")
    func newest() throws {
        let log = try RequestLog(RequestLog.Configuration(kept: 3))
        for number in 1...5 as ClosedRange<UInt64> {
            let place = log.received(request(number, token: number.isMultiple(of: 2) ? "BB" : "aa"))
            log.answered(place, status: 200)
            log.settled(place, "shown")
        }
        func found(_ limit: Int, _ token: String? = nil) -> [UInt64] {
            log.newest(limit, token: token).map { $0.id.id.low }
        }
        #expect(found(100) == [3, 4, 5])
        #expect(found(2) == [4, 5])
        #expect(found(100, "aa") == [3, 5])
        #expect(found(1, "aa") == [5])
        #expect(found(100, "bb") == [4])
        #expect(found(100, "cc") == [])
    }

    @Test("A request is found before its outcome is known, and closed early if there is no room")
    func open() throws {
        let log = try RequestLog(RequestLog.Configuration(kept: 1))
        let first = log.received(request(1))
        #expect(log.newest(10, token: nil).map(\.status) == [nil])
        // 256 MiB in requests of more than 1 MiB.
        let large = [UInt8](repeating: 0x20, count: 1 << 20)
        for number in 2...300 as ClosedRange<UInt64> { _ = log.received(request(number, payload: large)) }
        log.answered(first, status: 200)
        #expect(log.newest(1, token: nil).map { $0.id.id.low } == [300])
    }

    @Test("Lines are appended to the file in the order of their outcomes")
    func file() async throws {
        let path = scratch.path("log.ndjson")
        try "before\n".write(toFile: path, atomically: true, encoding: .utf8)
        let log = try RequestLog(RequestLog.Configuration(file: path))
        let numbers = (1...3 as ClosedRange<UInt64>).map { log.received(request($0)) }
        log.answered(numbers[1], status: 400, reason: .push(.badDeviceToken))
        log.answered(numbers[0], status: 200)
        log.settled(numbers[0], "shown")
        // Later events change nothing.
        log.settled(numbers[0], "older")
        await log.stop()
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(lines.first == "before")
        #expect(lines.dropFirst().map { $0.hasSuffix("}") } == [true, true, true])
        #expect(lines.dropFirst().map { $0.contains("-000000000001\"") } == [false, true, false])
        #expect(lines[2].hasSuffix(#""status":200,"effect":"shown"}"#))
        #expect(log.lostLines == 0)
    }

    @Test("A file is created for this user alone; a file of another kind is refused at once")
    func places() throws {
        let tally = HostileTally("request log files", checks: 5)
        let path = scratch.path("new.ndjson")
        _ = try RequestLog(RequestLog.Configuration(file: path))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(tally.counts(mode == 0o600))
        let pipe = scratch.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, scratch.path, "/dev/null", scratch.path("none/log")] {
            #expect(throws: StandInError.self, "\(path)") { try RequestLog(RequestLog.Configuration(file: path)) }
            tally.counts(true)
        }
    }

    @Test(
        "Questions",
        arguments: [
            (nil, nil, 100), ("", nil, 100), ("token=0A0b", "0a0b", 100), ("limit=7&token=aa", "aa", 7),
            ("limit=1000", nil, 1000),
        ] as [(String?, String?, Int)]
    )
    func queries(text: String?, token: String?, limit: Int) throws {
        let query = try RequestQuery(text)
        #expect(query.token == token)
        #expect(query.limit == limit)
    }

    @Test(
        "Invalid queries",
        arguments: [
            "limit=0", "limit=1001", "limit=-1", "limit=9223372036854775808", "limit=1e2", "limit=", "limit", "token=",
            "token=abc", "token=../../etc", "token=zz", "token=aa&token=bb", "limit=1&limit=1", "path=/etc/passwd", "=",
            "token=" + String(repeating: "a", count: 1026), "Token=aa",
        ]
    )
    func badQueries(text: String) {
        let tally = HostileTally("request log queries", checks: 1)
        let refusal = #expect(throws: RequestQuery.Refusal.self) { try RequestQuery(text) }
        #expect(tally.counts(refusal.map { "\($0)".utf8.count < 300 } ?? false), "it is short, and repeats no token")
    }

    @Test(
        "A refusal says what came and what is allowed, and repeats no token",
        arguments: [
            ("token=zz", "2 characters, 2 of them not hexadecimal digits"), ("token=abc", "3 hexadecimal digits"),
            ("token=", "nothing"), ("limit=0", "0"), ("limit=many", "not a whole number"), ("limit=", "nothing"),
            ("limits=1", "limits"), ("limit=1&limit=1", "two of limit"), ("0a0b=1", "another name"),
        ]
    )
    func refusals(text: String, got: String) {
        let refusal = #expect(throws: RequestQuery.Refusal.self) { try RequestQuery(text) }
        #expect(refusal?.got == got)
        #expect(refusal?.allowed.isEmpty == false)
    }

    @Test("A domain that leads here is not answered")
    func hosts() {
        for host in ["127.0.0.1:9", "localhost:9", "localhost", "[::1]:9", "10.0.0.7", "apns:9090"] {
            #expect(RequestLog.isAddress(host), "\(host)")
        }
        for host in ["evil.example:9", "127.0.0.1.evil.example", "", ":9"] {
            #expect(!RequestLog.isAddress(host), "\(host)")
        }
    }
}
