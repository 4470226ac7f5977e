import Synchronization

/// A request to end work early and keep its results so far: Ctrl-C, `kill` or a threshold that does not hold.
///
/// ``Interruption/endingEarly(kept:_:)`` makes it once. Work that can end early polls it.
///
/// | phase | begins with | what a signal does |
/// |---|---|---|
/// | before | | stops |
/// | running | ``workBegins()`` | ends the work early; a second one stops |
/// | over | ``workIsOver(_:)`` | waits for what is being done; a second one stops |
/// | written | ``keeps(_:)`` | stops |
///
/// Signals within half a second of the first count as one request, because `timeout` sends each of its signals twice.
public final class EarlyEnd: Sendable {
    /// The cause of a request.
    public enum Cause: Hashable, Sendable {
        /// Ctrl-C (SIGINT).
        case interrupted
        /// `kill` (SIGTERM).
        case terminated
        /// A threshold that does not hold, as written by the user.
        case threshold(String)
    }

    private enum Phase {
        case before, underWay, over
    }

    private struct State {
        var phase = Phase.before
        var rest = ""
        var cause: Cause?
        var isWarned = false
        var kept: String?
    }

    /// The effect of a signal.
    enum Effect: Hashable, Sendable {
        /// The work ends early and keeps its results so far.
        case endsEarly
        /// The work is over, and what is left is being done, in words. One signal does not stop that.
        case waits(String)
        /// The work is stopped: at once if it has begun.
        case stops
    }

    private let state = Mutex(State())

    /// Creates an object without a request.
    public init() {}

    /// The cause of the request; nil if there is none.
    public var cause: Cause? { state.withLock { $0.cause } }

    /// `true` if nothing new should begin.
    public var isAsked: Bool { cause != nil }

    /// `true` if the work has begun, even if it is over.
    var hasBegun: Bool { state.withLock { $0.phase != .before } }

    /// A sentence about the results, printed if the work is stopped now; nil if nothing has been written.
    public var kept: String? { state.withLock { $0.kept } }

    /// Marks the start of work with results to keep.
    ///
    /// Before it, a signal stops everything.
    public func workBegins() { state.withLock { $0.phase = .underWay } }

    /// Marks the end of all work that could end early.
    ///
    /// - Parameter rest: A clause about what is left to do, for the message after a signal.
    public func workIsOver(_ rest: String = "its results are being written") {
        state.withLock { ($0.phase, $0.rest) = (.over, rest) }
    }

    /// Records that results are written, with the sentence to print if the rest is stopped: `the results are in DIR`.
    public func keeps(_ results: String) { state.withLock { $0.kept = results } }

    /// Requests an early end; returns false if nothing has begun, all is over, or there is a request already.
    public func ask(_ cause: Cause) -> Bool {
        state.withLock { state in
            guard state.phase == .underWay, state.cause == nil else { return false }
            state.cause = cause
            return true
        }
    }

    /// Handles a signal that ``SignalDebouncer`` has found to be a request of its own.
    func signalled(_ cause: Cause) -> Effect {
        if ask(cause) { return .endsEarly }
        return state.withLock { state in
            guard state.phase == .over, state.cause == nil, state.kept == nil, !state.isWarned else { return .stops }
            state.isWarned = true
            return .waits(state.rest)
        }
    }
}
