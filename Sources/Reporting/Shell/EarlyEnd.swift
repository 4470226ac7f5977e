public import ArgumentParser
public import Experiments
import Quantities
import Synchronization
import TextFormats

/// The wish that work ends early and keeps what it has: Ctrl-C, `kill` or a threshold that does not hold, once.
///
/// ``Interruption/endingEarly(kept:_:)`` makes it; work that can end early looks at it every now and then.
///
/// | phase | begins with | what a signal does |
/// |---|---|---|
/// | before | | stops |
/// | under way | ``workBegins()`` | ends the work early; a second one stops |
/// | over | ``workIsOver()`` | waits for what is being written; a second one stops |
/// | written | ``keeps(_:)`` | stops |
///
/// Signals within half a second of the first are the same wish and count once: `timeout` sends each of its signals
/// twice.
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

    /// What comes of a signal.
    enum Effect: Hashable, Sendable {
        /// The work ends early and keeps what it has.
        case endsEarly
        /// The work is over, and what came of it is being written: that is not stopped by one signal.
        case waits
        /// The work is stopped; where it has begun, at once.
        case stops
    }

    private let state = Mutex(State())

    /// Nothing is wished yet.
    public init() {}

    /// What asked; nil while nothing has.
    public var cause: EarlyEndMark.Cause? { state.withLock { $0.cause } }

    /// Whether to begin nothing new.
    public var isAsked: Bool { cause != nil }

    /// Whether the work has begun, be it over or not.
    var hasBegun: Bool { state.withLock { $0.phase != .before } }

    /// What to tell of results when the work is stopped now; nil where nothing has been written.
    public var kept: String? { state.withLock { $0.kept } }

    /// Says that from now on there is something to keep; before, a signal stops everything.
    public func workBegins() { state.withLock { $0.phase = .underWay } }

    /// Says that nothing is left that could end early.
    public func workIsOver() { state.withLock { $0.phase = .over } }

    /// Says that results are written and what to tell of them when the rest is stopped: `the results are in DIR`.
    public func keeps(_ results: String) { state.withLock { $0.kept = results } }

    /// Asks; false where nothing has begun, all is over, or it was asked before.
    public func ask(_ cause: EarlyEndMark.Cause) -> Bool {
        state.withLock { state in
            guard state.phase == .underWay, state.cause == nil else { return false }
            state.cause = cause
            return true
        }
    }

    /// Takes a signal that is a wish of its own, as ``SignalWishes`` tells.
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

    /// How it ended, as a sentence without its full stop.
    public var sentence: String {
        let by = agent
        let span = Format.span(ran.microseconds)
        guard let plan = planned else {
            guard let trials else { return "Ended early by \(by) after \(span)" }
            return "Search ended early by \(by) after \(span) and \(trials) whole \(trials == 1 ? "trial" : "trials"); "
                + "the one that was under way is left out"
        }
        let planned = Format.span(plan.microseconds)
        let beginning =
            ran < plan
            ? "Ended early by \(by) after \(span) of \(planned) "
                + "(\(Format.percent(ran.microseconds, of: plan.microseconds)))"
            : "Ended by \(by) after all \(planned) of its plan, while the last answers were awaited"
        guard let unanswered, unanswered > 0 else { return beginning }
        return beginning
            + "; \(Format.count(Int64(unanswered))) requests had no answer when it gave up waiting and are not counted"
    }

    /// What it means for all that is measured.
    var meaning: String {
        hasMeasured
            ? "Everything here, thresholds too, is about the part that ran."
            : "Nothing was measured: it ended before its warm-up of \(Format.span(warmUp.microseconds)) was over."
    }

    /// How a command ends that was ended early: a part must not pass for the whole.
    public var exitCode: ExitCode {
        switch cause {
        case .interrupted: Failure.interrupted
        case .terminated: Failure.terminated
        case .threshold: Failure.checkFailed
        }
    }

    /// The first paragraph of a report; it begins with the mark of a bad verdict.
    var markdown: String { "✗ \(announcement)" }

    /// That it ended early, and what that means.
    public var announcement: String { "\(sentence). \(meaning)" }

    /// As `run.json` has it.
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
