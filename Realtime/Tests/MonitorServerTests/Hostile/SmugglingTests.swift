import Foundation
import TestSupport
import Testing
import Wire

@testable import MonitorServer

/// Requests whose end two readers would see in different places: they are refused, or have one end and one response.
///
/// Bytes hidden behind the end are never a request.
@Suite("Request smuggling")
struct SmugglingTests {
    /// The expected result of some bytes.
    enum Wanted {
        /// 400, 413, 431, 501 or 505, or nothing; then the connection closes.
        case refused
        /// One response with any status.
        case one
        /// One response, and the bytes after its request are refused.
        case oneThenRefused
        /// One response per request, each its own.
        case answers(Int)
    }

    /// The headers of a request, the bytes after its head, and the expected result.
    struct Row: CustomTestStringConvertible {
        var title: String
        var headers = ""
        var body = ""
        var line = "PUT /v1/instances/first/token HTTP/1.1"
        var host = "host: x\r\n"
        var wanted = Wanted.refused

        var testDescription: String { title }

        var bytes: String {
            "\(line)\r\n\(host)authorization: Bearer \(Fixture.secret)\r\n\(headers)\r\n\(body)"
        }
    }

    private static let token = #"{"token":"abcd"}"#
    private static let hidden =
        "PUT /v1/instances/smuggled/token HTTP/1.1\r\nhost: x\r\nauthorization: Bearer \(Fixture.secret)\r\n"
        + "content-length: 16\r\n\r\n\(token)"
    /// A legitimate request after another one.
    private static let second =
        "PUT /v1/instances/second/token HTTP/1.1\r\nhost: x\r\nauthorization: Bearer \(Fixture.secret)\r\n"
        + "\(length)\(close)\r\n\(token)"
    private static let coded =
        "PUT /v1/instances/second/token HTTP/1.1\r\nhost: x\r\nauthorization: Bearer \(Fixture.secret)\r\n"
        + "transfer-encoding: gzip, chunked\r\n\r\n"
    private static let chunked = "transfer-encoding: chunked\r\n"
    private static let length = "content-length: 16\r\n"
    private static let chunks = "10\r\n\(token)\r\n0\r\n\r\n"
    private static let close = "connection: close\r\n"

