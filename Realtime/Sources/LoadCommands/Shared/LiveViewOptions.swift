import ArgumentParser
import Dashboard
import LoadGenerator
import Reporting
import TextFormats

/// What shows a load while it runs: a page, metrics, both or neither.
struct LiveViewOptions: ParsableArguments {
    @OptionGroup var page: DashboardOptions

    @Option(help: "Serve /metrics for Prometheus at this port of 127.0.0.1 while it runs; 0: any that is free.")
    var metricsPort: Int?

    func validate() throws {
        if let metricsPort { try LoadOptions.check(metricsPort, named: "--metrics-port", in: 0...65535) }
    }

    /// Does work while a page and metrics show how it goes, as far as they were asked for.
    ///
    /// - Parameters:
    ///   - name: What is shown, as `load apns`.
    ///   - work: Is given what it leaves snapshots on; nil where nothing shows them.
    /// - Throws: The exit code 75 where a port cannot be had, before any work.
    func showing<Value: Sendable>(
        _ name: String,
        _ work: @Sendable (Dashboard?) async throws -> Value
    ) async throws -> Value {
        try await page.showing(name, needsBoard: metricsPort != nil) { dashboard in
            guard let metricsPort, let board = dashboard?.board else { return try await work(dashboard) }
            let server = try await Self.metrics(of: board, at: metricsPort)
            printError("metrics: http://127.0.0.1:\(server.port)/metrics")
            return try await working {
                try await work(dashboard)
            } finally: {
                await server.stop()
            }
        }
    }

    private static func metrics(of board: LiveBoard, at port: Int) async throws -> SideServer {
        do throws(PortUnavailable) {
            return try await SideServer.start(
                host: "127.0.0.1",
                port: port,
                connections: 64,
                for: "metrics",
                option: "--metrics-port"
            ) { request in
                try await SideServer.answer(request) {
                    // Before the first snapshot there is nothing to tell.
                    board.newest?.snapshot.metrics ?? OpenMetricsText().text
                }
            }
        } catch {
            throw CommandError(error.description, Failure.temporary)
        }
    }
}
