public import TextFormats

// The kinds of failure of all errors that are described for users.

extension PlanDirectory.Failure: UserError {
    public var failure: FailureKind {
        switch self {
        case .missing: .inputMissing
        case .invalid: .badData
        case .notWritable: .cannotWrite
        }
    }
}

extension SweepResult.MissingTasks: UserError {
    public var failure: FailureKind { .inputMissing }
}

extension Tuning.UndefinedResponse: UserError {
    public var failure: FailureKind { .badData }
}

extension TaskStore.WriteError: UserError {
    public var failure: FailureKind { .cannotWrite }
}
