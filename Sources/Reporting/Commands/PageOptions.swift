public import ArgumentParser
import Shell

/// Options to render report.html together with other results.
public struct PageOptions: ParsableArguments, Sendable {
    @Flag(help: "Render report.html too, as `freshet report` does.")
    var report = false

    @Flag(name: .customLong("static"), help: "With --report: leave charts as pictures.")
    var isStatic = false

    /// Creates empty options for the parser to fill.
    public init() {}

    /// Refuses `--static` without `--report`.
    public mutating func validate() throws {
        try demand(report || !isStatic, "--static applies to --report only: give both")
    }

    /// `true` if a page was requested.
    public var isWanted: Bool { report }

    /// Renders a directory's report if a page was requested.
    public func render(_ directory: String, quiet: Bool) throws {
        if report { try renderReport(directory, isStatic: isStatic, quiet: quiet) }
    }
}
