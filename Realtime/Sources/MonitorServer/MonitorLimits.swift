/// What requests may cost.
package struct MonitorLimits: Hashable, Sendable {
    /// The most bytes of a body.
    package var bodyBytes = 8192
    /// Requests per second of one client, by its address; nil for no limit.
    package var requestsPerSecond: Int?
    /// Connections at a time.
    package var connections = 4096
    /// Seconds after which a connection on which nothing comes is closed.
    package var idleSeconds: Int64 = 60
    /// Instances at a time.
    package var instances = 2_000_000

    /// The usual limits.
    package init() {}
}
