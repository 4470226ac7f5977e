public import Quantities

/// That a test in real time was ended before its time, and after how much of it.
public struct EarlyEndMark: Hashable, Sendable {
    /// The reason for an early end.
    public enum Cause: Hashable, Sendable {
        /// Ctrl-C (SIGINT).
        case interrupted
        /// `kill` (SIGTERM).
        case terminated
        /// A threshold that does not hold, as it was written.
        case threshold(String)
    }

    /// What asked for it.
    public var cause: Cause
    /// After how much of its time; of a scenario's run, in the scenario's own.
    public var ran: TimeSpan
    /// How long it was to take; nil where no end was planned, as of a search.
    public var planned: TimeSpan?
    /// How much of the beginning is left out of all that is measured.
    public var warmUp = TimeSpan.zero
    /// How many trials of a search were run to their ends, of which it reports; nil for any other test.
    public var trials: Int?
    /// Requests that had no answer when there was no more waiting for it; nil where requests are not counted one by one, as
    /// where rides or instances are.
    public var unanswered: Int?

    /// An early end.
    public init(cause: Cause, ran: TimeSpan, planned: TimeSpan?, unanswered: Int? = nil) {
        self.cause = cause
        self.ran = ran
        self.planned = planned
        self.unanswered = unanswered
    }

    /// Whether it ended later than its warm-up, so that there is something that was measured.
    public var hasMeasured: Bool { ran > warmUp || warmUp == .zero }

    /// The same end of a search whose last trial it has cut short: that trial is left out of what is reported.
    ///
    /// - Parameters:
    ///   - trials: How many were run to their ends before it.
    ///   - took: How long these have taken.
    public func ofSearch(after trials: Int, took: TimeSpan) -> EarlyEndMark {
        var mark = EarlyEndMark(cause: cause, ran: took + ran, planned: nil)
        mark.trials = trials
        return mark
    }
}
