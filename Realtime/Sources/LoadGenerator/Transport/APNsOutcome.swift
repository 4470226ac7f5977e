package import NIOCore

/// What became of a request, as its sender can know it.
package enum APNsOutcome: Hashable, Sendable {
    /// APNs has answered; 200 means that it has accepted the push, not that it was seen.
    case answered(APNsAnswer)
    /// No answer came in time after the request was sent; APNs may or may not have the push.
    case timedOut
    /// No stream was free for the request in time, or there was no connection: it was never sent, and APNs was not asked.
    case notSent
    /// The connection was lost, or APNs gave the stream up, after the request was sent; APNs may or may not have the push.
    case connectionLost
    /// APNs has certainly not acted on the request: it can be repeated at once.
    ///
    /// A GOAWAY named a lower stream, the stream was refused, or the sender was closed before it sent the request.
    case notProcessed
}

/// An answer of APNs.
///
/// Source: Apple, "Handling notification responses from APNs".
package struct APNsAnswer: Hashable, Sendable {
    /// The HTTP status.
    package var status: Int
    /// The reason of a refusal as APNs spells it; nil when there is none or it cannot be read.
    package var reason: String?
    /// When APNs found the token invalid [ms since 1970]; only with status 410.
    package var timestampMilliseconds: Int64?

    /// An answer.
    package init(status: Int, reason: String? = nil, timestampMilliseconds: Int64? = nil) {
        self.status = status
        self.reason = reason
        self.timestampMilliseconds = timestampMilliseconds
    }

    /// Whether APNs has accepted the push.
    package var isAccepted: Bool { status == 200 }
}

/// A request's outcome and its times.
package struct APNsCompletion: Sendable {
    /// The caller's number for the request.
    package let number: UInt64
    /// What became of it.
    package let outcome: APNsOutcome
    /// When it ought to have been sent.
    package let due: NIODeadline
    /// When it was handed to a connection; nil when it never was.
    package let sent: NIODeadline?
    /// When its outcome was known.
    package let done: NIODeadline

    /// What became of a request.
    package init(number: UInt64, outcome: APNsOutcome, due: NIODeadline, sent: NIODeadline?, done: NIODeadline) {
        self.number = number
        self.outcome = outcome
        self.due = due
        self.sent = sent
        self.done = done
    }
}

/// Who is told what became of requests.
package protocol APNsCompletionHandler: Sendable {
    /// Takes the outcomes that have become known together; each request has exactly one.
    ///
    /// Called on the event loop of the lane of that number: it must not block. Calls of different lanes may overlap.
    func completed(_ completions: [APNsCompletion], lane: Int)

    /// A connection of a lane was made or lost; called as ``completed(_:lane:)`` is.
    func connectionsChanged(to count: Int, lane: Int)
}

extension APNsCompletionHandler {
    /// Nothing, for those to whom it makes no difference.
    package func connectionsChanged(to count: Int, lane: Int) {}
}
