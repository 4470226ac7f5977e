public import TextFormats

/// The reason why results could not be exported.
public enum ExportError: UserError, Hashable {
    /// A file of the results is missing.
    case missing(path: String)
    /// Files of the results are invalid; each problem is a line of `file:line: message`.
    case invalid([String])
    /// The system refused a step.
    case cannotWrite(path: String, reason: String)
    /// The program that writes the format is not installed and cannot be obtained now.
    case unavailable(String)

    public var failure: FailureKind {
        switch self {
        case .missing: .inputMissing
        case .invalid: .badData
        case .cannotWrite: .cannotWrite
        case .unavailable: .temporary
        }
    }

    /// The message: what, where and why.
    public var description: String {
        switch self {
        case .missing(let path):
            "\(path) is missing: name a directory that `freshet run` has written"
        case .invalid(let lines):
            lines.joined(separator: "\n")
        case .cannotWrite(let path, let reason):
            "\(path) cannot be written: \(reason)"
        case .unavailable(let reason):
            reason
        }
    }
}
