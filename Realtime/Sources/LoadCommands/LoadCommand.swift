package import ArgumentParser
import Reporting

/// `freshet load`: load of every kind.
@main
package struct LoadCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "freshet load",
        abstract: "Load-tests the core, an APNs endpoint or a monitor, in real time.",
        discussion: """
            Example: freshet load core

            Ctrl-C ends a load early and keeps its results, marked as a part; the exit code is 130. A second one abandons \
            it. With --dashboard a page on this machine shows how it goes, and becomes the report.
            """,
        version: Release.version,
        subcommands: [
            LoadCoreCommand.self, LoadAPNsCommand.self, LoadScenarioCommand.self, LoadMonitorCommand.self,
            LoadMergeCommand.self,
        ]
    )

    package static func main() async {
        OpenFiles.checkOrExit()
        await mainOrExit()
    }

    package init() {}
}
