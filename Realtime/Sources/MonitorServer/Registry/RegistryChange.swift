import FreshnessCore
import GRDB
import Quantities
import Wire

/// One change of the registry; it is durable before it is acknowledged.
enum RegistryChange: Sendable {
    /// A token is published or takes the place of another; `shown` is what the activity began with, if the app has said so.
    case publish(InstanceID, DeviceToken, shown: ContentStamp?, at: Instant)
    /// The app withdraws the token, whichever it is.
    case withdraw(InstanceID, at: Instant)
    /// A token is of no use any more, unless another has taken its place since.
    case retire(InstanceID, revision: Int64, TokenState, at: Instant)
    /// Content is to be shown.
    case announce(InstanceID, AnnouncedContent, at: Instant)
    /// Content is believed to be shown.
    case confirm(InstanceID, ContentStamp, at: Instant)
    /// The instance ends; that stands, and so does a dismissal date [UNIX s] unless another one comes.
    case end(InstanceID, EndDecision, dismissalDate: Int64?, at: Instant)
    /// The instance is over and of no interest any more, unless anything has changed since an instant.
    case forget(InstanceID, unchangedSince: Instant)
}

/// A token as the registry has it.
struct PublishedToken: Hashable, Sendable {
    /// Never printed.
    var token: DeviceToken
    /// The registry's number for this publication; later changes of the instance have larger ones.
    var revision: Int64
    var publishedAt: Instant
}

/// Why an instance ends; where there are two reasons, that with the lower number is kept: after a ride no end waits for a scan.
enum EndDecision: Int, Sendable {
    /// Its ride is over.
    case rideOver = 1
    /// It was severely stale.
    case severe = 2
}

/// An instance as the registry has it.
struct StoredInstance: Sendable {
    var id: InstanceID
    /// The number of the last change of its token.
    var revision: Int64
    var tokenState: TokenState
    /// Its token, while that is active.
    var token: PublishedToken?
    /// What it is believed to show.
    var confirmed: ContentStamp?
    /// What it is to show.
    var announced: AnnouncedContent?
    /// Whether it ends.
    var end: EndDecision?
    /// When anything was last written of it.
    var changedAt = Instant.start
    /// When its card is to go after the end [UNIX s]; nil: the system decides.
    var dismissalDate: Int64?
}

/// Why the registry cannot do its work; says nothing of what it holds; the description has the words.
package enum RegistryError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable(path: String, reason: String)
    /// It is an SQLite file of another program.
    case foreign(path: String, finding: String)
    /// It was written by a monitor that knows more: its schema is a later one.
    case laterSchema(path: String, schema: Int)
    /// It was written by a monitor that knows more: migrations that are not known here.
    case laterVersion(path: String, unknown: [String])
    /// What it holds cannot be right.
    case damaged(path: String, finding: String)
    /// It holds an instance of another of the monitors that share all instances.
    case otherShard(path: String, instance: String, shard: String)
    case inUse(path: String)
    case notWritten(reason: String)
    case closed

    /// What went wrong and where.
    package var description: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): cannot be used as a token registry: \(reason)"
        case .foreign(let path, let finding):
            "\(path): is another program's file: \(finding); allowed: a registry that freshet monitor has "
                + "written, an empty file, or none yet; it was left as it is: give --registry another file"
        case .laterSchema(let path, let schema):
            "\(path): was written by a later version of freshet monitor: its schema is \(schema); allowed: up to "
                + "\(Registry.migrator.migrations.count); use that version, or another file"
        case .laterVersion(let path, let unknown):
            "\(path): was written by a later version of freshet monitor: it has \"\(unknown.joined(separator: "\", \""))\"; allowed: "
                + "\"\(Registry.migrator.migrations.joined(separator: "\", \""))\"; use that version, or another file"
        case .damaged(let path, let finding):
            "\(path): is damaged: \(finding); restore a copy of it, or move it away: apps publish their tokens again"
        case .otherShard(let path, let instance, let shard):
            "\(path): holds instance \(instance), which is not of shard \(shard); start this shard with a registry of its own"
        case .inUse(let path): "\(path): another monitor is using this registry; one at a time is allowed"
        case .notWritten(let reason): "the token registry did not take a change: \(reason)"
        case .closed: "the token registry is closed"
        }
    }
}
