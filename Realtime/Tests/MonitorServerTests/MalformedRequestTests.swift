import Foundation
import TestSupport
import Testing

@testable import MonitorServer

/// Bytes that are not a request, and requests that do not end, each on its own socket.
@Suite("Malformed and slow requests")
struct MalformedRequestTests {
    private static func head(_ headers: String, secret: String = Fixture.secret) -> String {
        "PUT /v1/instances/r/token HTTP/1.1\r\nhost: x\r\nauthorization: Bearer \(secret)\r\n\(headers)\r\n"
    }

    @Test(
        "a malformed body gets 400, an unknown coding 501, and the connection closes",
        arguments: [
            ("transfer-encoding: chunked\r\n", "zz\r\nabc\r\n", 400),
            ("transfer-encoding: chunked\r\n", "-1\r\nabc\r\n", 400),
            ("transfer-encoding: chunked\r\n", "3\r\nabcdef\r\n0\r\n\r\n", 400),
            ("transfer-encoding: chunked\r\n", "ffffffffffffffffff\r\nabc\r\n", 400),
            ("transfer-encoding: chunked\r\n", "0x3\r\nabc\r\n0\r\n\r\n", 400),
            ("host: example.org\r\n", "", 400),
            ("transfer-encoding: gzip\r\n", "abc", 501),
            ("transfer-encoding: gzip, chunked\r\n", "3\r\nabc\r\n0\r\n\r\n", 501),
            // If chunked is not the last coding, the end of the body is undefined (RFC 9112, 6.3).
            ("transfer-encoding: Chunked, gzip\r\n", "abc", 400),
        ]
    )
    func malformed(headers: String, body: String, status: Int) async throws {
        try await ServedMonitor.running { port, _ in
            let answer = try await ServedMonitor.send([Self.head(headers) + body], to: port)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
            #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2, "one answer, then the end")
        }
    }

    @Test("a body far larger than allowed closes the connection: later bytes are not read")
    func largeBody() async throws {
        try await ServedMonitor.running { port, _ in
            let chunk = "10000\r\n" + String(repeating: "x", count: 65_536) + "\r\n"
            let head =
                "PUT /v1/instances/r/content HTTP/1.1\r\nHost: m\r\nAuthorization: Bearer \(Fixture.secret)\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n"
            let next = "0\r\n\r\nGET /health HTTP/1.1\r\nHost: m\r\nConnection: close\r\n\r\n"
            let text = try await ServedMonitor.send([head] + Array(repeating: chunk, count: 100) + [next], to: port)
            #expect(!text.contains("200 OK"), "\(text)")
        }
    }

    @Test(
        "a body that does not end in time closes the connection, with and without the secret",
        .timeLimit(.minutes(10)),
        arguments: [true, false]
    )
    func slowBody(hasSecret: Bool) async throws {
        var limits = MonitorLimits()
        limits.requestSeconds = 1
        try await ServedMonitor.running(limits) { port, _ in
            let head = Self.head("content-length: 8000\r\n", secret: hasSecret ? Fixture.secret : "another")
            // The body would take an hour. The test waits for the connection to close.
            let body = Array(repeating: " ", count: 7200)
            _ = try await ServedMonitor.send([head] + body, pause: .milliseconds(500), to: port)
        }
    }

    @Test("a body that arrives in pieces but in time is accepted")
    func pieces() async throws {
        var limits = MonitorLimits()
        limits.requestSeconds = Int64(Patience.seconds)
        try await ServedMonitor.running(limits) { port, _ in
            let body = #"{"token":"abcd"}"#
            let head = Self.head("content-length: \(body.utf8.count)\r\nconnection: close\r\n")
            let answer = try await ServedMonitor.send(
                [head] + body.map { String($0) },
                pause: .milliseconds(5),
                to: port
            )
            #expect(answer.hasPrefix("HTTP/1.1 201 "))
        }
    }
}
