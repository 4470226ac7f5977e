package import NIOCore

/// The outcome of a request, as its sender can know it.
package enum APNsOutcome: Hashable, Sendable {
    /// APNs has answered. A 200 means that it has accepted the push, not that anyone has seen it.
    case answered(APNsAnswer)
    /// No answer came in time after the request was sent; APNs may or may not have the push.
    case timedOut
    /// The request was never sent, because no stream was free in time or there was no connection.
    case notSent
    /// The connection or the stream was lost after the request was sent; APNs may or may not have the push.
    case connectionLost
    /// APNs has certainly not acted on the request, so it can be repeated at once.
    ///
    /// A GOAWAY named a lower stream, the stream was refused, or the sender was closed before it sent the request.
    case notProcessed

    /// `true` if APNs has accepted the push.
    package var hasAccepted: Bool { if case .answered(let answer) = self { answer.isAccepted } else { false } }
}

/// An answer of APNs.
///
/// Source: Apple, "Handling notification responses from APNs".
package struct APNsAnswer: Hashable, Sendable {
    /// The HTTP status.
    package var status: Int
    /// The reason of a rejection as APNs spells it; nil if there is none or it cannot be read.
    package var reason: String?
    /// The instant since which the token is invalid [ms since 1970]; only with status 410.
    package var timestampMilliseconds: Int64?
    /// `true` if APNs has accepted the push, or a service has done what was asked.
    package let isAccepted: Bool
    /// The id of a new broadcast channel; nil in any other answer.
    package var channelID: String?

    /// An answer.
    ///
    /// - Parameter isAccepted: `true` if the request succeeded; nil: it did with status 200, as at APNs.
    package init(
        status: Int,
        reason: String? = nil,
        timestampMilliseconds: Int64? = nil,
        isAccepted: Bool? = nil
    ) {
        self.status = status
        self.reason = reason
        self.timestampMilliseconds = timestampMilliseconds
        self.isAccepted = isAccepted ?? (status == 200)
    }
}

/// A request's outcome and its times.
package struct APNsCompletion: Sendable {
    /// The caller's number for the request.
    package let number: UInt64
    package let outcome: APNsOutcome
    /// Its due time.
    package let due: NIODeadline
    /// The instant at which it was handed to a connection; nil if it never was.
    package let sent: NIODeadline?
    /// The instant at which its outcome was known.
    package let done: NIODeadline

    /// A completed request.
    package init(number: UInt64, outcome: APNsOutcome, due: NIODeadline, sent: NIODeadline?, done: NIODeadline) {
        self.number = number
        self.outcome = outcome
        self.due = due
        self.sent = sent
        self.done = done
    }
}

/// A receiver of the outcomes of requests.
package protocol APNsCompletionHandler: Sendable {
    /// Takes outcomes that have become known together; each request has exactly one.
    ///
    /// It is called on an event loop of the pool and must not block. Calls of different lanes may overlap.
    func completed(_ completions: [APNsCompletion])

    /// Takes the number of connections of a lane after one was made or lost; called like ``completed(_:)``.
    func connectionsChanged(to count: Int, lane: Int)
}

extension APNsCompletionHandler {
    /// Does nothing.
    package func connectionsChanged(to count: Int, lane: Int) {}
}
