/// Why results could not be exported.
public enum ExportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A file of the results is not there.
    case missing(path: String)
    /// Files of the results are not what they should be: each a line of `file:line: message`.
    case invalid([String])
    /// The system refused a step.
    case cannotWrite(path: String, reason: String)
    /// What writes the format is not installed and cannot be had now.
    case unavailable(String)

    /// What, where and why.
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
