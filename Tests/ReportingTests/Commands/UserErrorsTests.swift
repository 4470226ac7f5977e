import InputFiles
import Reporting
import Results
import ScenarioLanguage
import Studies
import Testing
import TextFormats

@Suite("Kinds of failure")
struct UserErrorsTests {
    @Test(
        "An error that is described for users has a kind",
        arguments: [
            (ScenarioError.missing(path: "a.yaml"), .inputMissing), (ScenarioError.invalid([]), .badData),
            (DataFileError.missing(file: "a.csv"), .inputMissing),
            (DataFileError.unreadable(file: "a.csv", reason: ""), .badData),
            (ComparisonError.unreadable(.missing(path: "a")), .inputMissing),
            (ComparisonError.notComparable([]), .badData), (PlanDirectory.Failure.missing(""), .inputMissing),
            (PlanDirectory.Failure.invalid(""), .badData), (PlanDirectory.Failure.notWritable(""), .cannotWrite),
            (RunDirectoryError.missing(path: "a"), .inputMissing),
            (RunDirectoryError.refused(step: "writing", path: "a", reason: ""), .cannotWrite),
            (RunDirectoryError.unreadable(path: "a", reason: ""), .badData),
            (ExportError.missing(path: "a"), .inputMissing), (ExportError.invalid([]), .badData),
            (ExportError.cannotWrite(path: "a", reason: ""), .cannotWrite), (ExportError.unavailable(""), .temporary),
        ] as [(any UserError, FailureKind)]
    )
    func kinds(error: any UserError, kind: FailureKind) {
        #expect(error.failure == kind)
    }
}
