public import ArgumentParser
public import Experiments
import Quantities
import Synchronization
import TextFormats

/// The wish that work ends early and keeps what it has: Ctrl-C or `kill`, once.
///
/// ``Interruption/endingEarly(kept:_:)`` makes it; work that can end early looks at it every now and then.
public final class EarlyEnd: Sendable {
    private struct State {
        var hasBegun = false
        var kept: String?
        var cause: EarlyEndMark.Cause?
    }

    private let state = Mutex(State())

    /// Nothing is wished yet.
    public init() {}

    /// What asked; nil while nothing has.
    public var cause: EarlyEndMark.Cause? { state.withLock { $0.cause } }

    /// Whether to begin nothing new.
    public var isAsked: Bool { cause != nil }

    /// Says that from now on there is something to keep; before, a signal stops everything.
    public func workBegins() { state.withLock { $0.hasBegun = true } }

    /// Says that all was measured and written, before what may still take long: a signal stops that at once.
    ///
    /// - Parameter kept: What to tell the user about results when a signal has done so.
    public func workEnds(kept: String) { state.withLock { $0.kept = kept } }

    /// What is kept if a signal stops what goes on after the work; nil while the work goes on.
    var kept: String? { state.withLock { $0.kept } }

    /// Asks; false where nothing has begun, all is over, or it was asked before.
    public func ask(_ cause: EarlyEndMark.Cause) -> Bool {
        state.withLock { state in
            guard state.hasBegun, state.kept == nil, state.cause == nil else { return false }
            state.cause = cause
            return true
        }
    }
}

extension EarlyEndMark {
    /// How it ended, as a sentence without its full stop.
    public var sentence: String {
        let by = cause == .terminated ? "a signal (SIGTERM)" : "Ctrl-C"
        let after = Format.span(ran.microseconds)
        let beginning =
            if let planned, ran < planned {
                "Ended early by \(by) after \(after) of \(Format.span(planned.microseconds)) "
                    + "(\(Format.percent(ran.microseconds, of: planned.microseconds)))"
            } else if let planned {
                "Ended by \(by) after all \(Format.span(planned.microseconds)) of its plan, while the last answers were awaited"
            } else {
                "Ended early by \(by) after \(after), before the search was over"
            }
        guard unanswered > 0 else { return beginning }
        return beginning + "; \(Format.count(Int64(unanswered))) requests had no answer by then and are not counted"
    }

    /// What it means for all that is measured.
    public static let meaning = "Everything here, thresholds too, is about the part that ran."

    /// How a command ends that was ended early: a part must not pass for the whole.
    public var exitCode: ExitCode { cause == .terminated ? Failure.terminated : Failure.interrupted }

    /// The first paragraph of a report; it begins with the mark of a bad verdict.
    var markdown: String { "✗ \(sentence). \(Self.meaning)" }

    /// As `run.json` has it.
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "signal": .string(cause.rawValue), "ran_us": .integer(ran.microseconds),
            "unanswered_count": .integer(Int64(unanswered)),
        ]
        members["planned_us"] = planned.map { .integer($0.microseconds) }
        return .object(members)
    }
}
