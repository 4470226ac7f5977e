package import Hummingbird
import NIOCore
import Synchronization

/// The events of one page: server-sent events (WHATWG HTML, 9.2).
///
/// The stream does not wait for a page that does not read. Its backlog holds at most ``mostBytes``, and the oldest
/// events are dropped.
package final class EventStream: Sendable {
    /// The maximum backlog of a page that does not read [B]: dozens of answers with their charts.
    ///
    /// A server limits the number of listening pages, and so the total backlog.
    package static let mostBytes = 4 << 20

    private let backlog = Mutex(EventBacklog(limit: EventStream.mostBytes))
    /// Wakes the response that writes.
    ///
    /// One pending call is enough, since the response takes the whole backlog.
    private let calls: AsyncStream<Void>
    private let caller: AsyncStream<Void>.Continuation

    /// Creates a stream without a listening page.
    package init() {
        (calls, caller) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Sends an event to the page.
    ///
    /// - Parameters:
    ///   - kind: The event's name.
    ///   - data: A JSON document on one line.
    package func send(_ kind: String, _ data: String) { put("event: \(kind)\ndata: \(data)\n\n") }

    /// Ends the response after the backlog is written.
    package func finish() { caller.finish() }

    private func put(_ text: String) {
        backlog.withLock { $0.append(text) }
        caller.yield()
    }

    /// The size of the page's backlog [bytes].
    package var waitingBytes: Int { backlog.withLock(\.bytes) }

    /// Returns the response to a listening page, which lasts until the page leaves or the stream ends.
    ///
    /// - Parameter onEnd: Called once this response has ended.
    package func response(onEnd: @escaping @Sendable () -> Void) -> Response {
        // The keep-alive message also detects that the page has left.
        let pulse = Task { [self] in
            while !Task.isCancelled {
                put(": here\n\n")
                try await Task.sleep(for: .seconds(15))
            }
        }
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream"],
            body: ResponseBody { [self] writer in
                defer {
                    pulse.cancel()
                    onEnd()
                }
                // After a lost connection the browser reconnects after this time [ms].
                try await writer.write(ByteBuffer(string: "retry: 500\n\n"))
                for await _ in calls { try await write(to: &writer) }
                // Events that arrived with the end of the stream.
                try await write(to: &writer)
                try await writer.finish(nil)
            }
        )
    }

    /// Writes the backlog.
    private func write(to writer: inout any ResponseBodyWriter) async throws {
        while let text = backlog.withLock({ $0.popFirst() }) { try await writer.write(ByteBuffer(string: text)) }
    }
}
