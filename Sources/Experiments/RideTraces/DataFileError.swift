/// Why a data file cannot be used.
public enum DataFileError: Error, Hashable, Sendable, CustomStringConvertible {
    case missing(file: String)
    /// The file is there but the system does not hand it out.
    case unreadable(file: String, reason: String)
    /// What reads such a file is not installed and cannot be had now.
    case unavailable(file: String, reason: String)
    /// The content is wrong: the first problems in file order, and how many more there are.
    case invalid([Diagnostic], omitted: Int)

    /// The reason why a file was not read.
    init(_ refusal: InputFile.Refusal, file: String) {
        switch refusal {
        case .missing: self = .missing(file: file)
        case .notRegular(let kind): self = .unreadable(file: file, reason: "is \(kind), must be a CSV file")
        case .refused, .tooLarge: self = .unreadable(file: file, reason: refusal.description)
        }
    }

    /// The error as lines for a person.
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

/// The problems found in one data file, of which only the first are kept.
///
/// A file of the wrong kind has as many problems as rows: too many to read, and memory must not grow with them. Of problems of
/// one kind only the first few are kept, and the last of them says how many more there are.
struct DataFileProblems {
    /// How many problems are kept.
    static let limit = 50
    /// How many problems of one kind are kept, if their messages differ; of equal ones the first is.
    static let limitOfKind = 3

    /// The problems of one kind.
    private struct Kind {
        /// The place of the last problem that is kept.
        var index: Int
        var kept = 1
        var omitted = 0
        var lastLine = 0
    }

    /// The first problems, in the order of their reports.
    private var kept: [Diagnostic] = []
    /// The problems of each kind, by column and the feature that they share.
    private var kinds: [[String]: Kind] = [:]
    /// How many problems came when no more were kept.
    private var omitted = 0

    /// Takes a problem.
    ///
    /// - Parameter kind: The feature that it shares with others of its column; nil for a problem that is like no other.
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

    /// Throws what was reported, if anything was.
    func throwIfAny() throws(DataFileError) {
        guard !kept.isEmpty else { return }
        var told = kept
        for kind in kinds.values where kind.omitted > 0 {
            let rows = kind.omitted == 1 ? "1 more row" : "\(kind.omitted) more rows"
            told[kind.index].message += " (and \(rows) like this, the last in line \(kind.lastLine))"
        }
        throw .invalid(told, omitted: omitted)
    }
}
