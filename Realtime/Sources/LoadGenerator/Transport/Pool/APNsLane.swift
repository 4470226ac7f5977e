import HTTP2
import NIOCore
import NIOSSL
import Synchronization

/// The connections of one event loop and the requests that wait for them.
///
/// Requests are sent in the order of their submission, over any connection with room. Everything but ``enqueue(_:)`` and
/// ``waiting`` belongs to the event loop.
///
/// `@unchecked Sendable`: the inbox is behind a lock, the gauge is atomic, and all other state is touched on the event loop
/// only, which every entry asserts.
final class APNsLane: @unchecked Sendable {
    let loop: any EventLoop
    private let index: Int
    private let configuration: APNsPoolConfiguration
    let connectionCount: Int
    private let connector: EndpointConnector
    /// The receiver of outcomes; changed on the event loop only.
    var handler: any APNsCompletionHandler
    private let inbox = Mutex(Inbox())
    /// The number of requests that wait for a stream.
    private let waitingCount = Atomic<Int>(0)

    private var head: RequestHead
    private var queue = CircularBuffer<Queued>()
    private var connections: [APNsConnection] = []
    private var turn = 0
    private var completions: [APNsCompletion] = []
    private var reported: [APNsCompletion] = []
    private var tick: RepeatedTask?
    private var failuresInARow = 0
    private var isClosing = false
    private let notes = Mutex(APNsPoolNotes())

    private struct Inbox {
        var requests: [APNsRequest] = []
        var isAnnounced = false
    }

    private struct Queued {
        var request: APNsRequest
        /// The instant at which it is given up if no stream has become free for it.
        var deadline: NIODeadline
    }

    init(
        loop: any EventLoop,
        index: Int,
        connectionCount: Int,
        configuration: APNsPoolConfiguration,
        connector: EndpointConnector,
        authorization: String?,
        handler: any APNsCompletionHandler
    ) {
        self.loop = loop
        self.index = index
        self.connectionCount = connectionCount
        self.configuration = configuration
        self.connector = connector
        self.handler = handler
        head = RequestHead(endpoint: connector.endpoint)
        head.authorization = authorization
    }

    // MARK: from any thread

    var endpoint: APNsEndpoint { connector.endpoint }

    /// The number of requests that wait for a stream.
    var waiting: Int { waitingCount.load(ordering: .relaxed) }
    var noted: APNsPoolNotes { notes.withLock { $0 } }

    /// Enqueues requests.
    func enqueue(_ requests: some Sequence<APNsRequest>) {
        var count = 0
        let mustAnnounce = inbox.withLock { inbox in
            let before = inbox.requests.count
            inbox.requests.append(contentsOf: requests)
            count = inbox.requests.count - before
            defer { inbox.isAnnounced = true }
            return !inbox.isAnnounced
        }
        waitingCount.add(count, ordering: .relaxed)
        if mustAnnounce { loop.execute { self.emptyInbox() } }
    }

    // MARK: on the event loop

