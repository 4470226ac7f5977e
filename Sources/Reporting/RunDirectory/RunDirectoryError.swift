public import TextFormats

/// The reason why results could not be written or rendered.
public enum RunDirectoryError: UserError, Hashable {
    /// The path holds something other than a run directory; nothing was changed.
    case occupied(path: String, by: Occupant)
    /// The system refused a step; old results are unchanged.
    case refused(step: String, path: String, reason: String)
    /// There is no report to render.
    case missing(path: String)
    /// A file of the results is malformed.
    case unreadable(path: String, reason: String)

    /// The obstacle at the path.
    public enum Occupant: Hashable, Sendable {
        /// A file instead of a directory.
        case file
        /// A directory with files, but without the file that marks results of this kind, such as `run.json` of a run.
        case otherFiles(without: RunDirectory.Content)
    }

    public var failure: FailureKind {
        switch self {
        case .occupied, .refused: .cannotWrite
        case .missing: .inputMissing
        case .unreadable: .badData
        }
    }

    /// The error in a sentence: what, where and why.
    public var description: String {
        switch self {
        case .occupied(let path, .file):
            "results cannot be written to \(path): it is a file, not a directory"
        case .occupied(let path, .otherFiles(let content)):
            "results cannot be written to \(path): it holds files but no \(content.rawValue).json of a \(content.rawValue); "
                + "choose a new or empty directory, or one with results"
        case .refused(let step, let path, let reason):
            "results cannot be written: \(step) \(path) failed: \(reason)"
        case .missing(let path):
            "\(path) is missing: name a directory that `freshet run` has written"
        case .unreadable(let path, let reason):
            "\(path): \(reason)"
        }
    }
}
