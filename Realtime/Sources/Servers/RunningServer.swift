/// A server that runs beside a program's main work until it is stopped.
package struct RunningServer: Sendable {
    /// The port on which it listens.
    package let port: Int
    private let serving: Task<Void, any Error>

    /// Starts a server and waits until it listens.
    ///
    /// - Parameter serve: Serves until its task is cancelled, and calls its argument with the port once it listens.
    /// - Throws: The error of `serve`.
    package init(
        _ serve: @escaping @Sendable (_ onReady: @escaping @Sendable (Int) -> Void) async throws -> Void
    ) async throws {
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        serving = Task {
            defer { listening.finish() }
            try await serve { listening.yield($0) }
        }
        // In its own task, so that a caller that is cancelled meanwhile still gets a server that it can stop.
        guard let port = await Task(operation: { await ports.first { _ in true } }).value else {
            try await serving.value
            throw CancellationError()
        }
        self.port = port
    }

    /// Answers the requests in progress and closes the port and all connections.
    package func stop() async {
        serving.cancel()
        _ = await serving.result
    }
}
