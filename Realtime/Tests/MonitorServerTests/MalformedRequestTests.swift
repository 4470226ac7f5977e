import CommandTestSupport
import Foundation
import Logging
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import MonitorServer

/// Bytes that are no request, and requests that do not end, on a socket of their own.
@Suite("Requests that are malformed, or take their time")
struct MalformedRequestTests {
    /// Serves while some work is done with the port.
    private func serving(_ limits: MonitorLimits = MonitorLimits(), _ work: (Int) async throws -> Void) async throws {
        let scratch = try Scratch()
        let clock = SystemClock()
        let monitor = try Monitor(
            machine: Fixture.machine(at: clock.now),
            registry: Registry(path: scratch.path("tokens.sqlite")),
            transport: FakeTransport(),
            clock: clock
        )
        let application = try MonitorApplication(
            monitor: monitor,
            clock: clock,
            secret: Fixture.secret,
            limits: limits,
            host: "127.0.0.1",
            port: 0,
            tls: nil,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        let serving = Task { try await application.run(lifetime: nil) { ready.yield($0) } }
        var iterator = ports.makeAsyncIterator()
        let port = await iterator.next() ?? 0
        do {
            try await work(port)
        } catch {
            serving.cancel()
            throw error
        }
        serving.cancel()
        _ = try? await serving.value
    }

    /// Sends pieces with a pause after each and returns what came until the end of the connection.
    private func send(_ pieces: [String], pause: Duration = .zero, to port: Int) async throws -> String {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            let writing = Task {
                for piece in pieces {
                    // The other end may have closed.
                    try await outbound.write(ByteBuffer(string: piece))
                    try await Task.sleep(for: pause)
                }
            }
            defer { writing.cancel() }
            var text = ByteBuffer()
            do {
                for try await bytes in inbound { text.writeImmutableBuffer(bytes) }
            } catch {
                // Reset: that is an end, too.
            }
            return String(buffer: text)
        }
    }

    private static func head(_ headers: String, secret: String = Fixture.secret) -> String {
        "PUT /v1/instances/r/token HTTP/1.1\r\nhost: x\r\nauthorization: Bearer \(secret)\r\n\(headers)\r\n"
    }

    @Test(
        "a malformed body is 400, an unknown coding 501, and the connection ends",
        arguments: [
            ("transfer-encoding: chunked\r\n", "zz\r\nabc\r\n", 400),
            ("transfer-encoding: chunked\r\n", "-1\r\nabc\r\n", 400),
            ("transfer-encoding: chunked\r\n", "3\r\nabcdef\r\n0\r\n\r\n", 400),
            ("transfer-encoding: chunked\r\n", "ffffffffffffffffff\r\nabc\r\n", 400),
            ("transfer-encoding: chunked\r\n", "0x3\r\nabc\r\n0\r\n\r\n", 400),
            ("transfer-encoding: gzip\r\n", "abc", 501),
        ]
    )
    func malformed(headers: String, body: String, status: Int) async throws {
        try await serving { port in
            let answer = try await send([Self.head(headers) + body], to: port)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
            #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2, "one answer, then the end")
        }
    }

    @Test(
        "a body that does not end in time ends the connection, with the secret and without",
        arguments: [true, false]
    )
    func slowBody(hasSecret: Bool) async throws {
        var limits = MonitorLimits()
        limits.requestSeconds = 1
        try await serving(limits) { port in
            let head = Self.head("content-length: 8000\r\n", secret: hasSecret ? Fixture.secret : "another")
            let began = ContinuousClock.now
            _ = try await send([head] + Array(repeating: " ", count: 600), pause: .milliseconds(50), to: port)
            // It would take half a minute.
            #expect(began.duration(to: .now) < .seconds(20))
        }
    }

    @Test("a body that comes in pieces in time is taken")
    func pieces() async throws {
        try await serving { port in
            let body = #"{"token":"abcd"}"#
            let head = Self.head("content-length: \(body.utf8.count)\r\nconnection: close\r\n")
            let answer = try await send([head] + body.map { String($0) }, pause: .milliseconds(5), to: port)
            #expect(answer.hasPrefix("HTTP/1.1 201 "))
        }
    }
}
