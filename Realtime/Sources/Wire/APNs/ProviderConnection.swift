import FreshnessCore

/// What a provider token says, its signature apart.
package struct ProviderClaims: Hashable, Sendable {
    /// `kid`, the key's id.
    package let keyID: String
    /// `iss`, the team's id.
    package let team: String
    /// `iat` [UNIX s].
    package let issuedAt: Int64
    /// The bundle ids that the key is for; empty: all of the team's.
    package let topics: Set<String>

    /// Claims as they were read.
    package init(keyID: String, team: String, issuedAt: Int64, topics: Set<String> = []) {
        self.keyID = keyID
        self.team = team
        self.issuedAt = issuedAt
        self.topics = topics
    }

    /// The instant of an `iat` [UNIX s], decimals cut off; nil for a number that is no instant.
    ///
    /// Apple defines `iat` in seconds. A number of milliseconds is an instant in the far future.
    package static func seconds(ofIssuedAt value: Double) -> Int64? {
        (0..<1e15).contains(value) ? Int64(value) : nil
    }
}

/// The rules of provider tokens on one connection.
///
/// Called with every token whose signature is good; the caller answers a request with the reason that comes back. One
/// concern: which tokens this connection may use, and when.
///
/// ```
///             first token                 another token, 20 min after the last change or later
///   unbound ──────────────► bound(team) ◄──┐
///                               │──────────┘   sooner: TooManyProviderTokenUpdates
/// ```
///
/// - Tokens are told apart by kid, iss and iat, not by their text: a signature differs each time.
/// - The first change comes at any time, as a provider's token may be old when it connects; each later one 20 minutes
///   after the change before. Seen in the wild: the third token within 20 minutes is refused.
/// - The team of the first token is the connection's: another one's token is `InvalidProviderToken`.
/// - So is what the first token's key is for: a key for other topics is `UnrelatedKeyIdInToken`.
///
/// Source: Apple, "Establishing a token-based connection to APNs".
package struct ProviderConnection: Sendable {
    /// The last good token; nil before the first.
    package private(set) var current: ProviderClaims?
    private var lastChange: Int64?

    /// A new connection.
    package init() {}

    /// A token is older than this [s]: it has expired.
    package static var longestAge: Int64 { 3600 }
    /// Tokens change no more often than this [s].
    package static var shortestUse: Int64 { 20 * 60 }
    /// How far a provider's clock may be ahead [s]; chosen.
    package static var clockTolerance: Int64 { 300 }

    /// A request has come with a token, by the wall clock [UNIX s]: why it is refused, or nil if it is not, for this.
    package mutating func presented(_ claims: ProviderClaims, at now: Int64) -> APNsResponseReason? {
        guard claims.issuedAt <= now + ProviderConnection.clockTolerance else { return .wire(.invalidProviderToken) }
        guard now - claims.issuedAt <= ProviderConnection.longestAge else { return .push(.expiredProviderToken) }
        guard let current else {
            self.current = claims
            return nil
        }
        guard claims != current else { return nil }
        guard claims.team == current.team else { return .wire(.invalidProviderToken) }
        guard claims.topics == current.topics else { return .wire(.unrelatedKeyIDInToken) }
        if let lastChange, now - lastChange < ProviderConnection.shortestUse {
            return .wire(.tooManyProviderTokenUpdates)
        }
        self.current = claims
        lastChange = now
        return nil
    }
}
