import FreshnessCore
import LiveActivityModel
import Quantities
import Wire

/// One push on its way to APNs.
package struct OutgoingPush: Sendable {
    /// The sequence number of the push in this process.
    let number: UInt64
    /// The `apns-id`; it differs after a restart.
    let requestID: RequestID
    /// The row of the instance.
    let row: Int
    let token: PublishedToken
    /// The push that the instance's station requests.
    let decision: RemoteMonitorStation.Push
    /// The JSON document.
    let payload: [UInt8]

    /// The kind of the push.
    var kind: StoryLine.PushKind { decision.kind }
}

/// The outcome of a push, as far as a provider can know it.
enum PushOutcome: Hashable, Sendable {
    /// 200: APNs has accepted it.
    case accepted
    /// APNs has rejected it; a 410 has the time at which APNs found the token invalid.
    case refused(APNsReason, deadSince: Instant?)
    /// The connection closed and APNs had not processed this push, so it may be sent again.
    case notProcessed
    /// No answer in time, or none before the connection broke: it may have succeeded or not.
    case unanswered
}

/// An outcome with the number of its push.
package struct PushAnswer: Sendable {
    let number: UInt64
    let outcome: PushOutcome
}

/// News about APNs for a monitor.
package enum PushNews: Sendable {
    case answers([PushAnswer])
    /// `true` if any connection exists; sent at the start and after each change.
    case connected(Bool)
}

/// A transport of pushes to APNs.
///
/// It abandons a push that has no answer in time, so each push has exactly one outcome.
package protocol PushTransport: AnyObject, Sendable {
    /// Sets the receiver of answers and connection changes; called once, before the first push.
    func start(_ hear: @escaping @Sendable (PushNews) -> Void)
    /// Takes pushes and returns at once.
    func send(_ pushes: [OutgoingPush])
    /// The number of pushes that wait for a stream.
    var waitingCount: Int { get }
    /// Closes connections; pushes without an answer are `unanswered`.
    func shutDown() async
}
