public import TextFormats

/// The reason why a data file cannot be used.
public enum DataFileError: Error, Hashable, Sendable, CustomStringConvertible {
    case missing(file: String)
    /// The file exists, but the system cannot read it.
    case unreadable(file: String, reason: String)
    /// The reader for this kind of file is not installed.
    case unavailable(file: String, reason: String)
    /// The content is invalid: the first errors in file order, and the number of further ones.
    case invalid([Diagnostic], omitted: Int)

    /// Creates the error for a file that was not read.
    init(_ refusal: InputFile.Refusal, file: String) {
        switch refusal {
        case .missing: self = .missing(file: file)
        case .notRegular(let kind): self = .unreadable(file: file, reason: "is \(kind), must be a CSV file")
        case .refused, .tooLarge: self = .unreadable(file: file, reason: refusal.description)
        }
    }

    /// The error as lines of text.
    public var description: String {
        switch self {
        case .missing(let file):
            return "\(OneLine.text(file)): there is no such file"
        case .unreadable(let file, let reason):
            return "\(OneLine.text(file)): \(reason)"
        case .unavailable(let file, let reason):
            return "\(OneLine.text(file)): \(reason)"
        case .invalid(let diagnostics, let omitted):
            let lines = diagnostics.map(\.description)
            return (omitted > 0 ? lines + ["and \(omitted) more"] : lines).joined(separator: "\n")
        }
    }
}

/// The errors found in one data file; only the first are kept.
///
/// A file of the wrong kind has as many errors as rows: too many to read, and memory must not grow with them. Only the
/// first few errors of a kind are kept, and the last of them states how many more there are.
struct DataFileProblems {
    /// The largest number of errors kept.
    static let limit = 50
    /// The largest number of errors kept of one kind, if their messages differ; of equal ones, only the first.
    static let limitOfKind = 3

    /// The errors of one kind.
    private struct Kind {
        /// The index of the last error that is kept.
        var index: Int
        var kept = 1
        var omitted = 0
        var lastLine = 0
    }

    /// The first errors, in the order of their reports.
    private var kept: [Diagnostic] = []
    /// The errors of each kind, by column and shared feature.
    private var kinds: [[String]: Kind] = [:]
    /// The number of errors that were not kept.
    private var omitted = 0

    /// Adds an error.
    ///
    /// - Parameter kind: The feature shared with other errors in its column; nil for a unique error.
    mutating func report(_ diagnostic: Diagnostic, like kind: String? = nil) {
        let key = kind.map { [diagnostic.path, $0] }
        if let key, var known = kinds[key],
            known.kept == Self.limitOfKind || kept[known.index].message == diagnostic.message
                || kept.count == Self.limit
        {
            known.omitted += 1
            known.lastLine = diagnostic.line
            kinds[key] = known
        } else if kept.count == Self.limit {
            omitted += 1
        } else {
            if let key { kinds[key] = Kind(index: kept.count, kept: (kinds[key]?.kept ?? 0) + 1) }
            kept.append(diagnostic)
        }
    }

    /// Throws the reported errors, if there are any.
    func throwIfAny() throws(DataFileError) {
        guard !kept.isEmpty else { return }
        var told = kept
        for kind in kinds.values where kind.omitted > 0 {
            let rows = kind.omitted.counted("more row", "more rows")
            told[kind.index].message += " (and \(rows) like this, the last in line \(kind.lastLine))"
        }
        throw .invalid(told, omitted: omitted)
    }
}

extension DataFileError: UserError {
    public var failure: FailureKind {
        switch self {
        case .missing: .inputMissing
        case .unavailable: .temporary
        case .unreadable, .invalid: .badData
        }
    }
}
