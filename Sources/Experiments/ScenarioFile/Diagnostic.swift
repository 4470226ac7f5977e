/// One thing that is wrong with a file, at its place.
///
/// The text says what must hold, what was found and what is allowed, so that there is nothing to look up.
public struct Diagnostic: Hashable, Sendable {
    /// The file as the user named it, or the `--set` that holds the value.
    public var file: String
    /// The line, from 1; 0 where there are no lines, as in a `--set`.
    public var line: Int
    /// The column, from 1, counted in Unicode scalars; 0 where there are no lines.
    public var column: Int
    /// The value in question, as keys and list indices with dots between them; empty for the file as a whole.
    public var path: String
    /// What is wrong, on one line; begins with ``path`` where there is one.
    public var message: String
    /// Whether a key is at fault, not what stands at it: it is not known, or missing.
    var isOfKey = false

    /// Something wrong at a place.
    public init(file: String, line: Int = 0, column: Int = 0, path: String = "", message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.path = path
        self.message = OneLine.text(message)
    }
}

extension Diagnostic: CustomStringConvertible {
    /// The line that a user sees: `nyc.yaml:14:16: monitor.fresh_limit must be …`.
    public var description: String {
        let file = OneLine.text(file)
        return line > 0 ? "\(file):\(line):\(column): \(message)" : "\(file): \(message)"
    }
}

extension Diagnostic {
    /// Something wrong at a place of a file.
    package init(file: String, place: Place, message: String) {
        let source = ScenarioSource(file: file, settings: [])
        self = source.diagnostic(.init(place: place, path: "", message: message))
    }
}
