import CommandTestSupport
import LoadGenerator
import NIOCore
import NIOHTTP1
import NIOSSL
import TestSupport
import Testing

@testable import APNsStandIn
@testable import ServiceLoad

/// The client of HTTP services, against a server whose bytes each test selects.
@Suite("The client of HTTP services") struct HTTPClientTests {
    private static let patience = TimeAmount.seconds(Int64(Patience.seconds))

    /// Gives a test a client of a server, and then closes both.
    private func with(
        _ server: ScriptedServer,
        connections: Int = 1,
        wait: TimeAmount = patience,
        timeout: TimeAmount = patience,
        _ test: (HTTPClient) async throws -> Void
    ) async throws {
        let client = try HTTPClient(server.url, connections: connections, wait: wait, timeout: timeout)
        try await test(client)
        await client.shutDown()
        try await server.stop()
    }

    /// Returns the text of the error by which a request fails, and its outcome in a load.
    private func failure(of client: HTTPClient, body: String? = nil) async -> (String, APNsOutcome)? {
        do {
            _ = try await client.send("POST", "/", body: body)
            return nil
        } catch {
            return (ConnectionCause.text(error), HTTPOutcome(.failure(error)).outcome)
        }
    }

    // MARK: - Connections

    @Test("requests one after another use one connection, with the fields of HTTP/1.1")
    func keepAlive() async throws {
        let server = try await ScriptedServer { .answer("\($0.number)") }
        try await with(server, connections: 4) { client in
            for number in 1...3 {
                let answer = try await client.send("PUT", "/a?b=c", headers: ["x-key": "secret"], body: "é")
                #expect(answer.status == 200 && String(buffer: answer.body) == "\(number)")
            }
            #expect(server.connectionCount == 1)
            let head =
                "PUT /a?b=c HTTP/1.1\r\nx-key: secret\r\nhost: 127.0.0.1:\(server.port)\r\ncontent-length: 2\r\n\r\né"
            #expect(server.received.map(\.text) == [head, head, head])
        }
    }

    @Test("many requests share the connections that are allowed")
    func limit() async throws {
        let server = try await ScriptedServer { _ in .answer(after: .milliseconds(2)) }
        try await with(server, connections: 3) { client in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<60 { group.addTask { try await client.send("GET", "/").status } }
                for try await status in group { #expect(status == 200) }
            }
            #expect((1...3).contains(server.connectionCount) && server.received.count == 60)
        }
    }

