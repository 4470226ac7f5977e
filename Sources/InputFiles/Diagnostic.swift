import TextFormats

/// A problem in a file, with its place.
///
/// The text states what must hold, what was found and what is allowed, so that nothing has to be searched for.
public struct Diagnostic: Hashable, Sendable {
    /// The file as the user named it, or the `--set` option with the value.
    public var file: String
    /// The line, from 1; 0 if there are no lines, as in a `--set`.
    public var line: Int
    /// The column, from 1, counted in Unicode scalars; 0 if there are no lines.
    public var column: Int
    /// The path of the value: keys and list indices, separated by dots; empty for the file as a whole.
    public var path: String
    /// The problem on one line; it begins with ``path`` if there is one.
    public var message: String

    /// Creates a diagnostic.
    public init(file: String, line: Int = 0, column: Int = 0, path: String = "", message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.path = path
        self.message = OneLine.text(message)
    }
}

extension Diagnostic: CustomStringConvertible {
    /// The line for the user: `nyc.yaml:14:16: monitor.fresh_limit must be …`.
    public var description: String {
        let file = OneLine.text(file)
        return line > 0 ? "\(file):\(line):\(column): \(message)" : "\(file): \(message)"
    }
}

extension Diagnostic {
    /// Creates a diagnostic for a place in a file.
    ///
    /// - Precondition: The place is in the file itself.
    public init(file: String, place: Place, message: String) {
        guard case .file(let line, let column) = place else { preconditionFailure("a place in another file") }
        self.init(file: file, line: line, column: column, message: message)
    }
}
