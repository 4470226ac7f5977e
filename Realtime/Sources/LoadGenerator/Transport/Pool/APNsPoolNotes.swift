/// What is worth knowing about a pool's connections.
public struct APNsPoolNotes: Hashable, Sendable {
    /// How many connections have been made.
    public var connections = 0
    /// How many of them have ended.
    public var lostConnections = 0
    /// How many GOAWAYs have come.
    public var goAways = 0
    /// The reason that the last GOAWAY gave, if any did.
    public var lastGoAwayReason: String?
    /// What went wrong last with a connection.
    public var lastError: String?

    /// Nothing so far.
    public init() {}

    /// Adds what another part of the pool has seen.
    mutating func add(_ other: APNsPoolNotes) {
        connections += other.connections
        lostConnections += other.lostConnections
        goAways += other.goAways
        lastGoAwayReason = other.lastGoAwayReason ?? lastGoAwayReason
        lastError = other.lastError ?? lastError
    }
}
