package import Hummingbird
import NIOCore
import Synchronization

/// What a page is told as it happens: server-sent events (WHATWG HTML, 9.2).
///
/// Of each kind of event the newest counts: a page that listens again, after its connection was lost, is told the newest of
/// each kind first. A page that does not read is not waited for; it misses what is older than ``kept`` events.
package final class EventStream: Sendable {
    /// How many events wait for a page that does not read.
    private static let kept = 256

    private struct State {
        var newest: [(kind: String, text: String)] = []
        var listeners: [(id: Int, events: AsyncStream<String>.Continuation)] = []
        var nextID = 0
        var isOver = false
    }

    private let state = Mutex(State())

    /// A stream without listeners.
    package init() {}

    /// Tells all that listen.
    ///
    /// - Parameters:
    ///   - kind: The event's name.
    ///   - data: A JSON document on one line.
    ///   - isRemembered: Whether those who come later are told, too.
    package func send(_ kind: String, _ data: String, isRemembered: Bool = true) {
        let text = "event: \(kind)\ndata: \(data)\n\n"
        state.withLock { state in
            if isRemembered {
                state.newest.removeAll { $0.kind == kind }
                state.newest.append((kind, text))
            }
            for listener in state.listeners { listener.events.yield(text) }
        }
    }

    /// Forgets what later listeners would be told.
    package func forget(_ kind: String) { state.withLock { $0.newest.removeAll { $0.kind == kind } } }

    /// How many listen.
    package var listenerCount: Int { state.withLock { $0.listeners.count } }

    /// Ends all answers.
    package func finish() {
        let listeners = state.withLock { state in
            state.isOver = true
            defer { state.listeners = [] }
            return state.listeners
        }
        for listener in listeners { listener.events.finish() }
    }

    /// The answer to a page that listens: it goes on until the page leaves or the stream is over.
    ///
    /// - Parameter onEnd: Is called once this answer has ended.
    package func response(onEnd: @escaping @Sendable () -> Void = {}) -> Response {
        let (events, continuation) = AsyncStream.makeStream(
            of: String.self,
            bufferingPolicy: .bufferingNewest(Self.kept)
        )
        let id = state.withLock { state in
            for (_, text) in state.newest { continuation.yield(text) }
            if state.isOver { continuation.finish() }
            state.listeners.append((state.nextID, continuation))
            defer { state.nextID += 1 }
            return state.nextID
        }
        // What keeps the connection alive also finds out that the page has left.
        let pulse = Task {
            while !Task.isCancelled {
                continuation.yield(": here\n\n")
                try await Task.sleep(for: .seconds(15))
            }
        }
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream"],
            body: ResponseBody { [self] writer in
                defer {
                    pulse.cancel()
                    state.withLock { $0.listeners.removeAll { $0.id == id } }
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
