import ArgumentParser
import Dashboard
import LoadGenerator
import Reporting
import Servers
import Shell
import TextFormats

/// The options that show a running load on a page, as metrics, or both.
struct LiveViewOptions: ParsableArguments {
    @OptionGroup var page: DashboardOptions

    @Option(help: "Serve /metrics for Prometheus at this port of 127.0.0.1 during the run; 0 for any free port.")
    var metricsPort: Int?

    func validate() throws {
        if let metricsPort { try limit("--metrics-port", metricsPort, to: 0...65535) }
    }

    /// Runs work while the requested page and metrics show its progress.
    ///
    /// - Parameters:
    ///   - name: The name of the load, such as `load apns`.
    ///   - work: Receives the dashboard for its snapshots; nil if nothing shows them.
    /// - Throws: The exit code 75, before any work, if a port is not available.
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

    private static func metrics(of board: LiveBoard, at port: Int) async throws -> RunningServer {
        do throws(PortUnavailable) {
            return try await SideServer.start(
                host: "127.0.0.1",
                port: port,
                connections: 64,
                for: "metrics",
                option: "--metrics-port"
            ) { request in
                try await SideServer.answer(request) {
                    // Before the first snapshot there are no metrics.
                    board.newest?.snapshot.metrics ?? OpenMetricsText().text
                }
            }
        } catch {
            throw CommandError(error.description, Failure.temporary)
        }
    }
}
