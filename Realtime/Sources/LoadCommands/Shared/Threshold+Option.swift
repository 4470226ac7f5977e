import ArgumentParser
import Experiments
import Reporting
import Shell

extension [Threshold] {
    /// Reads the values of `--threshold`.
    init(options: [String]) throws {
        do {
            self = try options.map { try Threshold(parsing: $0) }
        } catch {
            throw ValidationError("--threshold: \(error)")
        }
    }

    /// Judges the thresholds; if some cannot be judged, reports each of them and ends the command.
    @discardableResult
    func judgedOrExit(by rows: [SummaryRow]) throws -> [CheckRow] {
        var outcomes: [CheckRow] = []
        for threshold in self {
            do throws(ThresholdError) {
                outcomes.append(try threshold.outcome(in: rows))
            } catch {
                printError("--threshold: \(error)")
            }
        }
        guard outcomes.count == count else { throw Failure.badData }
        return outcomes
    }
}
