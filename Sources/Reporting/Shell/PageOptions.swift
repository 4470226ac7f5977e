public import ArgumentParser

/// Whether a command that writes results renders report.html too, and how.
public struct PageOptions: ParsableArguments, Sendable {
    @Flag(help: "Render report.html too, as `freshet report` does.")
    var report = false

    @Flag(name: .customLong("static"), help: "With --report: leave charts as pictures.")
    var isStatic = false

    /// No options yet; the parser fills them in.
    public init() {}

    /// Refuses `--static` where no page was asked for.
    public mutating func validate() throws {
        try demand(report || !isStatic, "--static says how --report renders: give both")
    }

    /// Whether a page was asked for.
    public var isWanted: Bool { report }

    /// Renders a directory's report where a page was asked for.
    public func render(_ directory: String, quiet: Bool) throws {
        if report { try renderReport(directory, isStatic: isStatic, quiet: quiet) }
    }
}