    @Test("requests that wait get a connection in the order of their arrival")
    func order() async throws {
        let server = try await ScriptedServer { _ in .answer(after: .milliseconds(20)) }
        try await with(server) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask { _ = try await client.send("POST", "/", body: "\(number)") }
                    #expect(await eventually { client.waitingCount + server.received.count > number })
                }
                try await group.waitForAll()
            }
            #expect(server.received.map { String($0.text.suffix(1)) }.joined() == "01234567")
        }
    }

    @Test("a connection that the server closes after an answer is replaced", arguments: [false, true])
    func closedWhileFree(isAnnounced: Bool) async throws {
        let server = try await ScriptedServer { request in
            isAnnounced
                ? .init(bytes: "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
                : .answer(closes: true)
        }
        try await with(server) { client in
            for number in 1...3 {
                let answer = try await client.send("GET", "/")
                #expect(answer.status == 200)
                #expect(await eventually { client.connectionCount == 0 })
                #expect(server.connectionCount == number)
            }
        }
    }

    @Test("a server that starts within the wait gets the request")
    func lateServer() async throws {
        let first = try await ScriptedServer { _ in .silence }
        try await first.stop()
        let client = try HTTPClient(first.url, timeout: Self.patience)
        async let answer = client.send("GET", "/")
        #expect(await eventually { client.waitingCount == 1 })
        try await Task.sleep(for: .milliseconds(150))
        let second = try await ScriptedServer(port: first.port) { _ in .answer("late") }
        #expect(String(buffer: try await answer.body) == "late")
        await client.shutDown()
        try await second.stop()
    }

    @Test("TLS trusts the authorities that it is given, and no others", arguments: [true, false])
    func authority(isGiven: Bool) async throws {
        let (identity, other) = (try ServerIdentity.throwAway(), try ServerIdentity.throwAway())
        let scratch = Scratch()
        let file = try scratch.write((isGiven ? identity : other).authorityPEM ?? "", to: "ca.pem")
        let tls = TLSConfiguration.makeServerConfiguration(certificateChain: identity.chain, privateKey: identity.key)
        let server = try await ScriptedServer(tls: tls) { _ in .answer() }
        let client = try HTTPClient(
            "https://localhost:\(server.port)",
            authority: file,
            wait: isGiven ? Self.patience : .milliseconds(500),
            timeout: Self.patience
        )
        let failure = await failure(of: client)
        #expect(failure?.1 == (isGiven ? nil : .notSent), "\(String(describing: failure))")
        #expect(server.received.count == (isGiven ? 1 : 0))
        await client.shutDown()
        try await server.stop()
    }

    // MARK: - Time limits and ends

    @Test("a request without a connection in time is not sent")
    func wait() async throws {
        let server = try await ScriptedServer { _ in .silence }
        try await with(server, wait: .milliseconds(100), timeout: .seconds(2)) { client in
            async let first = failure(of: client)
            #expect(await server.hasReceived(1))
            let second = await failure(of: client)
            #expect(second?.0 == "no connection in time" && second?.1 == .notSent)
            let last = await first
            #expect(last?.0 == "no answer in time" && last?.1 == .timedOut)
            #expect(server.received.count == 1)
        }
    }

    @Test("a server that cannot be reached is named with the reason of the system")
    func refused() async throws {
        let server = try await ScriptedServer { _ in .silence }
        try await server.stop()
        let client = try HTTPClient(server.url, wait: .milliseconds(300), timeout: Self.patience)
        let failure = await failure(of: client)
        #expect(failure?.0 == "connection refused" && failure?.1 == .notSent)
        await client.shutDown()
    }

    @Test("a connection whose answer is late is closed, so that the answer belongs to no other request")
    func timeout() async throws {
        let server = try await ScriptedServer {
            .answer("\($0.number)", after: .milliseconds($0.number == 1 ? 700 : 0))
        }
        try await with(server, timeout: .milliseconds(500)) { client in
            #expect(await failure(of: client)?.1 == .timedOut)
            let body = try await client.send("GET", "/").body
            #expect(String(buffer: body) == "2")
            #expect(server.connectionCount == 2)
        }
    }

    @Test("a request may have a shorter limit than the client", .timeLimit(.minutes(1)))
    func shorterLimit() async throws {
        let server = try await ScriptedServer { _ in .silence }
        try await with(server, timeout: .hours(1)) { client in
            await #expect(throws: HTTPClientError.self) {
                try await client.send("GET", "/", within: .milliseconds(20))
            }
        }
    }

    @Test("a cancelled request ends at once, also without a connection")
    func cancellation() async throws {
        let server = try await ScriptedServer { $0.number == 1 ? .silence : .answer("\($0.number)") }
        try await with(server) { client in
            let requests = [Task { try await client.send("GET", "/") }, Task { try await client.send("GET", "/") }]
            #expect(await server.hasReceived(1))
            #expect(await eventually { client.waitingCount == 1 })
            for request in requests { request.cancel() }
            for request in requests { await #expect(throws: CancellationError.self) { try await request.value } }
            let body = try await client.send("GET", "/").body
            #expect(String(buffer: body) == "2")
        }
    }

    @Test("the end of a client ends its requests, in flight or waiting")
    func shutDown() async throws {
        let server = try await ScriptedServer { _ in .silence }
        try await with(server) { client in
            async let first = failure(of: client)
            async let second = failure(of: client)
            #expect(await server.hasReceived(1))
            #expect(await eventually { client.waitingCount == 1 })
            await client.shutDown()
            for failure in await [first, second] {
                #expect(failure?.0 == "the client was shut down" && failure?.1 == .connectionLost)
            }
            #expect(await failure(of: client)?.0 == "the client was shut down")
            #expect(client.connectionCount == 0)
        }
    }

    // MARK: - Answers

    @Test(
        "answers are read to their end",
        arguments: [
            ("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nabcde", 200, "abcde"),
            ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", 200, "abcde"),
            (
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 201 A\r\ncontent-length: 1\r\n\r\na",
                201, "a"
            ),
            ("HTTP/1.1 204 No Content\r\n\r\n", 204, ""),
            ("HTTP/1.1 302 Found\r\nlocation: /b\r\ncontent-length: 0\r\n\r\n", 302, ""),
        ]
    )
    func bodies(bytes: String, status: Int, body: String) async throws {
        let server = try await ScriptedServer { _ in .init(bytes: bytes) }
        try await with(server) { client in
            for _ in 0..<2 {
                let answer = try await client.send("GET", "/")
                #expect(answer.status == status && String(buffer: answer.body) == body)
            }
            #expect(server.connectionCount == 1)
        }
    }

    @Test("an answer without a length ends with its connection")
    func untilEnd() async throws {
        let server = try await ScriptedServer { _ in .init(bytes: "HTTP/1.1 200 OK\r\n\r\nabc", closes: true) }
        try await with(server) { client in
            for _ in 0..<2 {
                let body = try await client.send("GET", "/").body
                #expect(String(buffer: body) == "abc")
            }
        }
    }

    @Test(
        "an answer that is incomplete or invalid is no answer",
        arguments: [
            ("", "the server closed the connection before its answer was complete"),
            ("HTTP/1.1 200 O", "the server closed the connection before its answer was complete"),
            (
                "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nabc",
                "the server closed the connection before its answer was complete"
            ),
            (
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n",
                "the server closed the connection before its answer was complete"
            ),
            ("SSH-2.0-OpenSSH\r\n", "the answer is not valid HTTP"),
            ("HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n", "the answer is not valid HTTP"),
            ("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", "the answer is not valid HTTP"),
            (
                "HTTP/1.1 200 OK\r\ncontent-length: 2000000\r\n\r\n" + String(repeating: "x", count: 2_000_000),
                "the answer's body is larger than 1048576 bytes"
            ),
        ]
    )
    func broken(bytes: String, cause: String) async throws {
        let server = try await ScriptedServer { $0.number == 1 ? .init(bytes: bytes, closes: true) : .answer("good") }
        try await with(server) { client in
            let failure = await failure(of: client, body: "x")
            #expect(failure?.0 == cause && failure?.1 == .connectionLost, "\(String(describing: failure))")
            // It is not sent again, and the next request has its own connection.
            #expect(server.received.count == 1)
            let body = try await client.send("GET", "/").body
            #expect(String(buffer: body) == "good")
        }
    }

    @Test(
        "bytes after an answer answer no other request",
        arguments: ["garbage", ScriptedServer.Reply.answer("bad").bytes]
    )
    func surplus(bytes: String) async throws {
        let server = try await ScriptedServer {
            $0.number == 1 ? .init(bytes: ScriptedServer.Reply.answer("good").bytes + bytes) : .answer("good")
        }
        try await with(server) { client in
            async let second = client.send("GET", "/")
            let body = try await client.send("GET", "/").body
            #expect(String(buffer: body) == "good")
            let other = try await second.body
            #expect(String(buffer: other) == "good")
            #expect(server.connectionCount == 2)
        }
    }

    @Test("a field with a line end is not sent")
    func invalidRequest() async throws {
        let server = try await ScriptedServer { _ in .answer() }
        try await with(server) { client in
            await #expect(throws: HTTPClientError.self) {
                try await client.send("GET", "/", headers: ["a": "b\r\nc: d"])
            }
            #expect(server.received.isEmpty)
        }
    }

    @Test("only an address with scheme and host is accepted", arguments: ["localhost:80", "ftp://a", "http://a/b", ""])
    func address(text: String) {
        #expect(throws: HTTPClientError.self) { try HTTPClient(text, timeout: .seconds(1)) }
    }
}
