import Foundation
import Hummingbird
import NIOCore
import PageServer
package import Reporting
import Synchronization
import TextFormats

/// A page that shows how a load goes, and then its report.
///
/// | request | answer |
/// |---|---|
/// | `GET api/events` | events: `snapshot` with a ``LoadSnapshot/message``, `over` with `results` once there is a report |
/// | `GET api/report` | 200 with the report as HTML within a page; 404 before the end |
///
/// Pages are told once a second at the most, from a task of its own: the load leaves snapshots on a board and waits for
/// nothing. A page that does not read misses what it has not read.
package final class Dashboard: Sendable {
    private struct State {
        var streams: [Int: EventStream] = [:]
        var next = 0
        /// Whether a page has come that was told nothing yet.
        var hasNewPage = false
        var report: String?
        /// The data of `over`.
        var over = "{}"
        /// How many pages that were told of the report have not taken it yet.
        var awaited = 0
    }

    /// Where the load leaves snapshots.
    package let board = LiveBoard()
    private let name: String
    private let isService: Bool
    /// Nil: there is no page, and the board alone is of use.
    private let port: Int?
    private let state = Mutex(State())

    /// No more pages are told; the one that was opened first gives way to another.
    private static let mostPages = 16
    /// How long pages have to take the report once the load is over.
    private static let patience = Duration.seconds(5)

    /// A page that is not served yet.
    ///
    /// - Parameters:
    ///   - name: What it shows, as `load apns`.
    ///   - port: 0: any that is free; nil: no page is served, and metrics alone are read off the board.
    ///   - isService: Whether it shows a service, which runs until it is stopped, and not a load.
    package init(name: String, port: Int?, isService: Bool = false) {
        self.name = name
        self.isService = isService
        self.port = port
    }

    /// Does work while the page is served.
    ///
    /// - Parameter onReady: Is told the page's address before the work begins.
    /// - Throws: ``PortInUse`` before the work begins, where the port cannot be had; and what the work throws.
    package func showing<Value: Sendable>(
        onReady: @Sendable (String) -> Void = { _ in },
        _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let port else { return try await work() }
        let server = PageServer(port: port) { routes in
            routes.add(files(runtime: PageFile.chartRuntime()))
            let api = routes.group("api")
            api.get("events") { _, _ in self.open() }
            api.get("report") { _, _ in try self.takeReport() }
        }
        let (addresses, told) = AsyncThrowingStream<String, any Error>.makeStream()
        let serving = Task {
            do {
                try await server.run { told.yield($0) }
                told.finish()
            } catch {
                told.finish(throwing: error)
            }
        }
        let telling = Task { await tell() }
        func close() async {
            telling.cancel()
            for stream in state.withLock({ $0.streams.values.map(\.self) }) { stream.finish() }
            serving.cancel()
            await serving.value
        }
        // Work that is cancelled may have something to show all the same, so the page stays until the work is over.
        do {
            var first = addresses.makeAsyncIterator()
            guard let address = try await first.next() else { throw CancellationError() }
            onReady(address)
            let value = try await work()
            await close()
            return value
        } catch {
            await close()
            throw error
        }
    }

    /// Shows the report in place of the load; returns once the pages that are open have taken it, or had the time for it.
    ///
    /// - Parameters:
    ///   - files: What the report is made of.
    ///   - directory: Where the results are; nil where none were kept.
    package func finish(_ files: RunFiles, in directory: String?) async {
        guard port != nil else { return }
        let report = files.reportBody
        var json = JSONText()
        json.add("results", directory)
        let over = json.document
        let streams = state.withLock { state in
            state.report = report
            state.over = over
            state.awaited = state.streams.count
            return state.streams.values.map(\.self)
        }
        for stream in streams { stream.send("over", over) }
        let limit = ContinuousClock.now + Self.patience
        // A task of its own: also work that was cancelled waits.
        await Task {
            while state.withLock({ min($0.awaited, $0.streams.count) }) > 0, .now < limit {
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
        .value
    }

    // MARK: - Pages

    private func files(runtime: String?) -> [PageFile] {
        [
            PageFile("", PackageResources.dashboard_html), PageFile("dashboard.css", PackageResources.dashboard_css),
            PageFile("dashboard.js", PackageResources.dashboard_js),
        ] + PageFile.shared(runtime: runtime)
    }

    /// A page listens: it is told what is known at once.
    private func open() -> Response {
        let stream = EventStream()
        let (number, surplus) = state.withLock { state in
            let number = state.next
            state.next += 1
            stream.send("hello", hello)
            state.hasNewPage = true
            if state.report != nil {
                stream.send("over", state.over)
                state.awaited += 1
            }
            state.streams[number] = stream
            guard state.streams.count > Self.mostPages, let oldest = state.streams.keys.min() else {
                return (number, EventStream?.none)
            }
            return (number, state.streams.removeValue(forKey: oldest))
        }
        surplus?.finish()
        return stream.response { [self] in state.withLock { _ = $0.streams.removeValue(forKey: number) } }
    }

    private var hello: String { "{\"name\":\"\(name)\",\"is_service\":\(isService)}" }

    private func takeReport() throws -> Response {
        let report = state.withLock { state in
            if state.report != nil { state.awaited -= 1 }
            return state.report
        }
        guard let report else { throw PageProblem(.notFound, "the load is not over yet") }
        return Response(
            status: .ok,
            headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: report))
        )
    }

    /// Tells pages of each new snapshot, and new pages of the newest, until the task is cancelled.
    ///
    /// A message is put together once for all pages, which takes at most a twentieth of a processor.
    private func tell() async {
        var (told, pause) = (0, Self.look)
        while (try? await Task.sleep(for: pause)) != nil {
            let began = ContinuousClock.now
            let (streams, hasNewPage) = state.withLock { ($0.streams.values.map(\.self), $0.hasNewPage) }
            guard !streams.isEmpty, let (number, snapshot) = board.newest, number != told || hasNewPage else {
                continue
            }
            told = number
            state.withLock { $0.hasNewPage = false }
            let message = snapshot.message
            for stream in streams { stream.send("snapshot", message) }
            pause = max(Self.look, began.duration(to: .now) * 20)
        }
    }

    /// How often it is looked for a new snapshot.
    private static let look = Duration.milliseconds(200)
}
