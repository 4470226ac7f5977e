public import Quantities

/// That a test in real time was ended before its time, and after how much of it.
public struct EarlyEndMark: Hashable, Sendable {
    /// What asked for the early end, Ctrl-C or `kill`; the raw value is the signal's name.
    public enum Cause: String, Sendable {
        case interrupted = "SIGINT"
        case terminated = "SIGTERM"
    }

    /// What asked for it.
    public var cause: Cause
    /// After how much of its time; of a scenario's run, in the scenario's own.
    public var ran: TimeSpan
    /// How long it was to take; nil where that is not known before the end, as of a search.
    public var planned: TimeSpan?
    /// Requests that had no answer when there was no more waiting for it.
    public var unanswered: Int

    /// An early end.
    public init(cause: Cause, ran: TimeSpan, planned: TimeSpan?, unanswered: Int = 0) {
        self.cause = cause
        self.ran = ran
        self.planned = planned
        self.unanswered = unanswered
    }
}
