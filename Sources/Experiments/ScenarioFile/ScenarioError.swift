/// Why there is no scenario.
public enum ScenarioError: Error, Hashable {
    /// There is no such file.
    case missing(path: String)
    /// There is something by that name that cannot be read as a file.
    case unreadable(path: String, reason: String)
    /// The file or a setting is wrong: everything that is, in the order of the file, settings last; never empty.
    case invalid([Diagnostic])
}

extension ScenarioError: CustomStringConvertible {
    /// How many diagnostics ``description`` shows.
    private static let shown = 50

    /// What a user sees: a line for each thing that is wrong, though not for more than fifty.
    public var description: String {
        switch self {
        case .missing(let path):
            return "\(path): there is no such file"
        case .unreadable(let path, let reason):
            return "\(path): cannot be read: \(reason)"
        case .invalid(let diagnostics):
            let lines = diagnostics.prefix(Self.shown).map(\.description)
            let rest = diagnostics.count - lines.count
            return (lines + (rest > 0 ? ["and \(rest) more"] : [])).joined(separator: "\n")
        }
    }
}
