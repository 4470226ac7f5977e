import Foundation
import Hummingbird
import PageServer
package import Reporting
import Servers
import Synchronization
import TextFormats

/// A page that shows the progress of a load and then its report.
///
/// | request | answer |
/// |---|---|
/// | `GET api/events` | events: `snapshot` with a ``LoadSnapshot/message``, `over` with `results` once there is a report |
/// | `GET api/report` | 200 with the report as HTML within a page; 404 before the end |
///
/// Pages receive at most one snapshot per second, from a separate task: the load leaves snapshots on a board and never
/// waits. A page that reads too slowly misses snapshots.
package final class Dashboard: Sendable {
    private struct State {
        var streams: [Int: EventStream] = [:]
        var next = 0
        /// `true` if a page has connected that has not received a snapshot yet.
        var hasNewPage = false
        var report: String?
        /// The data of `over`.
        var over = "{}"
        /// The number of pages that have been notified of the report but have not fetched it yet.
        var awaited = 0
    }

    /// The board on which the load leaves snapshots.
    package let board = LiveBoard()
    private let name: String
    private let isService: Bool
    /// The port; `nil` if only the board is used, without a page.
    private let port: Int?
    private let state = Mutex(State())

    /// The maximum number of open pages; another page replaces the oldest one.
    private static let mostPages = 16
    /// The time that pages have to fetch the report after the load.
    private static let patience = Duration.seconds(5)

    /// Creates a page that is not served yet.
    ///
    /// - Parameters:
    ///   - name: The title of the page, such as `load apns`.
    ///   - port: The port; 0 for any free port; `nil` to serve no page and use the board for metrics alone.
    ///   - isService: `true` for a service, which runs until it is stopped; `false` for a load.
    package init(name: String, port: Int?, isService: Bool = false) {
        self.name = name
        self.isService = isService
        self.port = port
    }

    /// Performs work while the page is served.
    ///
    /// - Parameter onReady: Called with the page's address before the work begins.
    /// - Throws: ``PortUnavailable`` before the work begins if the port is not available; errors of the work.
    package func showing<Value: Sendable>(
        onReady: @Sendable (String) -> Void = { _ in },
        _ work: @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let port else { return try await work() }
        let page = PageServer(port: port, option: "--dashboard") { routes in
            routes.add(Self.files)
            let api = routes.group("api")
            api.get("events") { _, _ in self.open() }
            api.get("report") { _, _ in try self.takeReport() }
        }
        let (address, server) = try await page.start()
        let telling = Task { await tell() }
        func close() async {
            telling.cancel()
            for stream in state.withLock({ $0.streams.values.map(\.self) }) { stream.finish() }
            await server.stop()
        }
        // Cancelled work may still have something to show, so the page stays until the work ends.
        do {
            onReady(address)
            let value = try await work()
            await close()
            return value
        } catch {
            await close()
            throw error
        }
    }

    /// Replaces the load with the report; returns once the open pages have fetched it or their time is over.
    ///
    /// - Parameters:
    ///   - files: The files of the report.
    ///   - directory: The directory of the results; `nil` if none were kept.
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
        // A separate task, because this must also wait after a cancellation of the work.
        await Task {
            while state.withLock({ min($0.awaited, $0.streams.count) }) > 0, .now < limit {
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
        .value
    }

    // MARK: - Pages

    private static var files: [PageFile] {
        [
            PageFile(embedded: "dashboard.html", at: ""), PageFile(embedded: "dashboard.css"),
            PageFile(embedded: "dashboard.js"),
        ] + PageFile.shared(PageAssets.served())
    }

    /// Opens the event stream of a page and sends the current state at once.
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
        return Response(.ok, report, type: "text/html; charset=utf-8")
    }

    /// Sends each new snapshot to all pages, and the newest to new pages, until the task is cancelled.
    ///
    /// A message is formatted once for all pages, which takes at most a twentieth of a processor.
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

    /// The interval between checks for a new snapshot.
    private static let look = Duration.milliseconds(200)
}
