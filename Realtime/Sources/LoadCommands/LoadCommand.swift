package import ArgumentParser
import Shell

/// `freshet load`, the command with all kinds of load.
@main
package struct LoadCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "freshet load",
        abstract: "Load-tests an APNs endpoint or a monitor, in real time.",
        discussion: """
            Example: freshet load scenario workout

            Ctrl-C ends a load early and keeps its results, marked as partial; the exit code is 130. A second Ctrl-C \
            discards them. With --dashboard a page on this machine shows the progress and then the report.
            """,
        version: Release.version,
        subcommands: [
            LoadAPNsCommand.self, LoadScenarioCommand.self, LoadMonitorCommand.self, LoadMergeCommand.self,
        ]
    )

    package static func main() async {
        OpenFiles.checkOrExit()
        await mainOrExit()
    }

    package init() {}
}
