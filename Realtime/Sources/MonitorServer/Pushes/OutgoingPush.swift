import FreshnessCore
import LiveActivityModel
import Quantities
import Wire

/// One push on its way to APNs.
package struct OutgoingPush: Sendable {
    /// What it is for.
    enum Kind: Int, CaseIterable {
        /// Announced content, the first time.
        case update
        /// An attempt to recover the instance.
        case retry
        case end

        /// As pushes are numbered.
        var numbered: StoryLine.PushKind {
            switch self {
            case .update: .update
            case .retry: .retry
            case .end: .end
            }
        }

        /// As metrics name it.
        var name: String { "\(self)" }
    }

    /// Counts the pushes of this process.
    let number: UInt64
    /// Its `apns-id`; another one after a restart.
    let requestID: RequestID
    let kind: Kind
    /// The instance, by its place among the monitor's.
    let row: Int
    /// Which watch over the instance it belongs to; an answer that comes later says nothing about the next one.
    let watch: UInt8
    let token: PublishedToken
    /// The number of that token among the instance's; the answer counts for it alone.
    let tokenNumber: UInt32
    let priority: PushPriority
    /// The content that it carries.
    let content: ContentStamp
    /// The JSON document.
    let payload: [UInt8]
    /// Whether it takes the place of a push with which APNs had not begun.
    let isRepeat: Bool
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

/// What carries pushes to APNs.
///
/// It gives up by itself on what is not answered in time, so each push has exactly one answer.
package protocol PushSender: AnyObject, Sendable {
    /// Says where answers go; called once, before the first push.
    func start(_ handler: @escaping @Sendable ([PushAnswer]) -> Void)
    /// Takes pushes and returns at once.
    func send(_ pushes: [OutgoingPush])
    /// How many pushes wait for a stream.
    var waitingCount: Int { get }
    /// Closes connections; what was not answered is `unanswered`.
    func shutDown() async
}
