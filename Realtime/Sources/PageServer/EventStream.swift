package import Hummingbird
import NIOCore
import Synchronization

/// What one page is told as it happens: server-sent events (WHATWG HTML, 9.2).
///
/// A page that does not read is not waited for: what waits for it has at most ``mostBytes``, and the oldest events give way.
package final class EventStream: Sendable {
    /// How many bytes wait for a page that does not read [B]: dozens of answers with their charts.
    ///
    /// A server lets few pages listen at a time, and so bounds what waits in all.
    package static let mostBytes = 4 << 20

    private let backlog = Mutex(EventBacklog(limit: EventStream.mostBytes))
    /// Wakes the answer that writes; one waiting call is enough, since the answer takes all that waits.
    private let calls: AsyncStream<Void>
    private let caller: AsyncStream<Void>.Continuation

    /// A stream to which no page listens yet.
    package init() {
        (calls, caller) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Tells the page.
    ///
    /// - Parameters:
    ///   - kind: The event's name.
    ///   - data: A JSON document on one line.
    package func send(_ kind: String, _ data: String) { put("event: \(kind)\ndata: \(data)\n\n") }

    /// Ends the answer, once what waits is written.
    package func finish() { caller.finish() }

    private func put(_ text: String) {
        backlog.withLock { $0.append(text) }
        caller.yield()
    }

    /// How many bytes wait for the page.
    package var waitingBytes: Int { backlog.withLock(\.bytes) }

    /// The answer to the page that listens: it goes on until the page leaves or the stream is over.
    ///
    /// - Parameter onEnd: Is called once this answer has ended.
    package func response(onEnd: @escaping @Sendable () -> Void) -> Response {
        // What keeps the connection alive also finds out that the page has left.
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
                // Where the connection was lost, the browser asks again after this time [ms].
                try await writer.write(ByteBuffer(string: "retry: 500\n\n"))
                for await _ in calls { try await write(to: &writer) }
                // What came with the end.
                try await write(to: &writer)
                try await writer.finish(nil)
            }
        )
    }

    /// Writes what waits.
    private func write(to writer: inout any ResponseBodyWriter) async throws {
        while let text = backlog.withLock({ $0.popFirst() }) { try await writer.write(ByteBuffer(string: text)) }
    }
}
