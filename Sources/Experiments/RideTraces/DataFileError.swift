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
/// A file of the wrong kind has as many problems as rows: too many to read, and memory must not grow with them.
struct DataFileProblems {
    /// How many problems are kept.
    static let limit = 50

    /// The first problems, in the order of their reports.
    private(set) var kept: [Diagnostic] = []
    /// How many problems came after those.
    private(set) var omitted = 0

    mutating func report(_ diagnostic: Diagnostic) {
        if kept.count < Self.limit {
            kept.append(diagnostic)
        } else {
            omitted += 1
        }
    }

    /// Throws what was reported, if anything was.
    func throwIfAny() throws(DataFileError) {
        if !kept.isEmpty { throw .invalid(kept, omitted: omitted) }
    }
}
