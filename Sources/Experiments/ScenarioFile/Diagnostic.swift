/// One thing that is wrong with an input file, and where.
public struct Diagnostic: Hashable, Sendable, CustomStringConvertible {
    /// The file as the user named it.
    public var file: String
    /// The line, from 1.
    public var line: Int
    /// The column, from 1, in Unicode scalars.
    public var column: Int
    /// The key or the column that the problem is about; empty for the file as a whole.
    public var path: String
    /// What, got, allowed.
    public var message: String

    /// A problem at a place.
    public init(file: String, line: Int, column: Int, path: String, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.path = path
        self.message = message
    }

    /// The problem as one line: `file:line:column: message`.
    public var description: String {
        "\(file):\(line):\(column): \(message)"
    }
}
