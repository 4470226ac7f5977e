import FreshnessCore
import Quantities
import Wire

/// One change of the registry; it is durable before it is acknowledged.
enum RegistryChange: Sendable {
    /// A token or a channel is published, or replaces another; `shown` is the activity's first content, if the app has reported it.
    case publish(InstanceID, PushAddress, shown: ContentStamp?, at: Instant)
    /// The app withdraws the token, whatever it is.
    case withdraw(InstanceID, at: Instant)
    /// A token is no longer of use, unless another has replaced it since.
    case retire(InstanceID, revision: Int64, TokenState, at: Instant)
    /// Content is announced.
    case announce(InstanceID, AnnouncedContent, at: Instant)
    /// Content is believed to be shown.
    case confirm(InstanceID, ContentStamp, at: Instant)
    /// The instance ends.
    ///
    /// This is final. A dismissal date [UNIX s] holds unless another one arrives.
    case end(InstanceID, EndDecision, dismissalDate: Int64?, at: Instant)
    /// A finished instance is deleted, unless it has changed since an instant.
    case forget(InstanceID, unchangedSince: Instant)
}

/// A token in the registry, or a channel instead.
struct PublishedToken: Hashable, Sendable {
    /// The token or the channel.
    ///
    /// It is never printed.
    var address: PushAddress
    /// The registry's number for this publication; later changes of the instance have larger ones.
    var revision: Int64
    var publishedAt: Instant
}

/// The reason for the end of an instance.
///
/// Of two reasons the one with the lower number is kept: after a ride no end waits for a scan.
enum EndDecision: Int, Sendable {
    case rideOver = 1
    /// The instance was severely stale.
    case severe = 2
}

/// An instance in the registry.
struct StoredInstance: Sendable {
    var id: InstanceID
    /// The revision of the last change of its token.
    var revision: Int64
    var tokenState: TokenState
    /// The token, while it is active.
    var token: PublishedToken?
    /// The content that it is believed to show.
    var confirmed: ContentStamp?
    /// The content that it should show.
    var announced: AnnouncedContent?
    /// The decision to end it, if any.
    var end: EndDecision?
    /// The time of the last change.
    var changedAt = Instant.start
    /// The time to remove its card after the end [UNIX s]; `nil` to leave it to the system.
    var dismissalDate: Int64?
}

/// The reason why the registry fails.
///
/// It contains none of the registry's data; the description has the words.
package enum RegistryError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable(path: String, reason: String)
    /// The file is an SQLite file of another program.
    case foreign(path: String, finding: String)
    /// A later version has written the file: its schema is a later one.
    case laterSchema(path: String, schema: Int)
    /// A later version has written the file: it has unknown migrations.
    case laterVersion(path: String, unknown: [String])
    /// The file has invalid data.
    case damaged(path: String, finding: String)
    /// The file has an instance of another shard.
    case otherShard(path: String, instance: String, shard: String)
    case inUse(path: String)
    case notWritten(reason: String)
    case closed

    /// The error, with the file.
    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): cannot be used as a token registry: \(reason)"
        case .foreign(let path, let finding):
            "\(path): is another program's file: \(finding); allowed: a registry that freshet monitor has "
                + "written, an empty file, or a new one; it is unchanged: give --registry another file"
        case .laterSchema(let path, let schema):
            "\(path): was written by a later version of freshet monitor: its schema is \(schema); allowed: up to "
                + "\(Registry.migrations.count); use that version, or another file"
        case .laterVersion(let path, let unknown):
            "\(path): was written by a later version of freshet monitor: it has \"\(unknown.joined(separator: "\", \""))\"; allowed: "
                + "\"\(Registry.migrations.map(\.name).joined(separator: "\", \""))\"; use that version, or another file"
        case .damaged(let path, let finding):
            "\(path): is damaged: \(finding); restore a copy, or move it away: apps publish their tokens again"
        case .otherShard(let path, let instance, let shard):
            "\(path): holds instance \(instance), which is not in shard \(shard); start this shard with its own registry"
        case .inUse(let path): "\(path): another monitor is using this registry; only one at a time is allowed"
        case .notWritten(let reason): "the token registry did not take a change: \(reason)"
        case .closed: "the token registry is closed"
        }
    }
}
