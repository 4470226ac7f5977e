public import Quantities

/// The early end of a real-time test, with its cause and time.
public struct EarlyEndMark: Hashable, Sendable {
    /// The reason for an early end.
    public enum Cause: Hashable, Sendable {
        /// Ctrl-C (SIGINT).
        case interrupted
        /// `kill` (SIGTERM).
        case terminated
        /// A threshold that does not hold, as written by the user.
        case threshold(String)
    }

    public var cause: Cause
    /// The time that the test ran; in a scenario's run, simulated time.
    public var ran: TimeSpan
    /// The planned duration; nil if no end was planned, as in a search.
    public var planned: TimeSpan?
    /// The warm-up, which is left out of all measurements.
    public var warmUp = TimeSpan.zero
    /// The number of complete trials of a search, which it reports; nil for any other test.
    public var trials: Int?
    /// The number of requests without an answer at the end of the wait for answers; nil if the test counts rides or
    /// instances instead of requests.
    public var unanswered: Int?

    /// Creates an early end.
    public init(cause: Cause, ran: TimeSpan, planned: TimeSpan?, unanswered: Int? = nil) {
        self.cause = cause
        self.ran = ran
        self.planned = planned
        self.unanswered = unanswered
    }

    /// `true` if it ended after its warm-up, so that there are measurements.
    public var hasMeasured: Bool { ran > warmUp || warmUp == .zero }

    /// Returns the early end of a search without its unfinished last trial.
    ///
    /// - Parameters:
    ///   - trials: The number of complete trials.
    ///   - took: The duration of these trials.
    public func ofSearch(after trials: Int, took: TimeSpan) -> EarlyEndMark {
        var mark = EarlyEndMark(cause: cause, ran: took + ran, planned: nil)
        mark.trials = trials
        return mark
    }
}
