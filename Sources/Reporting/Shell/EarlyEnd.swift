public import ArgumentParser
public import Experiments
import Quantities
import Synchronization
import TextFormats

/// A request to end work early and keep its results so far: Ctrl-C, `kill` or a threshold that does not hold.
///
/// ``Interruption/endingEarly(kept:_:)`` makes it once. Work that can end early polls it.
///
/// | phase | begins with | what a signal does |
/// |---|---|---|
/// | before | | stops |
/// | running | ``workBegins()`` | ends the work early; a second one stops |
/// | over | ``workIsOver()`` | waits for what is being written; a second one stops |
/// | written | ``keeps(_:)`` | stops |
///
/// Signals within half a second of the first count as one request, because `timeout` sends each of its signals twice.
public final class EarlyEnd: Sendable {
    private enum Phase {
        case before, underWay, over
    }

    private struct State {
        var phase = Phase.before
        var cause: EarlyEndMark.Cause?
        var isWarned = false
        var kept: String?
    }

    /// The effect of a signal.
    enum Effect: Hashable, Sendable {
        /// The work ends early and keeps its results so far.
        case endsEarly
        /// The work is over and its results are being written. One signal does not stop that.
        case waits
        /// The work is stopped: at once if it has begun.
        case stops
    }

    private let state = Mutex(State())

    /// Creates an object without a request.
    public init() {}

    /// The cause of the request; nil if there is none.
    public var cause: EarlyEndMark.Cause? { state.withLock { $0.cause } }

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
    public func workIsOver() { state.withLock { $0.phase = .over } }

    /// Records that results are written, with the sentence to print if the rest is stopped: `the results are in DIR`.
    public func keeps(_ results: String) { state.withLock { $0.kept = results } }

    /// Requests an early end; returns false if nothing has begun, all is over, or there is a request already.
    public func ask(_ cause: EarlyEndMark.Cause) -> Bool {
        state.withLock { state in
            guard state.phase == .underWay, state.cause == nil else { return false }
            state.cause = cause
            return true
        }
    }

    /// Handles a signal that ``SignalWishes`` has found to be a request of its own.
    func signalled(_ cause: EarlyEndMark.Cause) -> Effect {
        if ask(cause) { return .endsEarly }
        return state.withLock { state in
            guard state.phase == .over, state.cause == nil, state.kept == nil, !state.isWarned else { return .stops }
            state.isWarned = true
            return .waits
        }
    }
}

extension EarlyEndMark {
    /// The reason for the early end, after the word "by".
    private var agent: String {
        switch cause {
        case .interrupted: "Ctrl-C"
        case .terminated: "a signal (SIGTERM)"
        case .threshold(let text): "the threshold `\(text)`, which does not hold,"
        }
    }

    /// A sentence about how it ended, without its full stop.
    public var sentence: String {
        let by = agent
        let span = Format.span(ran.microseconds)
        guard let plan = planned else {
            guard let trials else { return "Ended early by \(by) after \(span)" }
            return "Search ended early by \(by) after \(span) and \(trials) whole \(trials == 1 ? "trial" : "trials"); "
                + "the unfinished trial is left out"
        }
        let planned = Format.span(plan.microseconds)
        let beginning =
            ran < plan
            ? "Ended early by \(by) after \(span) of \(planned) "
                + "(\(Format.percent(ran.microseconds, of: plan.microseconds)))"
            : "Ended by \(by) after all \(planned) of its plan, while waiting for the last answers"
        guard let unanswered, unanswered > 0 else { return beginning }
        return beginning
            + "; \(Format.count(Int64(unanswered))) requests had no answer when the wait ended and are not counted"
    }

    /// The consequence for the measurements.
    var meaning: String {
        hasMeasured
            ? "All numbers here, including thresholds, cover only the part that ran."
            : "Nothing was measured: it ended before its warm-up of \(Format.span(warmUp.microseconds)) was over."
    }

    /// The exit code of a command that ended early: a partial result must not pass for a complete one.
    public var exitCode: ExitCode {
        switch cause {
        case .interrupted: Failure.interrupted
        case .terminated: Failure.terminated
        case .threshold: Failure.checkFailed
        }
    }

    /// The first paragraph of a report, beginning with the mark of a bad verdict.
    var markdown: String { "✗ \(announcement)" }

    /// A statement that the work ended early, and the consequence.
    public var announcement: String { "\(sentence). \(meaning)" }

    /// The members of `run.json`.
    var json: JSONValue {
        var members: [String: JSONValue] = ["ran_us": .integer(ran.microseconds)]
        switch cause {
        case .interrupted: members["signal"] = "SIGINT"
        case .terminated: members["signal"] = "SIGTERM"
        case .threshold(let text): members["threshold"] = .string(text)
        }
        members["planned_us"] = planned.map { .integer($0.microseconds) }
        members["whole_trials_count"] = trials.map { .integer(Int64($0)) }
        members["unanswered_count"] = unanswered.map { .integer(Int64($0)) }
        return .object(members)
    }
}
