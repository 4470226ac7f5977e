package import FreshnessCore
package import Quantities
package import Wire

/// One change of the registry; it is durable before anybody is told that it happened.
package enum RegistryChange: Sendable {
    /// A token is published or takes the place of another.
    ///
    /// - `shown`: What the activity began with, if the app has said so.
    case publish(InstanceID, DeviceToken, shown: ContentStamp?, at: Instant)
    /// The app withdraws the token, whichever it is.
    case withdraw(InstanceID, at: Instant)
    /// A token is of no use any more, unless another has taken its place since.
    case retire(InstanceID, revision: Int64, TokenState, at: Instant)
    /// Content is to be shown.
    case announce(InstanceID, AnnouncedContent, at: Instant)
    /// Content is believed to be shown.
    case confirm(InstanceID, ContentStamp, at: Instant)
    /// The instance ends; that stands.
    case end(InstanceID, EndDecision, at: Instant)
    /// The instance is over and of no interest any more, unless anything has changed since an instant.
    case forget(InstanceID, unchangedSince: Instant)
}

/// An instance as the registry has it.
package struct StoredInstance: Sendable {
    /// Its name.
    package var id: InstanceID
    /// The number of the last change of its token.
    package var revision: Int64
    /// What became of its token.
    package var tokenState: TokenState
    /// Its token, while that is active.
    package var token: PublishedToken?
    /// What it is believed to show.
    package var confirmed: ContentStamp?
    /// What it is to show.
    package var announced: AnnouncedContent?
    /// Whether it ends.
    package var end: EndDecision?
}

/// Why the registry cannot do its work; says nothing of what it holds.
package enum RegistryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It cannot be opened or read.
    case unreadable(path: String, reason: String)
    /// Another process has it.
    case inUse(path: String)
    /// A change did not become durable.
    case notWritten(reason: String)
    /// It was closed.
    case closed

    /// What went wrong and where.
    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): cannot be used as a token registry: \(reason)"
        case .inUse(let path): "\(path): another monitor is using this registry; one at a time is allowed"
        case .notWritten(let reason): "the token registry did not take a change: \(reason)"
        case .closed: "the token registry is closed"
        }
    }
}
