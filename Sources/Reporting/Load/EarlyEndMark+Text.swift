public import ArgumentParser
public import Evaluation
import Quantities
import Shell
import TextFormats

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
