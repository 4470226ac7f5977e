import ArgumentParser
import Experiments
import Testing

@testable import Reporting

@Suite("Exit codes of errors")
struct FailureTests {
    @Test(
        "An error with a message of its own has the exit code that scripts expect",
        arguments: [
            (ScenarioError.missing(path: "a.yaml"), 66), (ScenarioError.invalid([]), 65),
            (DataFileError.missing(file: "a.csv"), 66), (DataFileError.unreadable(file: "a.csv", reason: ""), 65),
            (ComparisonError.unreadable(.missing(path: "a")), 66), (ComparisonError.notComparable([]), 65),
            (PlanDirectory.Failure.missing(""), 66), (PlanDirectory.Failure.invalid(""), 65),
            (PlanDirectory.Failure.notWritable(""), 73), (RunDirectoryError.missing(path: "a"), 66),
            (RunDirectoryError.refused(step: "writing", path: "a", reason: ""), 73),
            (RunDirectoryError.unreadable(path: "a", reason: ""), 65), (ExportError.missing(path: "a"), 66),
            (ExportError.invalid([]), 65),
            (ExportError.cannotWrite(path: "a", reason: ""), 73), (ExportError.unavailable(""), 75),
            (CommandError("no such activity"), 64), (ValidationError("--point must be a design point"), 64),
            (CommandError("two runs differ", Failure.notDeterministic), 97),
        ] as [(any Error, Int32)]
    )
    func codes(error: any Error, code: Int32) {
        #expect(Failure.code(of: error)?.rawValue == code)
    }

    @Test("Any other error is a bug of ours")
    func others() {
        #expect(Failure.code(of: CancellationError()) == nil)
    }
}
