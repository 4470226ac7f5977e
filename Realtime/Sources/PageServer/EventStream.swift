package import Hummingbird
import NIOCore

/// What one page is told as it happens: server-sent events (WHATWG HTML, 9.2).
///
/// A page that does not read is not waited for; it misses what is older than the newest ``kept`` events.
package final class EventStream: Sendable {
    /// How many events wait for a page that does not read.
    private static let kept = 256

    private let events: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    /// A stream to which no page listens yet.
    package init() {
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.kept))
    }

    /// Tells the page.
    ///
    /// - Parameters:
    ///   - kind: The event's name.
    ///   - data: A JSON document on one line.
    package func send(_ kind: String, _ data: String) { continuation.yield("event: \(kind)\ndata: \(data)\n\n") }

    /// Ends the answer.
    package func finish() { continuation.finish() }

    /// The answer to the page that listens: it goes on until the page leaves or the stream is over.
    ///
    /// - Parameter onEnd: Is called once this answer has ended.
    package func response(onEnd: @escaping @Sendable () -> Void) -> Response {
        // What keeps the connection alive also finds out that the page has left.
        let pulse = Task { [continuation] in
            while !Task.isCancelled {
                continuation.yield(": here\n\n")
                try await Task.sleep(for: .seconds(15))
            }
        }
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream"],
            body: ResponseBody { [events] writer in
                defer {
                    pulse.cancel()
                    onEnd()
                }
                // Where the connection was lost, the browser asks again after this time [ms].
                try await writer.write(ByteBuffer(string: "retry: 500\n\n"))
                for await event in events { try await writer.write(ByteBuffer(string: event)) }
                try await writer.finish(nil)
            }
        )
    }
}
