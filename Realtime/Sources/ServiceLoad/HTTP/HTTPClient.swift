import DequeModule
import LoadGenerator
package import NIOCore
package import NIOHTTP1
import NIOPosix
import Synchronization

/// A client of one server over HTTP/1.1, with a limited number of connections that stay open between requests.
///
/// A request takes a free connection, opens one, or waits for one in the order of arrival. It is sent at most once,
/// because the server may have acted on a request without an answer. Redirections are answers like any other.
package final class HTTPClient: Sendable {
    private struct State {
        var open: [ObjectIdentifier: HTTPConnection.Reference] = [:]
        /// The connections without a request, the last used one last.
        var free: [(id: ObjectIdentifier, since: NIODeadline)] = []
        /// The number of connections, with those that are being opened.
        var count = 0
        /// The requests without a connection, in the order of their arrival and their time limits.
        var waiting: Deque<HTTPCall> = []
        var hasTimer = false
        /// The reason why the last connection could not be opened.
        var lastFailure: (any Error)?
        var isShutDown = false
        var shutDowns: [CheckedContinuation<Void, Never>] = []
    }

    private let connector: EndpointConnector
    private let limit: Int
    private let wait: TimeAmount
    private let timeout: TimeAmount
    private let host: String
    private let lastID = Atomic<UInt64>(0)
    private let state = Mutex(State())
    private var group: MultiThreadedEventLoopGroup { .singleton }

    /// Servers and the network between may forget connections that were not used for some minutes.
    private static var longestPause: TimeAmount { .seconds(60) }
    /// The pause before another attempt to connect, for a server that is starting.
    private static var reconnectPause: TimeAmount { .milliseconds(100) }

    /// A client of `https://HOST[:PORT]` or `http://HOST[:PORT]`, which opens connections on demand.
    ///
    /// - Parameters:
    ///   - authority: A file (PEM) of certificate authorities to trust instead of the system's; nil: the system's.
    ///   - connections: The most connections.
    ///   - wait: The longest wait of a request for a connection.
    ///   - timeout: The longest time until the answer, including the wait.
    /// - Throws: If the address is invalid or the file cannot be read.
    package init(
        _ address: String,
        authority: String? = nil,
        connections: Int = 4,
        wait: TimeAmount = .seconds(5),
        timeout: TimeAmount
    ) throws {
        guard let endpoint = APNsEndpoint(url: address, trust: authority.map { .file($0) } ?? .system) else {
            throw HTTPClientError.invalidAddress(address)
        }
        connector = try EndpointConnector(endpoint, applicationProtocol: "http/1.1")
        limit = connections
        self.wait = min(wait, timeout)
        self.timeout = timeout
        let isUsualPort = endpoint.port == (endpoint.trust == nil ? 80 : 443)
        host = isUsualPort ? String(endpoint.authority.dropLast(":\(endpoint.port)".count)) : endpoint.authority
    }

    /// Sends a request and returns its answer.
    ///
    /// - Parameter patience: The longest time until the answer, if it is shorter than the client's.
    /// - Throws: ``HTTPClientError``, `CancellationError`, or an error of the network.
    package func send(
        _ method: String,
        _ path: String,
        headers: HTTPHeaders = [:],
        body: String? = nil,
        within patience: TimeAmount? = nil
    ) async throws -> HTTPResponse {
        let id = nextID
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                start(method, path, headers: headers, body: body, id: id, within: patience) {
                    continuation.resume(with: $0)
                }
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// Sends a request without waiting.
    ///
    /// - Parameters:
    ///   - id: A number by which it can be cancelled; nil: any free number.
    ///   - patience: The longest time until the answer, if it is shorter than the client's.
    ///   - conclude: Receives the answer, or the error that ``send(_:_:headers:body:within:)`` throws, on any thread.
    func start(
        _ method: String,
        _ path: String,
        headers: HTTPHeaders,
        body: String?,
        id: UInt64? = nil,
        within patience: TimeAmount? = nil,
        concluding conclude: @escaping HTTPCall.Conclusion
    ) {
        var head = HTTPRequestHead(version: .http1_1, method: HTTPMethod(rawValue: method), uri: path, headers: headers)
        head.headers.add(name: "host", value: host)
        if body != nil || method != "GET" {
            head.headers.add(name: "content-length", value: "\(body?.utf8.count ?? 0)")
        }
        let request = HTTPCall.Request(head: head, body: body.map { ByteBuffer(string: $0) })
        let now = NIODeadline.now()
        let timeout = min(patience ?? timeout, timeout)
        let (waitsUntil, endsBy) = (now + min(wait, timeout), now + timeout)
        submit(
            HTTPCall(id: id ?? nextID, request: request, waitsUntil: waitsUntil, endsBy: endsBy, conclude: conclude)
        )
    }

    private var nextID: UInt64 { lastID.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Closes all connections; requests without an answer fail.
    package func shutDown() async {
        await withCheckedContinuation { continuation in
            let waiting = state.withLock { state in
                state.isShutDown = true
                state.shutDowns.append(continuation)
                for connection in state.open.values { connection.perform { $0.fail(HTTPClientError.shutDown) } }
                defer { state.waiting.removeAll() }
                return state.waiting
            }
            for call in waiting { call.conclude(.failure(HTTPClientError.shutDown)) }
            concludeShutDown()
        }
    }

    private func concludeShutDown() {
        let continuations = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard state.isShutDown, state.open.isEmpty else { return [] }
            defer { state.shutDowns.removeAll() }
            return state.shutDowns
        }
        for continuation in continuations { continuation.resume() }
    }

    /// The number of requests that wait for a connection.
    var waitingCount: Int { state.withLock { $0.waiting.count } }
    /// The number of open connections.
    var connectionCount: Int { state.withLock { $0.open.count } }

    // MARK: - Requests

    /// Gives a call to a free connection, or lets it wait; before all others if it had a connection that has closed.
    func submit(_ call: HTTPCall, isFirst: Bool = false) {
        let isShutDown = state.withLock { state in
            guard !state.isShutDown else { return true }
            while let first = state.free.first, first.since + Self.longestPause < .now() {
                state.free.removeFirst()
                state.open[first.id]?.perform { $0.fail(HTTPClientError.closed) }
            }
            if let last = state.free.popLast(), let connection = state.open[last.id] {
                connection.perform { $0.start(call) }
                return false
            }
            state.waiting.insert(call, at: isFirst ? 0 : state.waiting.count)
            setTimer(&state)
            if state.count < limit {
                state.count += 1
                connect()
            }
            return false
        }
        if isShutDown { call.conclude(.failure(HTTPClientError.shutDown)) }
    }

    private func cancel(_ id: UInt64) {
        let call = state.withLock { state -> HTTPCall? in
            if let index = state.waiting.firstIndex(where: { $0.id == id }) { return state.waiting.remove(at: index) }
            for connection in state.open.values { connection.perform { $0.cancel(id) } }
            return nil
        }
        call?.conclude(.failure(CancellationError()))
    }

    /// Lets the calls fail that have waited too long.
    private func expire() {
        let (late, failure) = state.withLock { state in
            let count = state.waiting.prefix { $0.waitsUntil <= .now() }.count
            let late = Array(state.waiting.prefix(count))
            state.waiting.removeFirst(count)
            state.hasTimer = false
            setTimer(&state)
            return (late, state.lastFailure)
        }
        for call in late { call.conclude(.failure(HTTPClientError.noConnection(failure))) }
    }

    private func setTimer(_ state: inout State) {
        guard !state.hasTimer, let first = state.waiting.first else { return }
        state.hasTimer = true
        group.any().scheduleTask(deadline: first.waitsUntil) { self.expire() }
    }

    // MARK: - Connections

    private func connect() {
        let loop = group.next()
        // Later, because the caller holds the lock.
        loop.execute {
            self.connector
                .connect(on: loop, within: self.wait) { pipeline in
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(HTTPConnection(client: self))
                }
                .whenFailure { error in
                    self.state.withLock { $0.lastFailure = error }
                    loop.scheduleTask(in: Self.reconnectPause) { self.state.withLock { self.replaceConnection(&$0) } }
                }
        }
    }

    /// Opens a connection in the place of a lost one if a call waits for it.
    private func replaceConnection(_ state: inout State) {
        if state.waiting.isEmpty { state.count -= 1 } else { connect() }
    }

    /// Takes a connection that has just been opened.
    func opened(_ connection: HTTPConnection.Reference) {
        let isShutDown = state.withLock { state in
            state.open[ObjectIdentifier(connection.value)] = connection
            state.lastFailure = nil
            return state.isShutDown
        }
        if isShutDown { connection.value.fail(HTTPClientError.shutDown) } else { release(connection) }
    }

    /// Takes a connection that can send another request.
    func release(_ connection: HTTPConnection.Reference) {
        let next = state.withLock { state in
            let next = state.waiting.popFirst()
            if next == nil { state.free.append((ObjectIdentifier(connection.value), .now())) }
            return next
        }
        if let next { connection.value.start(next) }
    }

    /// Takes the end of a connection.
    func closed(_ connection: HTTPConnection) {
        state.withLock { state in
            let id = ObjectIdentifier(connection)
            guard state.open.removeValue(forKey: id) != nil else { return }
            state.free.removeAll { $0.id == id }
            replaceConnection(&state)
        }
        concludeShutDown()
    }
}

/// An answer of a server.
package struct HTTPResponse: Sendable {
    package let status: Int
    package let headers: HTTPHeaders
    package let body: ByteBuffer
}

/// The reason why a request has no answer.
package enum HTTPClientError: Error, CustomStringConvertible {
    case invalidAddress(String)
    /// The request was not sent: all connections were in use, or none could be opened.
    case noConnection((any Error)?)
    case noAnswer
    case invalidRequest
    /// The server closed the connection before the answer was complete.
    case closed
    case invalidAnswer
    case bodyTooLarge(limit: Int)
    /// The client was shut down.
    case shutDown

    package var description: String {
        switch self {
        case .invalidAddress(let text): "the address is \"\(text)\"; allowed: https://HOST:PORT or http://HOST:PORT"
        case .noConnection(let error): error.map { ConnectionCause.text($0) } ?? "no connection in time"
        case .noAnswer: "no answer in time"
        case .invalidRequest: "the path or a field of the request has characters that HTTP does not allow"
        case .closed: "the server closed the connection before its answer was complete"
        case .invalidAnswer: "the answer is not valid HTTP"
        case .bodyTooLarge(let limit): "the answer's body is larger than \(limit) bytes"
        case .shutDown: "the client was shut down"
        }
    }
}
