package import FreshnessCore
package import Quantities

/// What became of a push, as far as a provider can know.
package enum PushOutcome: Hashable, Sendable {
    /// 200: APNs has taken it.
    case accepted
    /// APNs has refused it.
    ///
    /// `deadSince` comes with 410: when APNs last found the token dead.
    case refused(APNsReason, deadSince: Instant?)
    /// The connection went away and APNs has said that it had not begun with this push: it may be sent again.
    case notProcessed
    /// No answer in time, or none before the connection broke: it may have worked or not.
    case unanswered
}

/// An outcome and whose it is.
package struct PushAnswer: Sendable {
    /// The push.
    package let number: UInt64
    /// What became of it.
    package let outcome: PushOutcome

    /// An answer.
    package init(number: UInt64, outcome: PushOutcome) {
        self.number = number
        self.outcome = outcome
    }
}

/// What carries pushes to APNs.
///
/// It gives up by itself on what is not answered in time, so each push has exactly one answer.
package protocol PushSender: AnyObject, Sendable {
    /// Says where answers go; called once, before the first push.
    func start(_ handler: @escaping @Sendable ([PushAnswer]) -> Void)
    /// Takes pushes and returns at once.
    func send(_ pushes: [Push])
    /// How many pushes wait for a stream.
    var waitingCount: Int { get }
    /// Closes connections; what was not answered is `unanswered`.
    func shutDown() async
}
