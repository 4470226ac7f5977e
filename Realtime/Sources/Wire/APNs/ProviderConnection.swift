import FreshnessCore

/// The claims of a provider token, without its signature.
package struct ProviderClaims: Hashable, Sendable {
    /// `kid`, the key's id.
    package let keyID: String
    /// `iss`, the team's id.
    package let team: String
    /// `iat` [UNIX s].
    package let issuedAt: Int64
    /// The bundle ids that the key is valid for; if empty, all of the team's.
    package let topics: Set<String>

    /// Creates claims from their values.
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
/// Called with every token whose signature is valid; the caller rejects a request with the returned reason. Its one
/// concern is which tokens this connection may use, and when.
///
/// ```
///             first token                 another token, 20 min after the last change or later
///   unbound ──────────────► bound(team) ◄──┐
///                               │──────────┘   sooner: TooManyProviderTokenUpdates
/// ```
///
/// - Tokens are distinguished by kid, iss and iat, not by their text: the signature differs each time.
/// - The first change is allowed at any time, because a provider's token may be old when it connects. Each later change
///   is allowed 20 minutes after the previous one. Observed: APNs rejects the third token within 20 minutes.
/// - The connection belongs to the team of the first token: a token of another team is `InvalidProviderToken`.
/// - It also belongs to the topics of the first token's key: a key for other topics is `UnrelatedKeyIdInToken`.
///
/// Source: Apple, "Establishing a token-based connection to APNs".
package struct ProviderConnection: Sendable {
    /// The last valid token; `nil` before the first.
    package private(set) var current: ProviderClaims?
    private var lastChange: Int64?

    /// Creates the state of a new connection.
    package init() {}

    /// The age above which a token has expired [s].
    package static var longestAge: Int64 { 3600 }
    /// The minimum interval between changes of token [s].
    package static var shortestUse: Int64 { 20 * 60 }
    /// The tolerated lead of a provider's clock [s]; a chosen value.
    package static var clockTolerance: Int64 { 300 }

    /// Records a request with a token, by the wall clock [UNIX s]; returns why the token is rejected, or `nil` if it is
    /// accepted.
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
