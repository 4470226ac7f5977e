public import Quantities

/// The Freshness Monitor's classification of one live instance.
///
/// The names and their meaning follow Lyft's article "Crafting Seamless Journeys with Live Activities" (2024).
@frozen
public enum FreshnessClass: UInt8, CaseIterable, Sendable {
    /// The stale date is in the future, or past by less than the fresh limit.
    case fresh
    /// Stale beyond the fresh limit; retries may still recover it.
    case recoverable
    /// Given up: end events are sent until one has worked; then the token is invalidated.
    case severe
}

/// The generation time and the stale date of content.
@frozen
public struct ContentStamp: Hashable, BitwiseCopyable, Sendable {
    /// When the server generated the content.
    ///
    /// Newer content replaces older content, never the reverse.
    public var generatedAt: Instant
    /// When the content becomes out of date; `never` if it carries no stale date.
    public var staleDate: Instant

    /// Creates a stamp.
    @inlinable
    public init(generatedAt: Instant, staleDate: Instant) {
        self.generatedAt = generatedAt
        self.staleDate = staleDate
    }
}
