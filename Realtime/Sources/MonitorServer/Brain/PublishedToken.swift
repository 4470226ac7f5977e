package import Quantities
package import Wire

/// A token as the registry has it.
package struct PublishedToken: Hashable, Sendable {
    /// The token; never printed.
    package var token: DeviceToken
    /// The registry's number for this publication; later changes of the instance have larger ones.
    package var revision: Int64
    /// When it was published.
    package var publishedAt: Instant

    /// A token.
    package init(token: DeviceToken, revision: Int64, publishedAt: Instant) {
        self.token = token
        self.revision = revision
        self.publishedAt = publishedAt
    }
}

/// What became of an instance's token.
package enum TokenState: Int, CaseIterable, Sendable {
    /// None was published.
    case none = 0
    /// Pushes go to it.
    case active = 1
    /// The app has withdrawn it, or an end event has worked.
    case invalidated = 2
    /// APNs has said that it is dead.
    case discarded = 3

    /// As responses name it.
    package var name: String {
        switch self {
        case .none: "none"
        case .active: "active"
        case .invalidated: "invalidated"
        case .discarded: "discarded"
        }
    }
}

/// Why an instance ends.
package enum EndDecision: Int, Sendable {
    /// Its ride is over.
    case rideOver = 1
    /// It was severely stale.
    case severe = 2
}
