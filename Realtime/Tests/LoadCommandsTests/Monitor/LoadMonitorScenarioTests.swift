import ArgumentParser
import CommandTestSupport
import LiveActivityModel
import LoadGenerator
import NIOCore
import NIOHTTP1
import NIOPosix
import Shell
import Studies
import TestSupport
import Testing

@testable import LoadCommands

/// The checks of a run against a monitor before its first ride; the tests of the command make whole runs.
@Suite("A run against a monitor, before it begins")
struct LoadMonitorScenarioTests {
    private let scratch = Scratch()

    /// Runs against a monitor at a port, with the ready file of a stand-in.
    private func run(port: Int, speed: Double = 10, readyFile: String? = nil) async throws {
        let ready = scratch.path("ready.json")
        try ReadyFile(port: 1, pid: 0).write(to: ready)
        let url = "http://127.0.0.1:\(port)"
        let run = LoadMonitorScenario(
            file: "scenario.yaml",
            command: try LoadMonitorCommand.parse([
                "scenario.yaml", "--monitor", url, "--bearer-token-file", "secret.txt", "--quiet",
                "--ready-file", readyFile ?? ready, "--speed", "\(speed)", "--connections", "1",
            ]),
            monitor: LoadMonitorTarget(url: url, secret: "secret", authority: nil)
        )
        _ = try await run.perform(try ScenarioLoader.world(Scenario()))
    }

    @Test("A server that is no monitor, a wrong secret and another speed end with 65, missing phones with 75")
    func greeting() async throws {
        let health = #"{"instances": 0, "now_us": 1, "speed": 10}"#
        let cases: [(server: FixedAnswers, speed: Double, failure: ExitCode)] = [
            (FixedAnswers(health: "hello", instances: .ok), 10, Failure.badData),
            (FixedAnswers(health: health, instances: .unauthorized), 10, Failure.badData),
            (FixedAnswers(health: health, instances: .ok), 20, Failure.badData),
            // Here the checks of the monitor succeed, and the stand-in with its phones is missing.
            (FixedAnswers(health: health, instances: .ok), 10, Failure.temporary),
        ]
        for (server, speed, failure) in cases {
            let channel = try await server.listen()
            await #expect(throws: failure, "\(server.health) \(server.instances) \(speed)") {
                try await run(port: channel.localAddress?.port ?? 0, speed: speed)
            }
            try await channel.close().get()
        }
    }

    @Test("A missing ready file is a missing input, a file of another kind is bad data")
    func readyFile() async throws {
        await #expect(throws: Failure.inputMissing) { try await run(port: 1, readyFile: scratch.path("none")) }
        let other = try scratch.write("{}", to: "other.json")
        await #expect(throws: Failure.badData) { try await run(port: 1, readyFile: other) }
    }
}

/// A server with one answer to `/health` and another to all other requests.
private struct FixedAnswers: Sendable {
    let health: String
    let instances: HTTPResponseStatus

    func listen() async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(answers: self))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let answers: FixedAnswers
        private var path = ""

        init(answers: FixedAnswers) {
            self.answers = answers
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                path = head.uri
            case .body:
                break
            case .end:
                let body = path == "/health" ? answers.health : "{}"
                let head = HTTPResponseHead(
                    version: .http1_1,
                    status: path == "/health" ? .ok : answers.instances,
                    headers: ["content-length": "\(body.utf8.count)"]
                )
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }
}
