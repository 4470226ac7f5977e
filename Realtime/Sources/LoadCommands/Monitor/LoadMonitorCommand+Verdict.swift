import ArgumentParser
import Evaluation
import Reporting
import Results
import Shell

/// The verdict on a load on a monitor, with or without a scenario.
extension LoadMonitorCommand {
    /// Judges the thresholds and the number of failed requests, or ends the command if a threshold cannot be judged.
    func judgeOrExit(_ results: inout LoadReport, failures: Int) throws {
        results.outcomes = try ride.thresholds().judgedOrExit(by: results.rows)
        results.outcomes.append(.failures(failures, atMost: maxFailures))
    }

    /// Reports more failed requests than are allowed.
    ///
    /// - Parameters:
    ///   - cause: The reason why all of them failed; nil if it is unknown or they failed for several reasons.
    ///   - remark: A further remark, with its space in front; empty for none.
    func report(failures: Int, cause: String?, remark: String = "") {
        guard failures > maxFailures else { return }
        let cause = cause.map { "; all of them: \($0)" } ?? ""
        printError("\(failures) requests failed; \(maxFailures) are allowed\(cause)\(remark)")
    }
}
