import ArgumentParser
import Reporting

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Renders a result directory as one HTML file with charts.",
        discussion: """
            Example: freshet report results/apns-outage

            Writes report.html beside report.md: the verdict, tables and charts in one file that needs no network, light or \
            dark as the reader's system is, fit to print. One can point at a chart, zoom in on a time, and switch to \
            pictures by --static. Charts are drawn by vl-convert-python, which is installed on first use into \
            the user's cache directory (FRESHET_PYTHON names a Python that has it already). Without it the report is \
            written with its tables alone, and says what is missing.
            """
    )

    @Argument(
        help: "A result directory that `freshet run` or `freshet load` has written.",
        completion: .directory
    )
    var directory: String

    @Option(help: "Keep each chart as a file too, NAME.svg and NAME.png, in this directory.", completion: .directory)
    var pictures: String?

    @Flag(name: .customLong("static"), help: "Leave charts as pictures: no script, and a tenth of the size.")
    var isStatic = false

    @Flag(help: "Say nothing but what went wrong.")
    var quiet = false

    func run() throws {
        try renderReport(directory, isStatic: isStatic, pictures: pictures, quiet: quiet)
    }
}