    /// Starts to connect.
    func start() {
        loop.assertInEventLoop()
        let interval: TimeAmount = max(
            .milliseconds(1),
            min(.milliseconds(50), .nanoseconds(configuration.timeout.nanoseconds / 50))
        )
        tick = loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in self.checkTime() }
        for _ in 0..<connectionCount { connect() }
    }

    /// Closes the connections; requests without an outcome get one.
    func close() {
        loop.assertInEventLoop()
        isClosing = true
        tick?.cancel()
        let now = NIODeadline.now()
        emptyInbox()
        while let queued = queue.popFirst() {
            waitingCount.subtract(1, ordering: .relaxed)
            completions.append(Self.completion(of: queued.request, .notProcessed, now: now))
        }
        for connection in connections { connection.close() }
        report()
    }

    /// Shows another provider token from now on.
    func show(authorization: String) {
        loop.assertInEventLoop()
        head.authorization = authorization
    }

    /// Submits a request on the event loop; ``dispatch()`` sends it.
    func submit(_ request: APNsRequest, now: NIODeadline) {
        loop.assertInEventLoop()
        waitingCount.add(1, ordering: .relaxed)
        queue.append(Queued(request: request, deadline: now + configuration.timeout))
    }

    /// Notes a request that cannot be made as never sent; ``dispatch()`` reports it.
    func refuse(_ number: UInt64, due: NIODeadline, now: NIODeadline) {
        loop.assertInEventLoop()
        completions.append(APNsCompletion(number: number, outcome: .notSent, due: due, sent: nil, done: now))
    }

    /// Sends waiting requests as far as there is room, and reports outcomes.
    func dispatch() {
        loop.assertInEventLoop()
        // A request that has waited too long takes no stream, because the requests behind it need it.
        if !queue.isEmpty { giveUpWaiting() }
        // In this order, because the handler may submit the next request, which is then sent at once.
        report()
        if !isClosing, !queue.isEmpty { handOut() }
    }

    // MARK: from connections

    /// Takes a connection that is open.
    func adopt(_ connection: APNsConnection) {
        notes.withLock { $0.connections += 1 }
        connections.append(connection)
        handler.connectionsChanged(to: connections.count, lane: index)
        if isClosing { connection.close() } else { dispatch() }
    }

    func complete(_ waiting: APNsConnection.Waiting, _ outcome: APNsOutcome, now: NIODeadline) {
        completions.append(
            APNsCompletion(number: waiting.number, outcome: outcome, due: waiting.due, sent: waiting.sent, done: now)
        )
    }

    func lost(_ connection: APNsConnection) {
        connections.removeAll { $0 === connection }
        handler.connectionsChanged(to: connections.count, lane: index)
        notes.withLock { $0.lostConnections += 1 }
        report()
        if !connection.isReplaced { reconnectLater() }
    }

    func noteError(_ error: any Error) { notes.withLock { $0.lastError = ConnectionCause.text(error) } }

    /// Replaces a connection that accepts no more requests, while it drains.
    func noteGoAway(of connection: APNsConnection, reason: String?) {
        if !connection.isReplaced {
            connection.isReplaced = true
            reconnectLater()
        }
        notes.withLock {
            $0.goAways += 1
            if let reason { $0.lastGoAwayReason = reason }
        }
        report()
    }

    // MARK: private

    private func emptyInbox() {
        loop.assertInEventLoop()
        let requests = inbox.withLock { inbox in
            inbox.isAnnounced = false
            let requests = inbox.requests
            inbox.requests = []
            return requests
        }
        let now = NIODeadline.now()
        if isClosing {
            waitingCount.subtract(requests.count, ordering: .relaxed)
            completions.append(contentsOf: requests.map { Self.completion(of: $0, .notProcessed, now: now) })
        } else {
            for request in requests { queue.append(Queued(request: request, deadline: now + configuration.timeout)) }
        }
        dispatch()
    }

    private func handOut() {
        let now = NIODeadline.now()
        var idle = 0
        while !queue.isEmpty, idle < connections.count {
            turn = turn + 1 < connections.count ? turn + 1 : 0
            let connection = connections[turn]
            guard connection.hasRoom, let queued = queue.popFirst() else {
                idle += 1
                continue
            }
            idle = 0
            waitingCount.subtract(1, ordering: .relaxed)
            head.write(queued.request)
            connection.send(queued.request, fields: head.fields, deadline: now + configuration.timeout, now: now)
        }
        for connection in connections { connection.flush() }
    }

    /// Times out requests that wait for a stream.
    private func giveUpWaiting() {
        let now = NIODeadline.now()
        while let first = queue.first, first.deadline <= now {
            queue.removeFirst()
            waitingCount.subtract(1, ordering: .relaxed)
            completions.append(Self.completion(of: first.request, .notSent, now: now))
        }
    }

    /// Times out requests that wait for a stream or for an answer.
    private func checkTime() {
        let now = NIODeadline.now()
        for connection in connections {
            connection.checkTime(now: now, pingInterval: configuration.pingInterval, timeout: configuration.timeout)
        }
        dispatch()
    }

    private func report() {
        guard !completions.isEmpty else { return }
        // Two buffers alternate, so that neither is allocated again.
        swap(&completions, &reported)
        handler.completed(reported)
        reported.removeAll(keepingCapacity: true)
    }

    private static func completion(of request: APNsRequest, _ outcome: APNsOutcome, now: NIODeadline) -> APNsCompletion
    {
        APNsCompletion(number: request.number, outcome: outcome, due: request.due, sent: nil, done: now)
    }

    private func connect() {
        guard !isClosing else { return }
        let provider = APNsConnection(
            lane: self,
            streamLimit: configuration.streamsPerConnection,
            showsToken: head.authorization != nil
        )
        let http2 = NIOLoopBound(HTTP2Connection(APNsConnection.http2Configuration, peer: provider), eventLoop: loop)
        let connection = NIOLoopBound(provider, eventLoop: loop)
        connector.connect(on: loop) { try $0.addHandler(http2.value) }
            .whenComplete { result in
                switch result {
                case .success:
                    self.failuresInARow = 0
                    self.adopt(connection.value)
                case .failure(let error):
                    self.failuresInARow += 1
                    self.noteError(error)
                    self.reconnectLater()
                }
            }
    }

    private func reconnectLater() {
        guard !isClosing else { return }
        let doublings = min(failuresInARow, 20)
        let pause = min(configuration.longestReconnectPause, configuration.shortestReconnectPause * (1 << doublings))
        loop.scheduleTask(in: pause) { self.connect() }
    }
}
