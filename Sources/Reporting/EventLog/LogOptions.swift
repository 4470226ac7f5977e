public import ArgumentParser
import Shell
public import Traces

/// The options of a command that reads an event log.
public struct LogOptions: ParsableArguments, Sendable {
    /// The path of the mapping.
    @Option(
        help: "A mapping of another program's columns and words, in YAML.",
        completion: .file(extensions: ["yaml", "yml"])
    )
    public var mapping: String?

    /// The largest share of rows that cannot be used.
    @Option(help: "The share of rows that may be unusable, 0 to 1; with more, the log is refused.")
    public var mostBadRows = LogOptions.usualMostBadRows

    /// The largest share of rows that cannot be used, unless another is given.
    public static let usualMostBadRows = 0.05

    /// Creates the options, to be parsed.
    public init() {}

    /// Refuses a share that is none.
    public func validate() throws {
        try demand((0...1).contains(mostBadRows), "--most-bad-rows must be within 0...1, got \(mostBadRows)")
    }

    /// The mapping; the usual names if none is given.
    public func read() throws -> LogMapping { try mapping.map { try LogMapping(file: $0) } ?? LogMapping() }
}
