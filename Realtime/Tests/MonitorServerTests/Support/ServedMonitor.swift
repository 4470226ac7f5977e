import Foundation
import Logging
import NIOCore
import NIOPosix
import TestSupport

@testable import MonitorServer

/// A monitor with its API on a socket, in this process, with raw bytes for it.
enum ServedMonitor {
    /// Serves while a function runs with the port and the registry.
    static func running(
        _ limits: MonitorLimits = MonitorLimits(),
        _ work: (Int, Registry) async throws -> Void
    ) async throws {
        let scratch = Scratch()
        let clock = SystemClock()
        let registry = try Registry(path: scratch.path("tokens.sqlite"))
        let monitor = try Monitor(
            machine: Fixture.machine(at: clock.now),
            registry: registry,
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
            try await work(port, registry)
        } catch {
            serving.cancel()
            throw error
        }
        serving.cancel()
        _ = try? await serving.value
    }

    /// Sends pieces with a pause after each and returns all bytes received until the connection closes.
    static func send(_ pieces: [String], pause: Duration = .zero, to port: Int) async throws -> String {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            let writing = Task {
                for piece in pieces {
                    // The other side may have closed the connection.
                    try await outbound.write(ByteBuffer(string: piece))
                    try await Task.sleep(for: pause)
                }
            }
            defer { writing.cancel() }
            var text = ByteBuffer()
            do {
                for try await bytes in inbound { text.writeImmutableBuffer(bytes) }
            } catch {
                // A reset also ends the connection.
            }
            return String(buffer: text)
        }
    }
}
