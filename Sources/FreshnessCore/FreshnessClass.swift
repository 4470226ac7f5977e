public import Quantities

/// How the Freshness Monitor sees one live instance.
///
/// The names and their meaning are those of Lyft's article "Crafting Seamless Journeys with Live Activities" (2024).
@frozen
public enum FreshnessClass: UInt8, CaseIterable, Sendable {
    /// The stale date lies in the future, or in the past by less than the fresh limit.
    case fresh
    /// Past that; retries may still bring it back.
    case recoverable
    /// Given up: an end event is sent, and the token is invalidated once one has worked.
    case severe
}

/// When content was generated and until when it is good.
@frozen
public struct ContentStamp: Hashable, BitwiseCopyable, Sendable {
    /// When the server generated the content.
    ///
    /// Newer content replaces older, never the other way round.
    public var generatedAt: Instant
    /// From when on the content is out of date; `never` when it carries no stale date.
    public var staleDate: Instant

    /// A stamp.
    @inlinable
    public init(generatedAt: Instant, staleDate: Instant) {
        self.generatedAt = generatedAt
        self.staleDate = staleDate
    }
}
