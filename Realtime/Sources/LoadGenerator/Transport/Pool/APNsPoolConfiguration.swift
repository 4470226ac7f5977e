package import NIOCore

/// The configuration of a pool.
package struct APNsPoolConfiguration: Hashable, Sendable {
    /// The number of connections, at least 1.
    package let connections: Int
    /// The number of event loops, each with its share of the connections; at least 1 and at most ``connections``.
    package let lanes: Int
    /// The most streams that one connection opens at once; APNs may allow fewer.
    let streamsPerConnection: Int
    /// The timeout of a request's wait for a stream, and then of its wait for an answer.
    ///
    /// The two waits are separate, so that the endpoint has its whole time for each request, however long the sender kept it.
    let timeout: TimeAmount
    /// The time without traffic after which a connection gets a PING.
    ///
    /// Apple advises against PINGs more often than once an hour; a stand-in allows more.
    var pingInterval = TimeAmount.hours(1)
    /// The pause before a lost connection is replaced; doubled after each failure.
    var shortestReconnectPause = TimeAmount.milliseconds(50)
    /// The longest such pause.
    var longestReconnectPause = TimeAmount.seconds(5)

    /// A configuration.
    package init(
        connections: Int = 4,
        lanes: Int = 1,
        streamsPerConnection: Int = 1000,
        timeout: TimeAmount = .seconds(10)
    ) {
        precondition(connections >= 1 && (1...connections).contains(lanes) && streamsPerConnection >= 1)
        self.connections = connections
        self.lanes = lanes
        self.streamsPerConnection = streamsPerConnection
        self.timeout = timeout
    }
}

/// The counts and errors of a pool's connections.
package struct APNsPoolNotes: Hashable, Sendable {
    /// The number of connections made.
    package var connections = 0
    /// The number of connections that have ended.
    package var lostConnections = 0
    /// The number of GOAWAYs received.
    package var goAways = 0
    /// The reason in the last GOAWAY; nil if it gave none.
    package var lastGoAwayReason: String?
    /// The last error of a connection.
    package var lastError: String?

    /// The notes of a pool without connections.
    package init() {}

    /// Adds the notes of another part of the pool or of another pool.
    package mutating func add(_ other: APNsPoolNotes) {
        connections += other.connections
        lostConnections += other.lostConnections
        goAways += other.goAways
        lastGoAwayReason = other.lastGoAwayReason ?? lastGoAwayReason
        lastError = other.lastError ?? lastError
    }
}
