package import NIOCore

/// How a pool uses its connections.
package struct APNsPoolConfiguration: Hashable, Sendable {
    /// How many connections are held, at least 1.
    package let connections: Int
    /// On how many event loops, each with its own share of the connections; at least 1 and at most ``connections``.
    package let lanes: Int
    /// The most streams that one connection opens at once; APNs may allow fewer.
    let streamsPerConnection: Int
    /// How long a request waits for a stream, and then, once it is sent, for its answer.
    ///
    /// Two waits, as the endpoint has its whole time for each request that it is asked, however long the sender kept that.
    let timeout: TimeAmount
    /// How long a connection that is not used rests before it is asked for a sign of life.
    ///
    /// Apple advises against asking more often than once an hour; a stand-in may be asked more often.
    var pingInterval = TimeAmount.hours(1)
    /// The pause before a lost connection is tried again; doubled after each failure.
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

/// What is worth knowing about a pool's connections.
package struct APNsPoolNotes: Hashable, Sendable {
    /// How many connections have been made.
    package var connections = 0
    /// How many of them have ended.
    package var lostConnections = 0
    /// How many GOAWAYs have come.
    package var goAways = 0
    /// The reason that the last GOAWAY gave, if any did.
    package var lastGoAwayReason: String?
    /// What went wrong last with a connection.
    package var lastError: String?

    /// Nothing so far.
    package init() {}

    /// Adds what another part of the pool has seen, or another pool.
    package mutating func add(_ other: APNsPoolNotes) {
        connections += other.connections
        lostConnections += other.lostConnections
        goAways += other.goAways
        lastGoAwayReason = other.lastGoAwayReason ?? lastGoAwayReason
        lastError = other.lastError ?? lastError
    }
}
