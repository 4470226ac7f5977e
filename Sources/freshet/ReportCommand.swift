import ArgumentParser
import Reporting

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Renders a result directory as one self-contained HTML file with charts.",
        discussion: """
            Example: freshet report results/apns-outage

            Writes report.html beside report.md: the verdict, tables and charts in one file that needs no network, follows \
            the reader's light or dark theme, and prints well. Charts are interactive (hover, zoom); --static makes them \
            pictures. Charts are rendered by vl-convert-python, which Freshet installs on first use into the user's cache \
            directory (FRESHET_PYTHON names a Python that already has it). Without it the report contains only tables, and \
            names the missing package.
            """
    )

    @Argument(
        help: "A result directory of `freshet run` or `freshet load`.",
        completion: .directory
    )
    var directory: String

    @Option(help: "Also write each chart to this directory, as NAME.svg and NAME.png.", completion: .directory)
    var pictures: String?

    @Flag(name: .customLong("static"), help: "Render charts as static pictures: no scripts, a tenth of the size.")
    var isStatic = false

    @Flag(help: "Print only errors.")
    var quiet = false

    func run() throws {
        try renderReport(directory, isStatic: isStatic, pictures: pictures, quiet: quiet)
    }
}
