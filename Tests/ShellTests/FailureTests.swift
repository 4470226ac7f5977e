import ArgumentParser
import Testing
import TextFormats

@testable import Shell

@Suite("Exit codes of errors")
struct FailureTests {
    private struct Problem: UserError {
        let failure: FailureKind
        var description: String { "a problem" }
    }

    @Test(
        "An error with a message of its own has the exit code that scripts expect",
        arguments: [
            (CommandError("no such activity"), 64), (ValidationError("--point must be a design point"), 64),
            (CommandError("two runs differ", Failure.notDeterministic), 97), (Problem(failure: .badData), 65),
            (Problem(failure: .inputMissing), 66), (Problem(failure: .cannotWrite), 73),
            (Problem(failure: .temporary), 75),
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