    private static let rows: [Row] = [
        Row(title: "CL and TE", headers: "content-length: 5\r\n" + chunked, body: "0\r\n\r\n" + hidden),
        Row(title: "TE and CL", headers: chunked + "content-length: 4\r\n", body: chunks + hidden),
        Row(title: "CL twice, different", headers: length + "content-length: 0\r\n", body: token + hidden),
        Row(title: "CL twice, equal", headers: length + length, body: token + hidden),
        Row(title: "CL as a list", headers: "content-length: 16, 0\r\n", body: token + hidden),
        Row(title: "CL negative", headers: "content-length: -16\r\n", body: token + hidden),
        Row(title: "CL with plus", headers: "content-length: +16\r\n", body: token + hidden),
        Row(title: "CL hexadecimal", headers: "content-length: 0x10\r\n", body: token + hidden),
        Row(title: "CL not a number", headers: "content-length: 1 6\r\n", body: token + hidden),
        Row(title: "CL empty", headers: "content-length:\r\n", body: token + hidden),
        Row(title: "CL above 64 bits", headers: "content-length: 18446744073709551632\r\n", body: token + hidden),
        Row(title: "CL huge", headers: "content-length: 9223372036854775807\r\n" + close, body: token),
        Row(title: "TE twice", headers: chunked + chunked, body: chunks + hidden),
        Row(title: "TE chunked, identity", headers: "transfer-encoding: chunked, identity\r\n", body: chunks + hidden),
        Row(title: "TE identity", headers: "transfer-encoding: identity\r\n", body: hidden),
        Row(title: "TE gzip, chunked", headers: "transfer-encoding: gzip, chunked\r\n", body: chunks + hidden),
        Row(title: "TE chunked, chunked", headers: "transfer-encoding: chunked, chunked\r\n", body: chunks + hidden),
        Row(title: "TE gzip and TE chunked", headers: "transfer-encoding: gzip\r\n" + chunked, body: chunks + hidden),
        Row(
            title: "TE gzip, chunked behind another",
            headers: length,
            body: token + coded + chunks + hidden,
            wanted: .oneThenRefused
        ),
        Row(title: "TE xchunked", headers: "transfer-encoding: xchunked\r\n", body: chunks + hidden),
        Row(title: "TE quoted", headers: "transfer-encoding: \"chunked\"\r\n", body: chunks + hidden),
        Row(title: "TE with vertical tab", headers: "transfer-encoding: \u{0B}chunked\r\n", body: chunks + hidden),
        Row(
            title: "TE with a space before the colon",
            headers: "transfer-encoding : chunked\r\n",
            body: chunks + hidden
        ),
        Row(
            title: "TE of HTTP/1.0",
            headers: chunked,
            body: chunks + hidden,
            line: "PUT /v1/instances/first/token HTTP/1.0",
            wanted: .oneThenRefused
        ),
        Row(title: "CL with a space before the colon", headers: "content-length : 16\r\n", body: token + hidden),
        Row(title: "obs-fold", headers: "x: a\r\n b\r\n" + length + close, body: token),
        Row(title: "obs-fold of TE", headers: "transfer-encoding:\r\n chunked\r\n", body: chunks + hidden),
        Row(title: "a line that begins with a space", headers: " x: a\r\n" + length + close, body: token),
        Row(title: "bare LF at the end of a line", headers: "x: a\n" + length + close, body: token),
        Row(title: "bare CR in a value", headers: "x: a\rb: c\r\n" + length + close, body: token),
        Row(title: "NUL in a value", headers: "x: a\0b\r\n" + length + close, body: token),
        Row(title: "NUL in a name", headers: "x\0y: a\r\n" + length + close, body: token),
        Row(title: "a name of nothing", headers: ": a\r\n" + length + close, body: token),
        Row(title: "a line without colon", headers: "nonsense\r\n" + length + close, body: token),
        Row(title: "chunk size of nothing", headers: chunked, body: "\r\n\(token)\r\n0\r\n\r\n" + hidden),
        Row(title: "chunk size 0x10", headers: chunked, body: "0x10\r\n\(token)\r\n0\r\n\r\n" + hidden),
        Row(title: "chunk size with a sign", headers: chunked, body: "+10\r\n\(token)\r\n0\r\n\r\n" + hidden),
        Row(
            title: "chunk size above 64 bits",
            headers: chunked,
            body: "10000000000000010\r\n\(token)\r\n0\r\n\r\n" + hidden
        ),
        Row(title: "chunk size with a space", headers: chunked, body: "1 0\r\n\(token)\r\n0\r\n\r\n" + hidden),
        Row(title: "chunk line ended by LF", headers: chunked, body: "10\n\(token)\r\n0\r\n\r\n" + hidden),
        Row(title: "chunk longer than it says", headers: chunked, body: "5\r\n\(token)\r\n0\r\n\r\n" + hidden),
        Row(title: "chunk extension with LF", headers: chunked, body: "10;a\nb\r\n\(token)\r\n0\r\n\r\n" + hidden),
        Row(title: "chunk extension", headers: chunked + close, body: "10;a=b\r\n\(token)\r\n0\r\n\r\n", wanted: .one),
        Row(title: "trailers", headers: chunked + close, body: "10\r\n\(token)\r\n0\r\nx: y\r\n\r\n", wanted: .one),
        Row(
            title: "trailers that change the length",
            headers: chunked + close,
            body: "10\r\n\(token)\r\n0\r\ncontent-length: 999\r\n\r\n",
            wanted: .one
        ),
        Row(title: "no host", headers: length + close, body: token, host: "", wanted: .one),
        Row(title: "two hosts", headers: "host: y\r\n" + length + close, body: token, wanted: .one),
        Row(
            title: "absolute form",
            headers: length + close,
            body: token,
            line: "PUT http://elsewhere/v1/instances/first/token HTTP/1.1",
            wanted: .one
        ),
        Row(title: "CONNECT", headers: "", body: hidden, line: "CONNECT elsewhere:443 HTTP/1.1", wanted: .one),
        Row(
            title: "an upgrade to h2c",
            headers: "upgrade: h2c\r\nconnection: upgrade, close\r\n" + length,
            body: token,
            wanted: .one
        ),
        Row(title: "HTTP/2 preface", line: "PRI * HTTP/2.0", host: ""),
        Row(title: "HTTP/0.9", line: "PUT /v1/instances/first/token", host: ""),
        Row(title: "HTTP/9.9", headers: length, body: token, line: "PUT /v1/instances/first/token HTTP/9.9"),
        Row(
            title: "a tab in the first line",
            headers: length,
            body: token,
            line: "PUT\t/v1/instances/first/token HTTP/1.1"
        ),
        Row(title: "a space in the path", headers: length, body: token, line: "PUT /v1/instances/a b/token HTTP/1.1"),
        Row(
            title: "a method of nonsense",
            headers: length,
            body: token,
            line: "P\u{7F}T /v1/instances/first/token HTTP/1.1"
        ),
        Row(
            title: "a body of GET",
            headers: "content-length: \(hidden.utf8.count)\r\n" + close,
            body: hidden,
            line: "GET /health HTTP/1.1",
            wanted: .one
        ),
        Row(
            title: "a request as the body",
            headers: "content-length: \(hidden.utf8.count)\r\n" + close,
            body: hidden,
            wanted: .one
        ),
        Row(
            title: "a request as a chunk",
            headers: chunked + close,
            body: String(hidden.utf8.count, radix: 16) + "\r\n\(hidden)\r\n0\r\n\r\n",
            wanted: .one
        ),
        Row(title: "more after a request that closes", headers: length + close, body: token + hidden, wanted: .one),
        Row(
            title: "a request that expects 100",
            headers: "expect: 200-nonsense\r\n" + length + close,
            body: token,
            wanted: .one
        ),
        Row(title: "two requests in one", headers: length, body: token + second, wanted: .answers(2)),
        Row(title: "a head too long", headers: "x: \(String(repeating: "y", count: 20_000))\r\n" + length, body: token),
        Row(title: "too many fields", headers: String(repeating: "x: y\r\n", count: 100) + length, body: token),
    ]

    @Test("one request is never read as two, and a malformed one closes the connection", arguments: rows)
    func smuggling(row: Row) async throws {
        let tally = HostileTally("request smuggling", checks: 2)
        var limits = MonitorLimits()
        (limits.requestSeconds, limits.idleSeconds) = (5, 5)
        try await ServedMonitor.running(limits) { port, registry in
            let text = try await ServedMonitor.send([row.bytes], to: port)
            let statuses = text.components(separatedBy: "HTTP/1.1 ").dropFirst().compactMap { Int($0.prefix(3)) }
            let isRight =
                switch row.wanted {
                case .refused:
                    statuses.isEmpty || statuses.count == 1 && [400, 413, 431, 501, 505].contains(statuses[0])
                case .one: statuses.count == 1
                case .oneThenRefused: statuses.count == 2 && [400, 501].contains(statuses[1])
                case .answers(let count): statuses.count == count && statuses.allSatisfy { $0 < 300 }
                }
            #expect(tally.counts(isRight), "\(row.title): \(statuses)\n\(text)")
            let names = try registry.load().map(\.id.text)
            #expect(tally.counts(Set(names).isSubset(of: ["first", "second"])), "\(row.title): \(names)")
        }
    }
}
