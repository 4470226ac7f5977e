/// An error whose description is complete for users, with a kind for scripts.
public protocol UserError: Error, CustomStringConvertible {
    /// The kind of failure, which sets the exit code.
    var failure: FailureKind { get }
}

/// A kind of failure, by its exit code (`sysexits.h`).
public enum FailureKind: Int32, Hashable, Sendable {
    /// A scenario or data file is wrong.
    case badData = 65
    /// An input is missing.
    case inputMissing = 66
    /// Output cannot be written.
    case cannotWrite = 73
    /// A temporary failure: try again later.
    case temporary = 75
}
