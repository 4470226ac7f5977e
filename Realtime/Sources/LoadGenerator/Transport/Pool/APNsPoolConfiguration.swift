public import NIOCore

/// How a pool uses its connections.
public struct APNsPoolConfiguration: Hashable, Sendable {
    /// How many connections are held, at least 1.
    public var connections: Int
    /// On how many event loops, each with its own share of the connections; at least 1 and at most ``connections``.
    public var lanes: Int
    /// The most streams that one connection opens at once; APNs may allow fewer.
    public var streamsPerConnection: Int
    /// How long a request may take, from ``APNsPool/send(_:)`` to its answer, waiting for a stream included.
    public var timeout: TimeAmount
    /// How long a connection that is not used rests before it is asked for a sign of life.
    ///
    /// Apple advises against asking more often than once an hour; a stand-in may be asked more often.
    public var pingInterval: TimeAmount
    /// The pause before a lost connection is tried again; doubled after each failure.
    public var shortestReconnectPause: TimeAmount
    /// The longest such pause.
    public var longestReconnectPause: TimeAmount

    /// A configuration.
    public init(
        connections: Int = 4,
        lanes: Int = 1,
        streamsPerConnection: Int = 1000,
        timeout: TimeAmount = .seconds(10),
        pingInterval: TimeAmount = .hours(1),
        shortestReconnectPause: TimeAmount = .milliseconds(50),
        longestReconnectPause: TimeAmount = .seconds(5)
    ) {
        precondition(connections >= 1 && (1...connections).contains(lanes) && streamsPerConnection >= 1)
        self.connections = connections
        self.lanes = lanes
        self.streamsPerConnection = streamsPerConnection
        self.timeout = timeout
        self.pingInterval = pingInterval
        self.shortestReconnectPause = shortestReconnectPause
        self.longestReconnectPause = longestReconnectPause
    }
}
