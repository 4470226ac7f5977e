import FreshnessCore
import LiveActivityModel
import Quantities
import Wire

/// One push on its way to APNs.
package struct OutgoingPush: Sendable {
    /// Counts the pushes of this process.
    let number: UInt64
    /// Its `apns-id`; another one after a restart.
    let requestID: RequestID
    /// The instance, by its place among the monitor's.
    let row: Int
    let token: PublishedToken
    /// What the instance's station wants sent.
    let decision: RemoteMonitorStation.Push
    /// The JSON document.
    let payload: [UInt8]

    /// What it is for.
    var kind: StoryLine.PushKind { decision.kind }
}

/// What became of a push, as far as a provider can know.
enum PushOutcome: Hashable, Sendable {
    /// 200: APNs has taken it.
    case accepted
    /// APNs has refused it; with 410 it says since when it has found the token dead.
    case refused(APNsReason, deadSince: Instant?)
    /// The connection went away and APNs has said that it had not begun with this push: it may be sent again.
    case notProcessed
    /// No answer in time, or none before the connection broke: it may have worked or not.
    case unanswered
}

/// An outcome and whose it is.
package struct PushAnswer: Sendable {
    let number: UInt64
    let outcome: PushOutcome
}

/// What a monitor hears of APNs.
package enum PushNews: Sendable {
    case answers([PushAnswer])
    /// Whether there is any connection; told when that begins to be heard, and after each change.
    case connected(Bool)
}

/// What carries pushes to APNs.
///
/// It gives up by itself on what is not answered in time, so each push has exactly one answer.
package protocol PushTransport: AnyObject, Sendable {
    /// Says who hears of answers and connections; called once, before the first push.
    func start(_ hear: @escaping @Sendable (PushNews) -> Void)
    /// Takes pushes and returns at once.
    func send(_ pushes: [OutgoingPush])
    /// How many pushes wait for a stream.
    var waitingCount: Int { get }
    /// Closes connections; what was not answered is `unanswered`.
    func shutDown() async
}
