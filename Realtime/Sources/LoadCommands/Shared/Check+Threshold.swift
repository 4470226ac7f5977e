import ArgumentParser
import Evaluation
import Reporting
import Shell

extension [Check] {
    /// Reads the values of `--threshold`.
    init(options: [String]) throws {
        self = try options.map { text in try reading("--threshold") { try Check(parsing: text) } }
    }

    /// Judges the thresholds; if some cannot be judged, reports each of them and ends the command.
    @discardableResult
    func judgedOrExit(by rows: [SummaryRow]) throws -> [CheckOutcome] {
        var outcomes: [CheckOutcome] = []
        for threshold in self {
            do throws(ResponseError) {
                outcomes.append(try threshold.outcome(in: rows))
            } catch {
                printError("--threshold \(error)")
            }
        }
        guard outcomes.count == count else { throw Failure.badData }
        return outcomes
    }
}
