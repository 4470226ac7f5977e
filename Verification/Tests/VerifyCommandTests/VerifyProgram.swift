import CommandTestSupport

/// The built program, as a user's shell runs it.
enum VerifyProgram {
    static func run(_ arguments: String...) throws -> Command.Outcome { try run(arguments) }

    static func run(_ arguments: [String]) throws -> Command.Outcome {
        try Command.run(arguments, program: "freshet-verify")
    }
}
